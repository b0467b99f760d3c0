/* web/viewer.js: the one viewer: bodies and liquids in the plane and in space, on a canvas
 *
 * The pages of `perp simulate` (app/player.html) and the playground draw with it. A run is
 *
 *   dimension, lo, hi    2: y is up, 3: z is up; the part of space to look at
 *   shapes               [{kind, fixed, wire, size, corner}], the same in all frames
 *   pose                 of each frame and shape x, y, angle, or x, y, z and the quaternion w, x, y, z
 *   load, state          of each frame and shape the impulses on it, and contacts that push
 *   particle             of each particle 2 or 3 shares of [lo, hi], in 65535 steps
 *   first                where the particles of each frame begin, one more than there are frames
 *   shade, touch         of each particle a byte each
 *   pressure, pressures  of each particle a byte between the two numbers of its frame
 *   floor, grain, tank   set by prepareRun
 *   subject              numbers x, y, z, r of what the camera holds in the picture, see frameRuns
 *
 * Space is drawn pixel by pixel, each with the depth of what is nearest: shapes have exact outlines,
 * every pixel knows what it shows, and no library or graphics card is needed. */
'use strict';

/* What colours show: 'load', 'state' or 'plain'; and the numbers at the end of their scales. */
const look = { how: 'load', heaviest: 1, highest: 1, arrows: false, arrow: 1 };

const mix = (a, b, t) => a.map((v, k) => Math.round(v + (b[k] - v) * t));
const rgb = c => `rgb(${c[0]},${c[1]},${c[2]})`;
const COLD = [92, 128, 170], WARM = [222, 88, 44], HOT = [255, 214, 64], STONE = [128, 134, 144];
const SLOW = [150, 200, 242], FAST = [16, 58, 132]; /* liquid */
const PULLED = [140, 60, 180], TOUCH = [mix([44, 112, 190], [128, 134, 144], 0.5), [222, 88, 44], [60, 170, 90], PULLED];
const heat = t => t < 0.5 ? mix(COLD, WARM, 2 * t) : mix(WARM, HOT, 2 * t - 1);
const HEAT = Array.from({ length: 256 }, (_, k) => heat(k / 255)), SPEED = Array.from({ length: 256 }, (_, k) => mix(SLOW, FAST, k / 255));
const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const short = (v, digits = 0) => v === 0 ? '0' : Math.abs(v) >= 1e6 || Math.abs(v) < 1e-2 ? v.toExponential(digits || 1).replace('e+', 'e') : String(+v.toPrecision(3 + digits));

function colourOf(run, shape, frame) {
  if (run.shapes[shape].fixed) return STONE;
  const at = frame * run.shapes.length + shape;
  if (look.how === 'load' && run.load.length) return HEAT[Math.round(255 * Math.min(1, Math.sqrt(run.load[at] / look.heaviest)))];
  if (look.how === 'state' && run.state.length) return run.state[at] ? heat(Math.min(1, run.state[at] / 8)) : COLD;
  return COLD;
}
/* Of the particles of a frame: by speed, by pressure, or by what a wall beside them does. */
function drops(run, frame) {
  const lo = run.pressures[2 * frame], hi = run.pressures[2 * frame + 1];
  if (look.how === 'state' && run.touch.length) return k => TOUCH[run.touch[k]];
  if (look.how === 'load' && run.pressure.length) return k => {
    const p = lo + (hi - lo) * run.pressure[k] / 255;
    return p < (lo - hi) / 255 ? PULLED : HEAT[Math.round(255 * Math.min(1, Math.sqrt(Math.max(0, p) / look.highest)))];
  };
  return k => SPEED[run.shade.length ? run.shade[k] : 0];
}

/* ---- What the picture holds ---- */

const reachOf = shape => shape.kind === 'polygon' || shape.corner ? Math.max(...shape.corner.map(Math.abs)) * Math.SQRT2 : shape.kind === 'box' ? Math.hypot(...shape.size) : shape.kind === 'capsule' ? shape.size[0] + shape.size[1] : shape.size[0];

/* The floor, the tank of a liquid and the size of its drops: once for each run. */
function prepareRun(run) {
  run.floor = run.lo[2];
  const tank = run.dimension === 3 ? run.shapes.findIndex(s => s.wire && s.size[0]) : -1;
  if (tank >= 0 && run.particle.length) {
    run.tank = { at: [...run.pose.subarray(7 * tank, 7 * tank + 3)], half: run.shapes[tank].size };
    run.floor = run.tank.at[2] - run.tank.half[2];
  }
  /* Liquid in the plane is drawn as dots whose size is the first distance between particles. */
  const ends = [0, 1].map(d => { let lo = 65535, hi = 0; for (let k = 0; k < run.first[1]; k++) { const v = run.particle[run.dimension * k + d]; lo = Math.min(lo, v); hi = Math.max(hi, v); } return (hi - lo) / 65535 * (run.hi[d] - run.lo[d]); });
  run.grain = Math.min((run.hi[0] - run.lo[0]) / 100, 0.75 * Math.sqrt(ends[0] * ends[1] / Math.max(1, run.first[1])));
}

/* The view holds every body that moves, in every frame of every run; one that flew away further than
 * ten times the size of the scene is left out. In space the camera frames these bodies themselves
 * (view3), not the box around them. Liquid stays in its box, in whose units it is given. */
function frameRuns(runs) {
  const dry = runs.filter(r => !r.particle.length), subject = [];
  const size = [0, 1, 2].map(d => [Math.min(...dry.map(r => r.lo[d])), Math.max(...dry.map(r => r.hi[d]))]);
  const near = (p, run) => p.every((v, d) => d >= run.dimension || Math.abs(v - (size[d][0] + size[d][1]) / 2) <= 10 * (size[d][1] - size[d][0]));
  const ends = [0, 1, 2].map(() => [Infinity, -Infinity]);
  for (const run of dry) {
    const each = run.dimension === 3 ? 7 : 3, count = run.shapes.length, frames = run.pose.length / (each * count);
    run.shapes.forEach((shape, k) => {
      if (shape.fixed || shape.wire) return;
      const r = reachOf(shape);
      for (let f = 0; f < frames; f++) {
        const at = (f * count + k) * each, p = [run.pose[at], run.pose[at + 1], run.dimension === 3 ? run.pose[at + 2] : 0];
        if (!near(p, run)) continue;
        subject.push(...p, r);
        p.forEach((v, d) => { ends[d] = [Math.min(ends[d][0], v - r), Math.max(ends[d][1], v + r)]; });
      }
    });
  }
  for (const run of dry) {
    const flat = run.dimension === 2;
    for (let d = 0; d < run.dimension && subject.length; d++) {
      run.lo[d] = flat ? Math.min(size[d][0], ends[d][0]) : ends[d][0];
      run.hi[d] = flat ? Math.max(size[d][1], ends[d][1]) : ends[d][1];
    }
    if (!flat && subject.length) {
      run.lo[2] = Math.min(run.lo[2], run.floor);
      run.subject = Float32Array.from(subject);
    }
  }
}

/* The path of the one body that moves: the part behind it, and the part to come. */
function trail(g, width, points, frame) {
  g.lineWidth = Math.max(1, width / 500);
  for (const [style, from, to] of [['rgba(222,88,44,.3)', frame, points.length], ['rgb(222,88,44)', 0, frame + 1]]) {
    g.strokeStyle = style; g.beginPath();
    points.slice(from, to).forEach(p => g.lineTo(...p));
    g.stroke();
  }
}

/* Impulses of contacts as arrows, from the points where they act: `arrow` has where and what. */
function drawArrows(g, run, width, screen) {
  const D = run.dimension, a = run.arrow;
  if (!look.arrows || !a) return;
  g.strokeStyle = g.fillStyle = css('--ink') || '#222'; g.lineWidth = Math.max(1, width / 700);
  g.beginPath();
  for (let k = 0; k + 2 * D <= a.length; k += 2 * D) {
    const p = [...a.subarray(k, k + D)], f = [...a.subarray(k + D, k + 2 * D)], s = look.arrow;
    if (!f.some(v => v)) continue;
    const from = screen(p), to = screen(p.map((v, d) => v + s * f[d])), dx = to[0] - from[0], dy = to[1] - from[1], l = Math.hypot(dx, dy);
    if (!(l > 2)) continue;
    const h = Math.min(0.35 * l, width / 120), ux = dx / l * h, uy = dy / l * h;
    g.moveTo(...from); g.lineTo(...to);
    g.moveTo(to[0] - ux - 0.5 * uy, to[1] - uy + 0.5 * ux); g.lineTo(...to); g.lineTo(to[0] - ux + 0.5 * uy, to[1] - uy - 0.5 * ux);
  }
  g.stroke();
}

/* ---- Two dimensions ---- */

/* The scale and the place of the origin, for a picture of that size. */
function view2(run, width, height) {
  const [x0, y0] = run.lo, [x1, y1] = run.hi, s = Math.min(width / (x1 - x0), height / (y1 - y0)) * 0.98;
  const cx = width / 2 - s * (x0 + x1) / 2, cy = height / 2 + s * (y0 + y1) / 2;
  return { s, X: x => cx + s * x, Y: y => cy - s * y, at: (px, py) => [(px - cx) / s, (cy - py) / s] };
}
/* A round distance: 1, 2 or 5 times a power of ten, about a tenth of `wide`. */
function roundStep(wide) {
  const tenth = wide / 10, power = 10 ** Math.floor(Math.log10(tenth));
  return power * (tenth / power >= 5 ? 5 : tenth / power >= 2 ? 2 : 1);
}
function drawGrid(run, g, width, height, view) {
  const step = roundStep(run.hi[0] - run.lo[0]), [x0, y1] = view.at(0, 0), [x1, y0] = view.at(width, height);
  g.strokeStyle = 'rgba(128,134,144,.13)'; g.lineWidth = 1; g.beginPath();
  for (let k = Math.ceil(x0 / step); k <= x1 / step; k++) { g.moveTo(view.X(k * step), 0); g.lineTo(view.X(k * step), height); }
  for (let k = Math.ceil(y0 / step); k <= y1 / step; k++) { g.moveTo(0, view.Y(k * step)); g.lineTo(width, view.Y(k * step)); }
  g.stroke();
}
/* Squares, all at once: one style for each would take longer than the solve. */
const dropCanvas = document.createElement('canvas');
function drawDrops(run, frame, g, width, height, view) {
  if (run.first[frame + 1] === run.first[frame]) return;
  const image = new ImageData(width, height), pixel = new Uint32Array(image.data.buffer), colour = drops(run, frame);
  const size = Math.max(1.2, view.s * run.grain), [x0, y0] = run.lo, [x1, y1] = run.hi, side = Math.max(1, Math.round(size));
  for (let k = run.first[frame]; k < run.first[frame + 1]; k++) {
    const px = Math.round(view.X(x0 + (x1 - x0) * run.particle[2 * k] / 65535) - size / 2), py = Math.round(view.Y(y0 + (y1 - y0) * run.particle[2 * k + 1] / 65535) - size / 2);
    const c = colour(k), word = 0xff000000 | c[2] << 16 | c[1] << 8 | c[0];
    for (let y = Math.max(0, py); y < Math.min(height, py + side); y++) pixel.fill(word, y * width + Math.max(0, px), y * width + Math.max(0, Math.min(width, px + side)));
  }
  dropCanvas.width = width; dropCanvas.height = height;
  dropCanvas.getContext('2d').putImageData(image, 0, 0);
  g.drawImage(dropCanvas, 0, 0);
}
function draw2(run, frame, g, width, height) {
  const view = view2(run, width, height), { s, X, Y } = view, at = frame * run.shapes.length * 3;
  drawGrid(run, g, width, height, view);
  run.shapes.forEach((shape, k) => {
    const x = run.pose[at + 3 * k], y = run.pose[at + 3 * k + 1], a = run.pose[at + 3 * k + 2];
    g.fillStyle = rgb(colourOf(run, k, frame));
    g.strokeStyle = run.held === k ? css('--accent') : 'rgba(0,0,0,.45)';
    g.lineWidth = run.held === k ? 3 * devicePixelRatio : Math.max(0.5, 0.004 * width * devicePixelRatio / 4);
    g.beginPath();
    if (shape.kind === 'disc') {
      g.arc(X(x), Y(y), Math.max(0.5, s * shape.size[0]), 0, 2 * Math.PI);
      g.fill(); g.stroke(); g.beginPath();
      g.moveTo(X(x), Y(y)); g.lineTo(X(x + shape.size[0] * Math.cos(a)), Y(y + shape.size[0] * Math.sin(a)));
    } else {
      for (let c = 0; c < shape.corner.length; c += 2) {
        const u = shape.corner[c], v = shape.corner[c + 1];
        g.lineTo(X(x + u * Math.cos(a) - v * Math.sin(a)), Y(y + u * Math.sin(a) + v * Math.cos(a)));
      }
      g.closePath(); g.fill();
    }
    g.stroke();
  });
  if (run.path) trail(g, width, run.path.map(p => [X(p[0]), Y(p[1])]), frame);
  drawDrops(run, frame, g, width, height, view);
  drawArrows(g, run, width, p => [X(p[0]), Y(p[1])]);
}

/* What lies at a point of the plane: the number of a shape, or the number of shapes and that of a
 * particle behind it; -1: nothing. */
function thing2(run, frame, canvas, px, py) {
  const [x0, y0] = run.lo, [x1, y1] = run.hi, view = view2(run, canvas.width, canvas.height), [X, Y] = view.at(px, py), at = frame * run.shapes.length * 3;
  let best = -1, least = Math.max(run.grain, 3 / view.s);
  for (let k = run.first[frame]; k < run.first[frame + 1]; k++) {
    const d = Math.hypot(x0 + (x1 - x0) * run.particle[2 * k] / 65535 - X, y0 + (y1 - y0) * run.particle[2 * k + 1] / 65535 - Y);
    if (d < least) { least = d; best = run.shapes.length + k - run.first[frame]; }
  }
  for (let k = run.shapes.length - 1; k >= 0 && best < 0; k--) {
    const shape = run.shapes[k], a = run.pose[at + 3 * k + 2], dx = X - run.pose[at + 3 * k], dy = Y - run.pose[at + 3 * k + 1];
    if (shape.kind === 'disc') { if (Math.hypot(dx, dy) <= shape.size[0]) best = k; continue; }
    const u = dx * Math.cos(a) + dy * Math.sin(a), v = dy * Math.cos(a) - dx * Math.sin(a), c = shape.corner;
    let inside = false;
    for (let i = 0, j = c.length - 2; i < c.length; j = i, i += 2)
      if (c[i + 1] > v !== c[j + 1] > v && u < (c[j] - c[i]) * (v - c[i + 1]) / (c[j + 1] - c[i + 1]) + c[i]) inside = !inside;
    if (inside) best = k;
  }
  return best;
}

/* ---- Three dimensions: in perspective, by a depth for every pixel ---- */

const camera = { turn: -0.9, tilt: 0.35, near: 1 };
function rotate(q, v) {
  const [w, x, y, z] = q, t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]];
}
const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7].map(k => [k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1]);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2], plus = (a, s, b) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
/* The picture, in tangents of angles, of what the camera holds, as if nothing was zoomed, else the
 * frame would undo it: spheres of the subject, or the corners of the viewed box. */
function frame3(run, turn, middle, distance) {
  const box = [Infinity, -Infinity, Infinity, -Infinity];
  const hold = (v, r) => {
    const e = turn(plus(v, -1, middle)), depth = Math.max(0.05 * distance, e[2] + distance);
    box[0] = Math.min(box[0], (e[0] - r) / depth); box[1] = Math.max(box[1], (e[0] + r) / depth);
    box[2] = Math.min(box[2], (e[1] - r) / depth); box[3] = Math.max(box[3], (e[1] + r) / depth);
  };
  const s = run.subject, key = `${camera.turn} ${camera.tilt}`;
  if (s && run.framed?.key === key && run.framed.subject === s) return run.framed.box;
  if (s) for (let k = 0; k < s.length; k += 4) hold([s[k], s[k + 1], s[k + 2]], s[k + 3]);
  else CORNERS.forEach(c => hold(c.map((v, k) => middle[k] + v * (run.hi[k] - run.lo[k]) / 2), 0));
  run.framed = { key, subject: s, box };
  return box;
}
/* The eye: x to the right, y up, z away from it; and a picture that holds the subject. */
function view3(run, width, height) {
  const middle = [0, 1, 2].map(k => (run.lo[k] + run.hi[k]) / 2), extent = Math.hypot(...[0, 1, 2].map(k => run.hi[k] - run.lo[k]));
  const ct = Math.cos(camera.turn), st = Math.sin(camera.turn), cp = Math.cos(camera.tilt), sp = Math.sin(camera.tilt);
  const distance = 1.6 * extent * camera.near;
  const turn = v => { const f = v[0] * ct + v[1] * st; return [v[1] * ct - v[0] * st, v[2] * cp - f * sp, -(f * cp + v[2] * sp)]; };
  const back = e => { const f = -e[1] * sp - e[2] * cp; return [f * ct - e[0] * st, f * st + e[0] * ct, e[1] * cp - e[2] * sp]; };
  const eye = v => { const e = turn(plus(v, -1, middle)); e[2] += distance; return e; };
  const world = e => plus(back([e[0], e[1], e[2] - distance]), 1, middle);
  const [x0, x1, y0, y1] = frame3(run, turn, middle, 1.6 * extent);
  const focal = 0.95 * Math.min(width / (x1 - x0), height / (y1 - y0));
  return { eye, turn, back, world, focal, extent, near: 0.02 * extent, cx: width / 2 - focal * (x0 + x1) / 2, cy: height / 2 + focal * (y0 + y1) / 2, sun: turn(SUN) };
}
/* Pixels (x, y) look along d = ((x - cx) / focal, (cy - y) / focal, 1); the point z d that is hit
 * is drawn if nothing nearer is. */
function picture3(width, height, view) {
  const image = new ImageData(width, height), colour = new Uint32Array(image.data.buffer), depth = new Float32Array(width * height).fill(Infinity);
  const things = new Int32Array(width * height).fill(-1); /* what is seen at each pixel */
  let thing = -1;
  const is = k => { thing = k; };
  const { cx, cy, focal, near, sun } = view;
  const put = (at, z, c, light) => { depth[at] = z; things[at] = thing; colour[at] = 0xff000000 | Math.min(255, c[2] * light) << 16 | Math.min(255, c[1] * light) << 8 | Math.min(255, c[0] * light); };
  const lit = (x, y, z) => 0.5 + 0.55 * Math.max(0, sun[0] * x + sun[1] * y + sun[2] * z);
  /* The rows and columns that points (of the eye's space, `more` pixels around each) can cover. */
  const cover = (points, more) => {
    let x0 = 0, x1 = width - 1, y0 = 0, y1 = height - 1;
    if (points.every(p => p[2] > near)) {
      const xs = points.map(p => cx + focal * p[0] / p[2]), ys = points.map(p => cy - focal * p[1] / p[2]);
      x0 = Math.max(x0, Math.floor(Math.min(...xs) - more)); x1 = Math.min(x1, Math.ceil(Math.max(...xs) + more));
      y0 = Math.max(y0, Math.floor(Math.min(...ys) - more)); y1 = Math.min(y1, Math.ceil(Math.max(...ys) + more));
    } else if (points.every(p => p[2] <= near)) x1 = -1;
    return [x0, x1, y0, y1];
  };
  const face = (m, u, su, w, sw, n, c, shade) => { /* middle, two half edges, normal; shade(a, b, wide): light by place */
    const k = dot(n, m);
    if (k >= 0) return; /* it looks away */
    const [x0, x1, y0, y1] = cover([plus(plus(m, su, u), sw, w), plus(plus(m, su, u), -sw, w), plus(plus(m, -su, u), sw, w), plus(plus(m, -su, u), -sw, w)], 0);
    const light = lit(...n), mu = dot(m, u), mw = dot(m, w);
    for (let y = y0; y <= y1; y++) for (let x = x0, at = y * width + x0; x <= x1; x++, at++) {
      const dx = (x - cx) / focal, dy = (cy - y) / focal, z = k / (n[0] * dx + n[1] * dy + n[2]);
      if (!(z > near && z < depth[at])) continue;
      const eu = z * (u[0] * dx + u[1] * dy + u[2]) - mu, ew = z * (w[0] * dx + w[1] * dy + w[2]) - mw, a = su - Math.abs(eu), b = sw - Math.abs(ew);
      if (a < 0 || b < 0) continue;
      if (shade) put(at, z, c, light * shade(eu, ew, z / focal / Math.max(0.05, -(n[0] * dx + n[1] * dy + n[2]) / Math.hypot(dx, dy, 1))));
      else put(at, z, c, Math.min(a, b) < z / focal ? 0.6 * light : light);
    }
  };
  const ball = (m, r, c) => {
    if (m[2] < near + r) return;
    const [x0, x1, y0, y1] = cover([m], 1 + 1.1 * focal * r / (m[2] - r)), mm = dot(m, m) - r * r;
    for (let y = y0; y <= y1; y++) for (let x = x0, at = y * width + x0; x <= x1; x++, at++) {
      const dx = (x - cx) / focal, dy = (cy - y) / focal, dd = dx * dx + dy * dy + 1, dm = dx * m[0] + dy * m[1] + m[2], root = dm * dm - dd * mm;
      if (root < 0) continue;
      const z = (dm - Math.sqrt(root)) / dd;
      if (z < depth[at]) put(at, z, c, lit((z * dx - m[0]) / r, (z * dy - m[1]) / r, (z - m[2]) / r));
    }
  };
  const tube = (m, s, l, r, c) => { /* along the unit vector s, l to either side */
    const ends = [plus(m, l, s), plus(m, -l, s)];
    if (Math.min(ends[0][2], ends[1][2]) < near + r) return;
    const [x0, x1, y0, y1] = cover(ends, 1 + 1.1 * focal * r / (Math.min(ends[0][2], ends[1][2]) - r)), ms = dot(m, s), mm = dot(m, m) - ms * ms - r * r;
    for (let y = y0; y <= y1; y++) for (let x = x0, at = y * width + x0; x <= x1; x++, at++) {
      const dx = (x - cx) / focal, dy = (cy - y) / focal, ds = dx * s[0] + dy * s[1] + s[2];
      const dd = dx * dx + dy * dy + 1 - ds * ds, dm = dx * m[0] + dy * m[1] + m[2] - ds * ms, root = dm * dm - dd * mm;
      if (root < 0 || dd < 1e-12) continue;
      const z = (dm - Math.sqrt(root)) / dd, h = z * ds - ms;
      if (z < depth[at] && Math.abs(h) <= l) put(at, z, c, lit((z * dx - m[0] - h * s[0]) / r, (z * dy - m[1] - h * s[1]) / r, (z - m[2] - h * s[2]) / r));
    }
    ends.forEach(e => ball(e, r, c));
  };
  const dab = (m, size, c) => {
    if (m[2] < near) return;
    const half = Math.max(0.5, 0.5 * focal * size / m[2]), [x0, x1, y0, y1] = cover([m], half - 0.5);
    for (let y = y0; y < y1; y++) for (let x = x0, at = y * width + x0; x < x1; x++, at++) if (m[2] < depth[at]) put(at, m[2], c, 1);
  };
  return { image, things, depth, is, face, ball, tube, dab };
}
/* The shadows that the bodies of a frame throw on the ground along the sun's rays, as a picture of
 * the ground from above: dark(x, y) is 1 in a shadow. A point p meets the ground at
 * p - (p_z - floor) / SUN_z SUN. */
const SUN = [0.58, 0.15, 0.8], SHADOWS = 512;
const shadowCanvas = document.createElement('canvas');
function shadows(run, frame) {
  const size = Math.max(run.hi[0] - run.lo[0], run.hi[1] - run.lo[1]) + 2 * (run.hi[2] - run.floor), x0 = (run.lo[0] + run.hi[0] - size) / 2, y0 = (run.lo[1] + run.hi[1] - size) / 2, s = SHADOWS / size;
  shadowCanvas.width = shadowCanvas.height = SHADOWS;
  const g = shadowCanvas.getContext('2d', { willReadFrequently: true });
  const fall = p => { const t = Math.max(0, p[2] - run.floor) / SUN[2]; return [s * (p[0] - t * SUN[0] - x0), s * (p[1] - t * SUN[1] - y0)]; };
  const turn = Math.atan2(SUN[1], SUN[0]), stretch = 1 / SUN[2];
  const round = (p, r) => { g.beginPath(); g.ellipse(...fall(p), s * r * stretch, s * r, turn, 0, 2 * Math.PI); g.fill(); };
  run.shapes.forEach((shape, k) => {
    const p = run.pose.subarray((frame * run.shapes.length + k) * 7, (frame * run.shapes.length + k) * 7 + 7), m = [p[0], p[1], p[2]], q = [p[3], p[4], p[5], p[6]];
    if (shape.wire || (shape.fixed && p[2] + shape.size[2] <= run.floor + 1e-6)) return;
    if (shape.kind === 'sphere') return round(m, shape.size[0]);
    if (shape.kind === 'capsule') {
      const axis = rotate(q, [0, 0, 1]), ends = [1, -1].map(t => plus(m, t * shape.size[1], axis)), flat = ends.map(fall);
      ends.forEach(e => round(e, shape.size[0]));
      g.beginPath(); g.moveTo(...flat[0]); g.lineTo(...flat[1]); g.lineWidth = 2 * s * shape.size[0]; g.stroke();
      return;
    }
    const corners = CORNERS.map(c => fall(plus(m, 1, rotate(q, c.map((v, j) => v * shape.size[j])))));
    for (const side of [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]]) {
      g.beginPath(); side.forEach(j => g.lineTo(...corners[j])); g.closePath(); g.fill();
    }
  });
  const grain = 0.008 * Math.hypot(...[0, 1, 2].map(k => run.hi[k] - run.lo[k])) * s;
  for (let k = run.first[frame]; k < run.first[frame + 1]; k++) {
    const [x, y] = fall([0, 1, 2].map(j => run.lo[j] + (run.hi[j] - run.lo[j]) * run.particle[3 * k + j] / 65535));
    g.fillRect(x - grain / 2, y - grain / 2, grain, grain);
  }
  const mask = g.getImageData(0, 0, SHADOWS, SHADOWS).data;
  return (x, y) => { const i = Math.floor(s * (x - x0)), j = Math.floor(s * (y - y0)); return i >= 0 && i < SHADOWS && j >= 0 && j < SHADOWS ? mask[4 * (j * SHADOWS + i) + 3] / 255 : 0; };
}
/* Light on the ground around (cx, cy): a grid of round distances, and shadows. */
function groundShade(run, frame, cx, cy) {
  const dark = shadows(run, frame), step = roundStep(Math.max(run.hi[0] - run.lo[0], run.hi[1] - run.lo[1])), off = v => Math.abs(v - step * Math.round(v / step));
  return (u, w, pixel) => {
    const x = cx + u, y = cy + w, line = Math.max(0.008 * step, 0.6 * pixel), near = Math.min(off(x), off(y));
    return (near < line ? 1 - 0.22 * Math.max(0, 1 - 4 * pixel / step) : 1) * (1 - 0.45 * dark(x, y));
  };
}
function draw3(run, frame, g, width, height) {
  const view = view3(run, width, height), picture = picture3(width, height, view), wires = [];
  const at = frame * run.shapes.length * 7, pale = mix(STONE, [255, 255, 255], 0.3);
  let grounded = false;
  run.shapes.forEach((shape, k) => {
    picture.is(k);
    const p = run.pose.subarray(at + 7 * k, at + 7 * k + 7), m = view.eye([p[0], p[1], p[2]]), q = [p[3], p[4], p[5], p[6]], size = shape.size;
    const ground = shape.fixed && p[2] + size[2] <= run.floor + 1e-6, colour = ground ? pale : colourOf(run, k, frame);
    const axis = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(e => view.turn(rotate(q, e)));
    if (shape.wire) wires.push(CORNERS.map(c => c.reduce((v, s, j) => plus(v, s * size[j], axis[j]), m)));
    else if (shape.kind === 'sphere') picture.ball(m, size[0], colour);
    else if (shape.kind === 'capsule') picture.tube(m, axis[2], size[1], size[0], colour);
    else for (let j = 0; j < 3; j++) for (const s of [1, -1]) {
      const u = (j + 1) % 3, w = (j + 2) % 3;
      const top = ground && j === 2 && s === 1;
      grounded = grounded || top;
      picture.face(plus(m, s * size[j], axis[j]), axis[u], size[u], axis[w], size[w], axis[j].map(v => s * v), colour, top && groundShade(run, frame, p[0], p[1]));
    }
  });
  picture.is(-1);
  if (!grounded) { /* a tank has no ground of its own */
    const m = run.tank ? [run.tank.at[0], run.tank.at[1], run.floor] : [(run.lo[0] + run.hi[0]) / 2, (run.lo[1] + run.hi[1]) / 2, run.floor];
    const half = run.tank ? run.tank.half : [0, 1].map(d => (run.hi[d] - run.lo[d]) / 2);
    picture.face(view.eye(m), view.turn([1, 0, 0]), half[0], view.turn([0, 1, 0]), half[1], view.turn([0, 0, 1]), pale, groundShade(run, frame, m[0], m[1]));
  }
  const drop = drops(run, frame);
  for (let k = run.first[frame]; k < run.first[frame + 1]; k++) {
    const m = view.eye([0, 1, 2].map(j => run.lo[j] + (run.hi[j] - run.lo[j]) * run.particle[3 * k + j] / 65535));
    picture.is(run.shapes.length + k - run.first[frame]);
    picture.dab(m, 0.008 * view.extent, drop(k));
  }
  g.canvas.things = picture.things;
  g.canvas.depth = picture.depth;
  g.canvas.view = view;
  g.putImageData(picture.image, 0, 0);
  g.strokeStyle = 'rgba(128,134,144,.75)'; g.lineWidth = 1.2; g.beginPath();
  const screen = e => [view.cx + view.focal * e[0] / e[2], view.cy - view.focal * e[1] / e[2]];
  for (const corners of wires) for (let k = 0; k < 8; k++) for (const bit of [1, 2, 4])
    if (!(k & bit) && corners[k][2] > view.near && corners[k | bit][2] > view.near) { g.moveTo(...screen(corners[k])); g.lineTo(...screen(corners[k | bit])); }
  g.stroke();
  if (run.path) trail(g, width, run.path.map(p => screen(view.eye(p))), frame);
  drawArrows(g, run, width, p => screen(view.eye(p)));
}

/* ---- Canvases ---- */

function prepare(canvas, ratio, share = 1) { /* share: of the pixels that the screen has in a row */
  const width = Math.max(50, Math.round(canvas.clientWidth * devicePixelRatio * share)), height = Math.round(width * ratio);
  if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
  const g = canvas.getContext('2d');
  g.clearRect(0, 0, width, height);
  return [g, width, height];
}
const ratioOf = run => run.dimension === 3 ? 0.7 : Math.min(1.1, Math.max(0.4, (run.hi[1] - run.lo[1]) / (run.hi[0] - run.lo[0])));

/* ---- Axes ---- */

/* Round values between lo and hi, at least three if possible, with enough digits to differ. */
function ticksOf(lo, hi, { log, whole }) {
  const inside = v => v >= lo - 1e-9 * Math.abs(lo) && v <= hi + 1e-9 * Math.abs(hi);
  const written = (v, figures) => v === 0 ? '0' : Math.abs(v) >= 1e6 || Math.abs(v) < 1e-3 || figures > 8
    ? v.toExponential(Math.max(0, Math.min(9, figures + Math.floor(Math.log10(Math.abs(v)) + 1e-9)))).replace(/\.?0*e\+?/, 'e') : v.toFixed(Math.max(0, figures));
  const figuresOf = step => -Math.floor(Math.log10(step) + 1e-9);
  if (log) { /* powers of ten; with 2 and 5 between them if they are few */
    const a = Math.floor(Math.log10(lo)), b = Math.ceil(Math.log10(hi)), powers = [];
    for (let k = a; k <= b; k++) powers.push(k);
    const tens = powers.map(k => 10 ** k).filter(inside), all = powers.flatMap(k => [1, 2, 5].map(m => m * 10 ** k)).filter(inside), by = Math.ceil(tens.length / 5);
    if (tens.length > (all.length > 6 ? 1 : 2)) return tens.filter((v, k) => k % by === 0).map(v => [v, written(v, figuresOf(v))]);
    if (all.length > 1) return all.map(v => [v, written(v, figuresOf(v))]);
  }
  const power = Math.ceil(Math.log10(hi - lo || 1));
  for (let k = power; k > power - 3; k--) for (const m of [5, 2, 1]) {
    const step = m * 10 ** k, all = [];
    if (whole && step < 1) break;
    for (let n = Math.ceil(lo / step - 1e-9); n <= hi / step + 1e-9; n++) all.push(n * step);
    if (all.length >= 3 || (whole && step === 1)) return all.map(v => [v, written(v, figuresOf(step))]);
  }
  return [lo, hi].map(v => [v, short(v)]);
}
