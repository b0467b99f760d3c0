/* web/flat.js: pictures on a plain canvas, for browsers without WebGL2
 *
 * Distant shapes are painted first, by the depth of their middle: enough to use every scene, but
 * without shadows, and touching bodies may cover each other wrongly. */
'use strict';

function drawFlat(run, frame, g, view) {
  const shapes = run.shapes.map((shape, k) => ({shape, k})).filter(({shape}) => !shape.wire),
        {byte, colours} = dropColours(run, frame), line = Math.max(0.5, view.width / 1000);
  const outlined = (points, colour, k) => {
    g.fillStyle = rgb(colour);
    g.strokeStyle = run.held === k ? css('--accent') : 'rgba(0,0,0,.45)';
    g.lineWidth = run.held === k ? 3 * line : line;
    g.beginPath();
    points.forEach(p => g.lineTo(...p));
    g.closePath();
    g.fill();
    g.stroke();
  };
  const spot = (p, size, colour) => {
    g.fillStyle = rgb(colour);
    g.fillRect(p[0] - size / 2, p[1] - size / 2, size, size);
  };
  if (run.dimension === 2) {
    for (const {shape, k} of shapes) {
      const at = 3 * (frame * run.shapes.length + k), [x, y, a] = run.pose.subarray(at, at + 3),
            c = Math.cos(a), s = Math.sin(a), ring = shape.kind === 'disc' ? [0, 0] : [];
      const corner = shape.corner ??
          ring.concat(Array.from(
              {length: 50},
              (_, i) => shape.size[0] * [Math.cos, Math.sin][i % 2](Math.PI * (i >> 1) / 12)));
      outlined(
          Array.from({length: corner.length / 2}, (_, i) => view.screen([
            x + corner[2 * i] * c - corner[2 * i + 1] * s,
            y + corner[2 * i] * s + corner[2 * i + 1] * c
          ])),
          colourOf(run, k, frame), k);
    }
    byte.forEach(
        (b, k) => spot(
            view.screen(dropAt(run, run.first[frame] + k)), Math.max(1.5, 1.2 * view.s * run.grain),
            colours[b]));
    return;
  }
  const step = roundStep(extentOf(run)),
        [mx, my] = view.middle.map(v => step * Math.round(v / step));
  g.strokeStyle = 'rgba(128,134,144,.3)';
  g.lineWidth = line;
  g.beginPath();
  for (let k = -10; k <= 10; k++)
    for (const [a, b] of [
             [[mx + k * step, my - 10 * step], [mx + k * step, my + 10 * step]],
             [[mx - 10 * step, my + k * step], [mx + 10 * step, my + k * step]]]) {
      g.moveTo(...view.screen([...a, run.floor]));
      g.lineTo(...view.screen([...b, run.floor]));
    }
  g.stroke();
  const paint = [], sun = view.turn(SUN);
  for (const {shape, k} of shapes.filter(({k}) => !isGround(run, frame, k))) {
    const at = 7 * (frame * run.shapes.length + k), p = run.pose.subarray(at, at + 7),
          q = p.subarray(3), m = view.eye([p[0], p[1], p[2]]), own = colourOf(run, k, frame),
          [a, b] = shape.size;
    if (m[2] < view.near) continue;
    if (shape.kind === 'mesh')
      for (let i = 0; i < shape.corner.length; i += 9) {
        const [a, b, c] =
            [0, 3, 6].map(j => plus(p, 1, rotate(q, shape.corner.slice(i + j, i + j + 3)))),
                     n = cross(view.turn(plus(b, -1, a)), view.turn(plus(c, -1, a))),
                     light = 0.5 + 0.45 * Math.abs(dot(n, sun)) / (Math.hypot(...n) || 1);
        paint.push([
          Math.max(...[a, b, c].map(v => view.eye(v)[2])),
          () => outlined([a, b, c].map(view.screen), own.map(v => Math.round(v * light)), k)
        ]);
      }
    else if (shape.kind === 'box')
      paint.push([
        m[2],
        () => [0, 1, 2].forEach(
            d => { /* of each pair of faces the one that looks here */
                   const unit = [0, 0, 0], axes = [1, 2].map(i => (d + i) % 3);
                   unit[d] = 1;
                   const axis = view.turn(rotate(q, unit)),
                         side = axis[0] * m[0] + axis[1] * m[1] + axis[2] * m[2] > 0 ? -1 : 1;
                   const light = 0.5 +
                       0.45 *
                           Math.max(
                               0, side * (axis[0] * sun[0] + axis[1] * sun[1] + axis[2] * sun[2]));
                   outlined(
                       [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([u, v]) => {
                         const c = [0, 0, 0];
                         c[d] = side * shape.size[d];
                         c[axes[0]] = u * shape.size[axes[0]];
                         c[axes[1]] = v * shape.size[axes[1]];
                         return view.screen(plus(p, 1, rotate(q, c)));
                       }),
                       own.map(v => Math.round(v * light)), k);
            })
      ]);
    else
      paint.push([
        m[2],
        () => {
          const along = rotate(q, [0, 0, shape.kind === 'capsule' ? b : 0]),
                ends = [1, -1].map(s => view.screen(plus(p, s, along))),
                wide = 2 * view.focal * a / m[2];
          g.lineCap = 'round';
          for (const [more, colour] of [[2 * line, own.map(v => v >> 1)], [0, own]]) {
            g.strokeStyle = rgb(colour);
            g.lineWidth = wide + more;
            g.beginPath();
            g.moveTo(...ends[0]);
            g.lineTo(ends[1][0] + 0.01, ends[1][1]);
            g.stroke();
          }
        }
      ]);
  }
  byte.forEach((b, k) => {
    const p = dropAt(run, run.first[frame] + k), z = view.eye(p)[2];
    paint.push([
      z, () => spot(view.screen(p), Math.max(1.5, 1.3 * view.focal * run.grain / z), colours[b])
    ]);
  });
  paint.sort((a, b) => b[0] - a[0]).forEach(([, f]) => f());
}
