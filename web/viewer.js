/* web/viewer.js: the one viewer: bodies and liquids in the plane and in space
 *
 * The pages of `perp simulate` (app/player.html) and the playground draw with it. This file has
 * the runs, the camera, and the search for the shape under a pointer; gl.js draws by WebGL2,
 * flat.js on a plain canvas if there is none. A run is
 *
 *   dimension, lo, hi    2: y is up, 3: z is up; the part of space to look at
 *   shapes               [{kind, fixed, wire, size, corner}], the same in all frames
 *   pose                 of each frame and shape x, y, angle, or x, y, z and the quaternion w, x,
 * y, z load, state          of each frame and shape the impulses on it, and contacts that push
 *   particle             of each particle 2 or 3 shares of [lo, hi], in 65535 steps
 *   first                where the particles of each frame begin, one more than there are frames
 *   shade, touch         of each particle a byte each
 *   pressure, pressures  of each particle a byte between the two numbers of its frame
 *   floor, grain         set by prepareRun; home: by frameRuns
 *   still                the camera holds the box [lo, hi], not the bodies that move
 *   sharp                drawn at full resolution also without a graphics card */
'use strict';

/* The meaning of colours: 'load', 'state' or 'plain'; and the ends of their scales. */
const look = {
  how: 'load',
  heaviest: 1,
  highest: 1,
  longest: 1,
  arrows: false,
  arrow: 1,
  fine: typeof location !== 'undefined' && location.hash === '#fine' /* as tools/draw-hero asks */
};

const mix = (a, b, t) => a.map((v, k) => Math.round(v + (b[k] - v) * t));
const rgb = c => `rgb(${c[0]},${c[1]},${c[2]})`;
const COLD = [92, 128, 170], WARM = [222, 88, 44], HOT = [255, 214, 64], STONE = [128, 134, 144];
const PULLED = [140, 60, 180],
      TOUCH = [mix([44, 112, 190], [128, 134, 144], 0.5), [222, 88, 44], [60, 170, 90], PULLED];
const heat = t => t < 0.5 ? mix(COLD, WARM, 2 * t) : mix(WARM, HOT, 2 * t - 1);
const HEAT = Array.from({length: 256}, (_, k) => heat(k / 255));
const isDark = () => parseInt(css('--paper').slice(1, 3), 16) < 128;
/* Of a liquid, slow to fast: away from the colour of the page. */
const [ON_LIGHT, ON_DARK] = [
  [[150, 200, 242], [16, 58, 132]], [[42, 104, 186], [196, 228, 255]]
].map(ends => Array.from({length: 256}, (_, k) => mix(...ends, k / 255)));
const speeds = () => isDark() ? ON_DARK : ON_LIGHT;
const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const short = (v, digits = 0) => v === 0     ? '0' :
    Math.abs(v) >= 1e6 || Math.abs(v) < 1e-2 ? v.toExponential(digits || 1).replace('e+', 'e') :
                                               String(+v.toPrecision(3 + digits));

function colourOf(run, shape, frame) {
  if (run.shapes[shape].fixed) return STONE;
  const at = frame * run.shapes.length + shape;
  if (look.how === 'load' && run.load.length)
    return HEAT[Math.round(255 * Math.min(1, Math.sqrt(run.load[at] / look.heaviest)))] ??
        HOT; /* overflow */
  if (look.how === 'state' && run.state.length)
    return run.state[at] ? heat(Math.min(1, run.state[at] / 8)) : COLD;
  return COLD;
}
/* Of the particles of a frame: a byte each, and the colours that bytes stand for: by speed, by
 * pressure, or by the force of the wall next to them. */
function dropColours(run, frame) {
  const lo = run.pressures[2 * frame], hi = run.pressures[2 * frame + 1],
        part = list => list.subarray(run.first[frame], run.first[frame + 1]);
  if (look.how === 'state' && run.touch.length) return {byte: part(run.touch), colours: TOUCH};
  if (look.how === 'load' && run.pressure.length)
    return {
      byte: part(run.pressure),
      colours: HEAT.map((_, k) => {
        const p = lo + (hi - lo) * k / 255;
        return p < (lo - hi) / 255 ?
            PULLED :
            HEAT[Math.round(255 * Math.min(1, Math.sqrt(Math.max(0, p) / look.highest)))];
      })
    };
  return run.shade.length ?
      {byte: part(run.shade), colours: speeds()} :
      {byte: new Uint8Array(run.first[frame + 1] - run.first[frame]), colours: speeds()};
}
const dropAt = (run, k) => Array.from(
    {length: run.dimension},
    (_, d) => run.lo[d] + (run.hi[d] - run.lo[d]) * run.particle[run.dimension * k + d] / 65535);

/* ---- Contents of the picture ---- */

const reachOf = shape => shape.kind === 'mesh' ?
    (shape.reach ??= Math.sqrt(3) * shape.corner.reduce((a, v) => Math.max(a, Math.abs(v)), 0)) :
    shape.kind === 'polygon' || shape.corner ?
    Math.max(...shape.corner.map(Math.abs)) * Math.SQRT2 :
    shape.kind === 'box'     ? Math.hypot(...shape.size) :
    shape.kind === 'capsule' ? shape.size[0] + shape.size[1] :
                               shape.size[0];

/* The floor and the size of drops, once for each run: a drop is about as large as the first
 * distance between particles. */
function prepareRun(run) {
  const D = run.dimension,
        tank = D === 3 && run.particle.length ? run.shapes.findIndex(s => s.wire && s.size[0]) : -1;
  run.floor = tank >= 0 ? run.pose[7 * tank + 2] - run.shapes[tank].size[2] : run.lo[2];
  const ends = Array.from({length: D}, (_, d) => {
    let lo = 65535, hi = 0;
    for (let k = 0; k < run.first[1]; k++) {
      const v = run.particle[D * k + d];
      lo = Math.min(lo, v);
      hi = Math.max(hi, v);
    }
    return (hi - lo) / 65535 * (run.hi[d] - run.lo[d]);
  });
  run.grain = Math.min(
      (run.hi[0] - run.lo[0]) / (D === 3 ? 40 : 100),
      0.75 * (ends.reduce((a, v) => a * v, 1) / Math.max(1, run.first[1])) ** (1 / D));
}

/* In the plane the view holds every body that moves, in every frame of every run; one that flew
 * away further than three times the size of the scene is left out. In space that box is what the
 * camera looks at, and frame3 finds the part of the picture with the bodies. Liquid stays in its
 * box, in whose units it is given. */
const MOST_AWAY = 3;
function isHere(run, p) {
  return p.every(
      (v, d) => Math.abs(v - (run.home[d][0] + run.home[d][1]) / 2) <=
          MOST_AWAY * (run.home[d][1] - run.home[d][0]));
}
/* Calls f(position, radius) for the bodies that move and are not too far away. */
function eachBody(run, frame, f) {
  const D = run.dimension, each = D === 3 ? 7 : 3, from = frame * run.shapes.length;
  run.shapes.forEach((shape, k) => {
    if (shape.fixed || shape.wire) return;
    const at = (from + k) * each, p = [...run.pose.subarray(at, at + D)];
    if (isHere(run, p)) f(p, reachOf(shape));
  });
}
const framesOf = run => run.pose.length / ((run.dimension === 3 ? 7 : 3) * run.shapes.length);
function frameRuns(runs) {
  const dry = runs.filter(r => !r.particle.length),
        ends = [0, 1, 2].map(() => [Infinity, -Infinity]);
  const size =
      [0, 1, 2].map(d => [Math.min(...dry.map(r => r.lo[d])), Math.max(...dry.map(r => r.hi[d]))]);
  for (const run of runs)
    run.home = run.particle.length ? run.lo.map((v, d) => [v, run.hi[d]]) : size;
  for (const run of dry)
    for (let f = 0; f < framesOf(run); f++)
      eachBody(run, f, (p, r) => p.forEach((v, d) => {
        ends[d] = [Math.min(ends[d][0], v - r), Math.max(ends[d][1], v + r)];
      }));
  for (const run of dry) {
    const flat = run.dimension === 2;
    for (let d = 0; d < run.dimension && ends[0][0] <= ends[0][1]; d++) {
      /* the plane: not more of an empty scene than the bodies could fall or fly to */
      const room = 0.8 * Math.max(...[0, 1].map(e => ends[e][1] - ends[e][0]));
      run.lo[d] = flat ? Math.min(ends[d][0], Math.max(size[d][0], ends[d][0] - room)) : ends[d][0];
      run.hi[d] = flat ? Math.max(ends[d][1], Math.min(size[d][1], ends[d][1] + room)) : ends[d][1];
    }
    if (!flat) run.lo[2] = Math.min(run.lo[2], run.floor);
  }
}

/* ---- The camera ---- */

/* turn, tilt: from where it looks in space; zoom, and how far the picture is moved, in its widths.
 */
const camera = {
  turn: -0.9,
  tilt: 0.35,
  zoom: 1,
  pan: [0, 0]
};
function resetCamera() {
  camera.zoom = 1;
  camera.pan = [0, 0];
}
/* Zooms about the pixel (px, py) of a picture of that size. */
function zoomAt(px, py, width, height, factor) {
  const f = Math.min(20, Math.max(0.4, camera.zoom * factor)) / camera.zoom;
  camera.zoom *= f;
  camera.pan = [[px, width], [py, height]].map(
      ([p, whole], d) => (p - whole / 2 - f * (p - whole / 2 - camera.pan[d] * width)) / width);
}
/* Applies zoom and pan to a scale and a position of the origin. */
const zoomed = (s, cx, cy, width, height) =>
    [s * camera.zoom, width / 2 + (cx - width / 2) * camera.zoom + camera.pan[0] * width,
     height / 2 + (cy - height / 2) * camera.zoom + camera.pan[1] * width];

/* screen: the pixel of a point; at: the point of the plane at a pixel. */
function view2(run, width, height) {
  const [x0, y0] = run.lo, [x1, y1] = run.hi,
             scale = Math.min(width / (x1 - x0), height / (y1 - y0)) * 0.98;
  const [s, cx, cy] = zoomed(
      scale, width / 2 - scale * (x0 + x1) / 2, height / 2 + scale * (y0 + y1) / 2, width, height);
  const X = x => cx + s * x, Y = y => cy - s * y;
  return {
    s,
    X,
    Y,
    width,
    height,
    screen: p => [X(p[0]), Y(p[1])],
    at: (px, py) => [(px - cx) / s, (cy - py) / s]
  };
}

function rotate(q, v) {
  const [w, x, y, z] = q, t = [
    2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])
  ];
  return [
    v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2],
    v[2] + w * t[2] + x * t[1] - y * t[0]
  ];
}
const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7].map(k => [k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1]);
const cross =
    (a, b) => [0, 1, 2].map(k => a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2],
      plus = (a, s, b) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const SUN = [0.58, 0.15, 0.8];
const extentOf = run => Math.hypot(...run.lo.map((v, d) => run.hi[d] - v));

/* The picture, in tangents of angles [left, right, low, high], of the bodies of a frame, or of the
 * box [lo, hi]. */
function box3(run, frame, turn, middle, distance) {
  const box = [Infinity, -Infinity, Infinity, -Infinity];
  const hold = (v, r) => {
    const e = turn(plus(v, -1, middle)), depth = Math.max(0.05 * distance, e[2] + distance);
    box[0] = Math.min(box[0], (e[0] - r) / depth);
    box[1] = Math.max(box[1], (e[0] + r) / depth);
    box[2] = Math.min(box[2], (e[1] - r) / depth);
    box[3] = Math.max(box[3], (e[1] + r) / depth);
  };
  /* around a single body also a part of the ground on which it moves */
  const room = run.shapes.filter(shape => !shape.fixed && !shape.wire).length === 1 ? 1.7 : 1;
  if (!run.still && !run.particle.length) eachBody(run, frame, (p, r) => hold(p, room * r));
  if (box[0] > box[1])
    CORNERS.forEach(c => hold(c.map((v, d) => middle[d] + v * (run.hi[d] - run.lo[d]) / 2), 0));
  return box;
}
const joined = (a, b) => a.map((v, k) => k % 2 ? Math.max(v, b[k]) : Math.min(v, b[k]));
/* The part of the picture to show in a frame. With all frames at hand: B_g is the box that holds
 * the bodies from frame g - w to g + w, and the mean of B_g for g from frame - w to frame + w
 * contains the bodies of this frame and moves smoothly. Live: the box grows with the bodies at
 * once, and shrinks slowly. */
function frame3(run, frame, turn, middle, distance) {
  const key = `${camera.turn} ${camera.tilt} ${run.lo} ${run.hi} ${run.shapes.length}`,
        count = framesOf(run);
  if (run.framed?.key !== key) run.framed = {key, box: null, boxes: [], wide: []};
  const kept = run.framed, one = f => kept.boxes[f] ??= box3(run, f, turn, middle, distance);
  if (count === 1) {
    const now = box3(run, 0, turn, middle, distance);
    kept.box = kept.box ?
        kept.box.map((v, k) => v + (now[k] > v === (k % 2 === 1) ? 1 : 0.02) * (now[k] - v)) :
        now;
    return kept.box;
  }
  const w = Math.min(30, Math.ceil(count / 4)), clamp = f => Math.min(count - 1, Math.max(0, f)),
        sum = [0, 0, 0, 0];
  const wide = g => kept.wide[g + w] ??=
      Array.from({length: 2 * w + 1}, (_, k) => one(clamp(g - w + k))).reduce(joined);
  for (let g = frame - w; g <= frame + w; g++)
    wide(g).forEach((v, k) => {
      sum[k] += v / (2 * w + 1);
    });
  return sum;
}
/* The eye: x to the right, y up, z away from it. A pixel looks along ((px - cx) / focal, (cy - py)
 * / focal, 1) from there. */
function view3(run, frame, width, height) {
  const middle = [0, 1, 2].map(k => (run.lo[k] + run.hi[k]) / 2), extent = extentOf(run),
        distance = 1.6 * extent;
  const ct = Math.cos(camera.turn), st = Math.sin(camera.turn), cp = Math.cos(camera.tilt),
        sp = Math.sin(camera.tilt);
  const turn = v => {
    const f = v[0] * ct + v[1] * st;
    return [v[1] * ct - v[0] * st, v[2] * cp - f * sp, -(f * cp + v[2] * sp)];
  };
  const back = e => {
    const f = -e[1] * sp - e[2] * cp;
    return [f * ct - e[0] * st, f * st + e[0] * ct, e[1] * cp - e[2] * sp];
  };
  const eye = v => {
    const e = turn(plus(v, -1, middle));
    e[2] += distance;
    return e;
  };
  const world = e => plus(back([e[0], e[1], e[2] - distance]), 1, middle);
  const [x0, x1, y0, y1] = frame3(run, frame, turn, middle, distance),
                     whole = 0.92 * Math.min(width / (x1 - x0), height / (y1 - y0));
  const [focal, cx, cy] = zoomed(
      whole, width / 2 - whole * (x0 + x1) / 2, height / 2 + whole * (y0 + y1) / 2, width, height);
  return {
    eye,
    turn,
    world,
    focal,
    cx,
    cy,
    width,
    height,
    middle,
    extent,
    distance,
    near: 0.02 * extent,
    screen: p => {
      const e = eye(p);
      return [cx + focal * e[0] / e[2], cy - focal * e[1] / e[2]];
    },
    ray: (px, py) => {
      const d = [(px - cx) / focal, (cy - py) / focal, 1], from = world([0, 0, 0]);
      return {from, along: plus(world(d), -1, from)};
    }
  };
}
const viewOf = (run, frame, width, height) =>
    run.dimension === 3 ? view3(run, frame, width, height) : view2(run, width, height);

/* ---- Picking ---- */

/* Returns the shape or particle at a point of the plane: the number of a shape, or the number of
 * shapes plus the number of a particle; -1: none. */
function thing2(run, frame, view, px, py) {
  const [X, Y] = view.at(px, py), at = frame * run.shapes.length * 3;
  let best = -1, least = Math.max(run.grain, 3 / view.s);
  for (let k = run.first[frame]; k < run.first[frame + 1]; k++) {
    const p = dropAt(run, k), d = Math.hypot(p[0] - X, p[1] - Y);
    if (d < least) {
      least = d;
      best = run.shapes.length + k - run.first[frame];
    }
  }
  for (let k = run.shapes.length - 1; k >= 0 && best < 0; k--) {
    const shape = run.shapes[k], a = run.pose[at + 3 * k + 2], dx = X - run.pose[at + 3 * k],
          dy = Y - run.pose[at + 3 * k + 1];
    if (shape.kind === 'disc') {
      if (Math.hypot(dx, dy) <= shape.size[0]) best = k;
      continue;
    }
    const u = dx * Math.cos(a) + dy * Math.sin(a), v = dy * Math.cos(a) - dx * Math.sin(a),
          c = shape.corner;
    let inside = false;
    for (let i = 0, j = c.length - 2; i < c.length; j = i, i += 2)
      if (c[i + 1] > v !== c[j + 1] > v &&
          u < (c[j] - c[i]) * (v - c[i + 1]) / (c[j + 1] - c[i + 1]) + c[i])
        inside = !inside;
    if (inside) best = k;
  }
  return best;
}
/* Where the ray o + t d enters a shape whose own axes o and d are given in; Infinity: it does not.
 */
function enters(shape, o, d) {
  const [a, b, c] = shape.size;
  if (shape.kind === 'box') { /* between three pairs of planes */
    let t0 = -Infinity, t1 = Infinity;
    for (let k = 0; k < 3; k++) {
      const u = (-shape.size[k] - o[k]) / d[k], v = (shape.size[k] - o[k]) / d[k];
      t0 = Math.max(t0, Math.min(u, v));
      t1 = Math.min(t1, Math.max(u, v));
    }
    return t0 <= t1 ? t0 : Infinity;
  }
  if (shape.kind === 'mesh') { /* Moeller and Trumbore: o + t d = p + u e + v f */
    let least = Infinity;
    for (let k = 0; k < shape.corner.length; k += 9) {
      const [p, q, r] = [0, 3, 6].map(i => shape.corner.slice(k + i, k + i + 3)),
                   e = plus(q, -1, p), f = plus(r, -1, p), n = cross(d, f), det = dot(e, n),
                   s = plus(o, -1, p), u = dot(s, n) / det, m = cross(s, e), v = dot(d, m) / det;
      if (det !== 0 && u >= 0 && v >= 0 && u + v <= 1) least = Math.min(least, dot(f, m) / det);
    }
    return least;
  }
  /* |o + t d - m| = a for the balls at both ends, and the same across the axis between them */
  const half = shape.kind === 'capsule' ? b : 0;
  const hit = (p, e) => {
    const A = dot(e, e), B = dot(p, e), C = dot(p, p) - a * a, root = B * B - A * C;
    return root < 0 || A === 0 ? Infinity : (-B - Math.sqrt(root)) / A;
  };
  const side = half ? hit([o[0], o[1], 0], [d[0], d[1], 0]) : Infinity;
  return Math.min(
      hit([o[0], o[1], o[2] - half], d), hit([o[0], o[1], o[2] + half], d),
      Math.abs(o[2] + side * d[2]) <= half ? side : Infinity);
}
/* In space: {thing, depth} of what is nearest, the ground too (thing -1); depth Infinity: the sky.
 */
function thing3(run, frame, view, px, py) {
  const {from, along} = view.ray(px, py), n = run.shapes.length,
               found = {thing: -1, depth: Infinity};
  const meet = (thing, t) => {
    if (t > view.near && t < found.depth) {
      found.thing = thing;
      found.depth = t;
    }
  };
  run.shapes.forEach((shape, k) => {
    if (shape.wire || isGround(run, frame, k)) return;
    const at = 7 * (frame * n + k), p = run.pose.subarray(at, at + 7),
          back = [p[3], -p[4], -p[5], -p[6]];
    meet(k, enters(shape, rotate(back, plus(from, -1, p)), rotate(back, along)));
  });
  for (let k = run.first[frame]; k < run.first[frame + 1]; k++) {
    const p = plus(dropAt(run, k), -1, from), t = dot(p, along) / dot(along, along);
    if (t < found.depth && Math.hypot(...plus(p, -t, along)) < run.grain)
      meet(n + k - run.first[frame], t);
  }
  meet(-1, (run.floor - from[2]) / along[2]);
  return found;
}
/* Fixed boxes below the floor: the ground is drawn for them. */
const isGround = (run, frame, k) => {
  const s = run.shapes[k];
  return s.fixed && s.kind === 'box' &&
      run.pose[7 * (frame * run.shapes.length + k) + 2] + s.size[2] <= run.floor + 1e-6;
};
const thingAt = (run, frame, view, px, py) => run.dimension === 3 ?
    thing3(run, frame, view, px, py) :
    {thing: thing2(run, frame, view, px, py), depth: 1};

/* ---- Hands on a picture ---- */

/* Pointers, wheel and keys on a canvas. hands.down(e) is true if it takes hold of something; if
 * not, one pointer turns a scene in space. Two fingers zoom and move the picture, as the wheel does
 * with Ctrl or on a chosen picture; a double click shows all of it again. space(): is it one;
 * redraw(): the camera has moved. */
function steer(
    canvas,
    {space, redraw, down = () => false, move = () => {}, up = () => {}, key = () => false}) {
  const fingers = new Map(), on = (x, y) => {
    const b = canvas.getBoundingClientRect();
    return [(x - b.left) / b.width * canvas.width, (y - b.top) / b.height * canvas.height];
  };
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return {
      x: (a[0] + b[0]) / 2,
      y: (a[1] + b[1]) / 2,
      far: Math.max(10, Math.hypot(a[0] - b[0], a[1] - b[1]))
    };
  };
  let held = false, turning = null, pinch = null;
  const zoom = (x, y, factor) => {
    zoomAt(...on(x, y), canvas.width, canvas.height, factor);
    redraw();
  };
  canvas.onpointerdown = e => {
    fingers.set(e.pointerId, [e.clientX, e.clientY]);
    if (e.isTrusted) canvas.setPointerCapture(e.pointerId);
    canvas.focus({preventScroll: true});
    if (fingers.size > 1) {
      if (held) up(e);
      held = false;
      turning = null;
      pinch = fingers.size === 2 ? spread() : null;
      return;
    }
    held = down(e);
    if (!held && space()) turning = [e.clientX, e.clientY, camera.turn, camera.tilt];
  };
  canvas.onpointermove = e => {
    if (fingers.has(e.pointerId)) fingers.set(e.pointerId, [e.clientX, e.clientY]);
    if (pinch && fingers.size === 2) {
      const now = spread(), wide = canvas.getBoundingClientRect().width;
      camera.pan =
          [camera.pan[0] + (now.x - pinch.x) / wide, camera.pan[1] + (now.y - pinch.y) / wide];
      zoom(now.x, now.y, now.far / pinch.far);
      pinch = now;
    } else if (turning) {
      camera.turn = turning[2] - (e.clientX - turning[0]) / 200;
      camera.tilt = Math.min(1.5, Math.max(0.02, turning[3] + (e.clientY - turning[1]) / 200));
      redraw();
    } else
      move(e);
  };
  /* Of a picture that is hidden meanwhile a pointer is lost, not lifted. */
  canvas.onpointerup = canvas.onpointercancel = canvas.onlostpointercapture = e => {
    if (!fingers.delete(e.pointerId)) return;
    pinch = turning = null;
    if (held) up(e);
    held = false;
  };
  /* A finger that holds something or turns the scene does not scroll the page. */
  canvas.addEventListener('touchstart', e => {
    if (held || e.touches.length > 1 || space()) e.preventDefault();
  }, {passive: false});
  canvas.addEventListener('wheel', e => {
    if (!e.ctrlKey && document.activeElement !== canvas) return;
    e.preventDefault();
    zoom(e.clientX, e.clientY, Math.exp(-e.deltaY / (e.ctrlKey ? 100 : 500)));
  }, {passive: false});
  canvas.ondblclick = () => {
    resetCamera();
    redraw();
  };
  canvas.onkeydown = e => {
    const TURNS =
              {ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1]},
          by = e.shiftKey && space() && TURNS[e.key];
    if (by) {
      camera.turn += by[0];
      camera.tilt = Math.min(1.5, Math.max(0.02, camera.tilt + by[1]));
    } else if (e.key === '+' || e.key === '-')
      zoomAt(
          canvas.width / 2, canvas.height / 2, canvas.width, canvas.height,
          e.key === '+' ? 1.25 : 0.8);
    else if (e.key === '0')
      resetCamera();
    else {
      if (key(e)) e.preventDefault();
      return;
    }
    e.preventDefault();
    e.stopPropagation();
    redraw();
  };
}

/* ---- Drawing ---- */

/* A round distance: 1, 2 or 5 times a power of ten, about a tenth of `wide`. */
function roundStep(wide) {
  const tenth = wide / 10, power = 10 ** Math.floor(Math.log10(tenth));
  return power * (tenth / power >= 5 ? 5 : tenth / power >= 2 ? 2 : 1);
}
function drawGrid(run, g, view) {
  const {width, height} = view, step = roundStep(run.hi[0] - run.lo[0]), [x0, y1] = view.at(0, 0),
                [x1, y0] = view.at(width, height);
  g.strokeStyle = 'rgba(128,134,144,.13)';
  g.lineWidth = 1;
  g.beginPath();
  for (let k = Math.ceil(x0 / step); k <= x1 / step; k++) {
    g.moveTo(view.X(k * step), 0);
    g.lineTo(view.X(k * step), height);
  }
  for (let k = Math.ceil(y0 / step); k <= y1 / step; k++) {
    g.moveTo(0, view.Y(k * step));
    g.lineTo(width, view.Y(k * step));
  }
  g.stroke();
}
/* The path of the one body that moves: the part behind it, and the part to come. */
function drawPath(g, run, frame, view) {
  const points = run.path.map(view.screen);
  g.lineWidth = Math.max(1, view.width / 500);
  for (const [style, from, to] of [
           ['rgba(222,88,44,.3)', frame, points.length], ['rgb(222,88,44)', 0, frame + 1]]) {
    g.strokeStyle = style;
    g.beginPath();
    points.slice(from, to).forEach(p => g.lineTo(...p));
    g.stroke();
  }
}
/* Impulses of contacts as arrows, from the points where they act: `arrow` has where and what. */
function drawArrows(g, run, {width, screen}) {
  const D = run.dimension, a = run.arrow;
  g.strokeStyle = css('--ink') || '#222';
  g.lineWidth = Math.max(1, width / 700);
  g.beginPath();
  for (let k = 0; k + 2 * D <= a.length; k += 2 * D) {
    const p = [...a.subarray(k, k + D)], f = [...a.subarray(k + D, k + 2 * D)], s = look.arrow;
    if (!f.some(v => v)) continue;
    const from = screen(p), to = screen(p.map((v, d) => v + s * f[d])), dx = to[0] - from[0],
          dy = to[1] - from[1], l = Math.hypot(dx, dy);
    if (!(l > 2)) continue;
    const h = Math.min(0.35 * l, width / 120), ux = dx / l * h, uy = dy / l * h;
    g.moveTo(...from);
    g.lineTo(...to);
    g.moveTo(to[0] - ux - 0.5 * uy, to[1] - uy + 0.5 * ux);
    g.lineTo(...to);
    g.lineTo(to[0] - ux + 0.5 * uy, to[1] - uy - 0.5 * ux);
  }
  g.stroke();
}
/* The edges of boxes that are only there to be seen through, such as a tank. */
function drawWires(g, run, frame, view) {
  g.strokeStyle = 'rgba(128,134,144,.75)';
  g.lineWidth = Math.max(1, view.width / 700);
  g.beginPath();
  run.shapes.forEach((shape, n) => {
    if (!shape.wire) return;
    const at = 7 * (frame * run.shapes.length + n), p = run.pose.subarray(at, at + 7);
    const corner =
        CORNERS.map(c => plus(p, 1, rotate(p.subarray(3), c.map((v, d) => v * shape.size[d]))));
    for (let k = 0; k < 8; k++)
      for (const bit of [1, 2, 4])
        if (!(k & bit) && [k, k | bit].every(c => view.eye(corner[c])[2] > view.near)) {
          g.moveTo(...view.screen(corner[k]));
          g.lineTo(...view.screen(corner[k | bit]));
        }
  });
  g.stroke();
}
let renderer; /* of gl.js; null: there is no WebGL2 */
function drawRun(run, frame, g, width, height) {
  const view = g.canvas.view = viewOf(run, frame, width, height);
  if (renderer === undefined) try {
      renderer = makeRenderer();
    } catch {
      renderer = null;
    } /* shaders that a driver does not take */
  if (run.dimension === 2) drawGrid(run, g, view);
  (renderer?.draw || drawFlat)(run, frame, g, view);
  if (run.dimension === 3) drawWires(g, run, frame, view);
  if (run.path) drawPath(g, run, frame, view);
  if (look.arrows && run.arrow) drawArrows(g, run, view);
}

/* ---- Canvases ---- */

function prepare(canvas, ratio) {
  const width = Math.max(50, Math.round(canvas.clientWidth * devicePixelRatio)),
        height = Math.round(width * ratio);
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const g = canvas.getContext('2d');
  g.clearRect(0, 0, width, height);
  return [g, width, height];
}
const ratioOf = run => run.dimension === 3 ?
    0.7 :
    Math.min(1.1, Math.max(0.4, (run.hi[1] - run.lo[1]) / (run.hi[0] - run.lo[0])));

/* ---- Axes ---- */

/* Round values between lo and hi, at least three if possible and `most` at most, with enough digits
 * to differ. */
function ticksOf(lo, hi, {log, whole}, most = 6) {
  const all = allTicks(lo, hi, {log, whole}), by = Math.ceil(all.length / Math.max(2, most));
  return all.filter((_, k) => k % by === 0);
}
function allTicks(lo, hi, {log, whole}) {
  const inside = v => v >= lo - 1e-9 * Math.abs(lo) && v <= hi + 1e-9 * Math.abs(hi);
  const written = (v, figures) => v === 0 ?
      '0' :
      Math.abs(v) >= 1e6 || Math.abs(v) < 1e-3 || figures > 8 ?
      v.toExponential(
           Math.max(0, Math.min(9, figures + Math.floor(Math.log10(Math.abs(v)) + 1e-9))))
          .replace(/\.?0*e\+?/, 'e') :
      v.toFixed(Math.max(0, figures));
  const figuresOf = step => -Math.floor(Math.log10(step) + 1e-9);
  if (log) { /* powers of ten; with 2 and 5 between them if they are few */
    const a = Math.floor(Math.log10(lo)), b = Math.ceil(Math.log10(hi)), powers = [];
    for (let k = a; k <= b; k++) powers.push(k);
    const tens = powers.map(k => 10 ** k).filter(inside),
          all = powers.flatMap(k => [1, 2, 5].map(m => m * 10 ** k)).filter(inside),
          by = Math.ceil(tens.length / 5);
    if (tens.length > (all.length > 6 ? 1 : 2))
      return tens.filter((v, k) => k % by === 0).map(v => [v, written(v, figuresOf(v))]);
    if (all.length > 1) return all.map(v => [v, written(v, figuresOf(v))]);
  }
  const power = Math.ceil(Math.log10(hi - lo || 1));
  for (let k = power; k > power - 3; k--)
    for (const m of [5, 2, 1]) {
      const step = m * 10 ** k, all = [];
      if (whole && step < 1) break;
      for (let n = Math.ceil(lo / step - 1e-9); n <= hi / step + 1e-9; n++) all.push(n * step);
      if (all.length >= 3 || (whole && step === 1))
        return all.map(v => [v, written(v, figuresOf(step))]);
    }
  return [lo, hi].map(v => [v, short(v)]);
}
