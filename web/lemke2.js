/* web/lemke2.js: Lemke's method for two unknowns, pivot by pivot, to be drawn
 *
 *   y = A x + b + z0 d,   x, y, z0 >= 0,   x_i y_i = 0,   d = (1, 1)
 *
 * Follows the almost complementary path from a large z0, with x = 0: the entering variable is the
 * complement of the one that left. The path ends at z0 = 0, a solution, or on a ray. In the picture
 * of cones the point b + z0 d moves along its line, and each pivot is a crossing of a cone's edge.
 * The answer is compared with the library's own method in the tests. */
'use strict';

function lemkePath(A, b) {
  const d = [1, 1], steps = [],
        name = v => v === 4 ? 'z₀' : `${v < 2 ? 'y' : 'x'}${v % 2 ? '₂' : '₁'}`;
  /* Variables 0, 1: y; 2, 3: x; 4: z0. Rows: basic variable = value + sum of coefficient *
   * variable. */
  const row = [0, 1].map(i => ({basic: i, value: b[i], of: {2: A[i][0], 3: A[i][1], 4: d[i]}}));
  const state = () => {
    const v = [0, 0, 0, 0, 0];
    row.forEach(r => {
      v[r.basic] = r.value;
    });
    return {x: [v[2], v[3]], z0: v[4], basis: row.map(r => name(r.basic)).join(', ')};
  };
  const pivot =
      (r, entering) => { /* solve row r for the entering variable, put it into the other */
                         const c = row[r].of[entering], of = {};
                         for (const [v, k] of Object.entries(row[r].of))
                           if (+v !== entering) of[v] = -k / c;
                         of[row[r].basic] = 1 / c;
                         const value = -row[r].value / c, left = row[r].basic, other = row[1 - r],
                               k = other.of[entering] || 0;
                         delete other.of[entering];
                         for (const [v, w] of Object.entries(of))
                           other.of[v] = (other.of[v] || 0) + k * w;
                         other.value += k * value;
                         row[r] = {basic: entering, value, of};
                         return left;
      };
  if (b.every(v => v >= 0)) return {steps, end: 'solved', x: [0, 0]};
  let r = b[0] <= b[1] ? 0 : 1, entering = 4, left = pivot(r, 4);
  steps.push({entering: name(4), leaving: name(left), ...state()});
  for (let k = 0; k < 12; k++) {
    entering = left < 2 ? left + 2 : left - 2;
    let best = -1, least = Infinity;
    row.forEach((q, i) => {
      const c = q.of[entering] || 0;
      if (c < -1e-14) {
        const t = -q.value / c;
        if (t < least - 1e-14 || (t < least + 1e-14 && q.basic === 4)) {
          least = t;
          best = i;
        }
      }
    });
    if (best < 0) return {steps, end: 'ray', entering: name(entering)};
    left = pivot(best, entering);
    steps.push({entering: name(entering), leaving: name(left), ...state()});
    if (left === 4) return {steps, end: 'solved', x: state().x};
  }
  return {steps, end: 'limit'};
}
if (typeof module !== 'undefined') module.exports = {lemkePath};
