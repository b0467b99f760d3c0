/* boxes.mjs: scenes of boxes, the contacts of two boxes, and how far boxes overlap
 *
 * y points up. A body is {half, at, turn, mass}: half of each edge, the centre, and the angle about z; mass 0 never moves. A
 * pose is {p, R}: the centre, and the rotation by rows. */

export const STEP = 1 / 60, GRAVITY = 9.81;

/* ---- Vectors ---- */

export const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const axis = (R, k) => [R[k], R[3 + k], R[6 + k]];
export function rotation([x, y, z, w]) {
  return [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), 2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
          2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)];
}

/* ---- Scenes: all of them lie in the plane, so that 2D engines take part ---- */

const box = (half, x, y, mass = 8 * half[0] * half[1] * half[2], turn = 0) => ({half, at: [x, y, 0], turn, mass});
const cube = [0.5, 0.5, 0.5];
function pyramid(base) {
  const bodies = [];
  for (let row = 0; row < base; row++)
    for (let k = 0; k < base - row; k++) bodies.push(box(cube, (k - (base - row - 1) / 2) * 1.1, row + 0.5));
  return bodies;
}
function wall(rows, columns) {
  const bodies = [], brick = [1, 0.5, 0.5], half = [0.5, 0.5, 0.5];
  for (let row = 0; row < rows; row++) {
    if (row % 2) bodies.push(box(half, 0.5, row + 0.5), box(half, 2 * columns - 0.5, row + 0.5));
    for (let k = 0; k < columns - row % 2; k++) bodies.push(box(brick, 2 * k + 1 + row % 2, row + 0.5));
  }
  return bodies;
}
/* Pairs of cards lean against each other, edge to edge; a level lies on the cards that cover the one below. */
function cards(levels) {
  const L = 1, t = 0.02, alpha = 20 * Math.PI / 180, s = Math.sin(alpha), c = Math.cos(alpha), bodies = [], pitch = 2 * (t * c + L * s) + 0.002;
  let floor = 0;
  for (let level = levels; level > 0; level--) {
    for (let k = 0; k < level; k++)
      for (const side of [-1, 1])
        bodies.push(box([t / 2, L / 2, 0.35], (k - (level - 1) / 2) * pitch + side * (t * c + L * s) / 2, floor + (t * s + L * c) / 2, undefined, side * alpha));
    for (let k = 0; k < level - 1; k++)
      bodies.push(box([pitch / 2 - 0.001, t / 2, 0.35], (k - (level - 2) / 2) * pitch, floor + t * s + L * c + t / 2));
    floor += 2 * t / 2 + t * s + L * c;
  }
  return bodies;
}
const flat = [0, -GRAVITY, 0], slope = tangent => [GRAVITY * Math.sin(Math.atan(tangent)), -GRAVITY * Math.cos(Math.atan(tangent)), 0];
export const scenes = {
  stack: {text: '10 boxes', mu: 0.5, gravity: flat, steps: 600, bodies: Array.from({length: 10}, (_, k) => box(cube, 0, k + 0.5))},
  heavy: {text: '200 kg on 4 boxes of 1 kg', mu: 0.5, gravity: flat, steps: 600, bodies: Array.from({length: 5}, (_, k) => box(cube, 0, k + 0.5, k < 4 ? 1 : 200))},
  pyramid: {text: 'pyramid of 55 boxes', mu: 0.5, gravity: flat, steps: 180, bodies: pyramid(10)},
  wall: {text: 'wall of 22 bricks', mu: 0.5, gravity: flat, steps: 180, bodies: wall(5, 4)},
  cards: {text: 'house of 15 cards', mu: 0.5, gravity: flat, steps: 600, bodies: cards(3)},
  stick: {text: 'box on a slope of 0.49, mu = 0.5', mu: 0.5, gravity: slope(0.49), steps: 600, bodies: [box(cube, 0, 0.5)]},
  slide: {text: 'box on a slope of 0.6, mu = 0.5', mu: 0.5, gravity: slope(0.6), steps: 120, bodies: [box(cube, -20, 0.5)]},
};
export const floor = {half: [100, 0.5, 100], at: [0, -0.5, 0], turn: 0, mass: 0};
/* Where the box of `slide` should be, from where it was. */
export const slid = ({gravity, mu, steps}) => 0.5 * (gravity[0] + mu * gravity[1]) * (steps * STEP) ** 2;

for (const scene of Object.values(scenes)) Object.assign(scene, {ground: [floor], dt: STEP});

/* x, y, z, w; the body's own if it has one */
export const orientation = ({q, turn}) => q ?? [0, 0, Math.sin(turn / 2), Math.cos(turn / 2)];
export const poseOf = body => ({p: body.at, R: rotation(orientation(body))});

/* ---- Two boxes ---- */

const radius = (half, R, n) => Math.abs(dot(axis(R, 0), n)) * half[0] + Math.abs(dot(axis(R, 1), n)) * half[1] + Math.abs(dot(axis(R, 2), n)) * half[2];
/* The axis along which the boxes are farthest apart: {gap, n from a to b, kind}; null if they are farther apart than `margin`. An edge
 * axis wins only clearly: faces make better contacts. */
function separation(a, A, b, B, margin) {
  const d = add(B.p, A.p, -1);
  let best = null;
  const test = (n, kind, bonus) => {
    const gap = Math.abs(dot(n, d)) - radius(a.half, A.R, n) - radius(b.half, B.R, n);
    if (!best || gap > best.gap + bonus) best = {gap, n: dot(n, d) < 0 ? scale(n, -1) : n, kind};
    return gap > margin;
  };
  for (let k = 0; k < 6; k++)
    if (test(k < 3 ? axis(A.R, k) : axis(B.R, k - 3), k, 1e-6)) return null;
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      const n = cross(axis(A.R, i), axis(B.R, j)), size = Math.sqrt(dot(n, n));
      if (size > 1e-3 && test(scale(n, 1 / size), 6 + 3 * i + j, 1e-4)) return null;
    }
  return best;
}
/* Closest points of the edges with directions u and v through p and q */
function edgePoint(p, u, q, v) {
  const r = add(q, p, -1), uv = dot(u, v), e = 1 - uv * uv, s = (dot(r, u) - uv * dot(r, v)) / e, t = (uv * dot(r, u) - dot(r, v)) / e;
  return scale(add(add(p, u, s), add(q, v, t)), 0.5);
}
const corner = (half, P, n, skip) => [0, 1, 2].reduce((at, k) => k === skip ? at : add(at, axis(P.R, k), Math.sign(dot(axis(P.R, k), n) || 1) * half[k]), P.p);
/* Contact points {p, n from a to b, gap} */
export function contacts(a, A, b, B, margin) {
  const found = separation(a, A, b, B, margin);
  if (!found) return [];
  const {n, gap, kind} = found;
  if (kind >= 6) {
    const i = Math.floor((kind - 6) / 3), j = (kind - 6) % 3;
    return [{p: edgePoint(corner(a.half, A, n, i), axis(A.R, i), corner(b.half, B, scale(n, -1), j), axis(B.R, j)), n, gap}];
  }
  /* a face: that of the other box which looks at it, cut to its outline */
  const first = kind < 3, [r, P, o, Q] = first ? [a, A, b, B] : [b, B, a, A], out = first ? n : scale(n, -1), k = kind % 3;
  const facing = [0, 1, 2].map(m => dot(axis(Q.R, m), out)), m = facing.reduce((best, f, at) => Math.abs(f) > Math.abs(facing[best]) ? at : best, 0);
  const centre = add(Q.p, axis(Q.R, m), -Math.sign(facing[m]) * o.half[m]), [e, f] = [0, 1, 2].filter(x => x !== m);
  let polygon = [[1, 1], [1, -1], [-1, -1], [-1, 1]].map(([s, t]) => add(add(centre, axis(Q.R, e), s * o.half[e]), axis(Q.R, f), t * o.half[f]));
  for (const side of [0, 1, 2])
    for (const sign of side === k ? [] : [-1, 1]) {
      const w = scale(axis(P.R, side), sign), height = q => dot(add(q, P.p, -1), w) - r.half[side], next = [];
      polygon.forEach((q, at) => {
        const q2 = polygon[(at + 1) % polygon.length], h = height(q), h2 = height(q2);
        if (h <= 0) next.push(q);
        if (h < 0 && h2 > 0 || h > 0 && h2 < 0) next.push(add(q, add(q2, q, -1), h / (h - h2)));
      });
      polygon = next;
    }
  return polygon.map(p => ({p, gap: dot(add(p, P.p, -1), out) - r.half[k]})).filter(c => c.gap < margin).map(c => ({p: add(c.p, out, -c.gap / 2), n, gap: c.gap}));
}

/* Pairs of bodies whose spheres touch; the floor is -1 */
export function* pairs(bodies, poses, margin) {
  const size = bodies.map(b => Math.hypot(...b.half) + margin);
  for (let i = 0; i < bodies.length; i++) {
    if (poses[i].p[1] < size[i]) yield [-1, i];
    for (let j = i + 1; j < bodies.length; j++) {
      const d = add(poses[i].p, poses[j].p, -1), r = size[i] + size[j];
      if (dot(d, d) < r * r) yield [i, j];
    }
  }
}
/* The largest depth by which two of the bodies, or one and the floor, overlap; 0 if none do */
export function overlap(bodies, poses) {
  let depth = 0;
  for (const [i, j] of pairs(bodies, poses, 0)) {
    const found = separation(i < 0 ? floor : bodies[i], i < 0 ? poseOf(floor) : poses[i], bodies[j], poses[j], 0);
    if (found) depth = Math.max(depth, -found.gap);
  }
  return depth;
}
