/* test.mjs: the tests of the package, in Node and in a browser: run(perp, createWorker) -> [lines]
 *
 * Oracles: all active sets, one after the other, for small problems; the natural residual. */

/* Numbers between -1 and 1, the same in every run. */
function random(seed) {
  let s = seed >>> 0;
  return () => {
    s = (Math.imul(s, 1664525) + 1013904223) >>> 0;
    return s / 2 ** 31 - 1;
  };
}
/* Solves M z = r by elimination, or null. */
function eliminate(M, r) {
  const n = r.length, W = M.map((row, i) => [...row, r[i]]);
  for (let c = 0; c < n; c++) {
    let p = c;
    for (let i = c; i < n; i++) if (Math.abs(W[i][c]) > Math.abs(W[p][c])) p = i;
    if (Math.abs(W[p][c]) < 1e-12) return null;
    [W[c], W[p]] = [W[p], W[c]];
    for (let i = 0; i < n; i++)
      if (i !== c) {
        const f = W[i][c] / W[c][c];
        for (let j = c; j <= n; j++) W[i][j] -= f * W[c][j];
      }
  }
  return W.map((row, i) => row[n] / row[i]);
}
/* x with lo <= x <= hi by trying lo, hi and free for every row: 3^n systems. */
function enumerate(A, b, lo, hi) {
  const n = b.length;
  for (let code = 0; code < 3 ** n; code++) {
    const state = b.map((_, i) => Math.floor(code / 3 ** i) % 3), x = state.map((s, i) => s === 0 ? lo[i] : s === 1 ? hi[i] : 0);
    if (!x.every(isFinite)) continue;
    const free = state.flatMap((s, i) => s === 2 ? [i] : []);
    const z = eliminate(free.map(i => free.map(j => A[i][j])), free.map(i => -b[i] - A[i].reduce((t, a, j) => t + (state[j] === 2 ? 0 : a * x[j]), 0)));
    if (!z) continue;
    free.forEach((i, k) => { x[i] = z[k]; });
    const y = A.map((row, i) => row.reduce((t, a, j) => t + a * x[j], b[i]));
    if (state.every((s, i) => s === 0 ? y[i] >= -1e-9 : s === 1 ? y[i] <= 1e-9 : x[i] >= lo[i] - 1e-9 && x[i] <= hi[i] + 1e-9)) return x;
  }
  return null;
}
/* A positive definite matrix. */
function definite(n, next) {
  const G = Array.from({length: n}, () => Array.from({length: n}, next));
  return G.map((u, i) => G.map((v, j) => u.reduce((t, a, k) => t + a * v[k], i === j ? 0.2 : 0)));
}
const compress = A => {
  const start = [0], column = [], value = [];
  for (const row of A) {
    row.forEach((v, j) => { if (v !== 0) column.push(j), value.push(v); });
    start.push(value.length);
  }
  return {start, column, value};
};
const near = (a, b, e = 1e-6) => a.length === b.length && [...a].every((v, k) => Math.abs(v - b[k]) <= e);
const assert = (good, what) => {
  if (!good) throw new Error(typeof what === 'function' ? what() : what);
};
function throws(f, Kind, words) {
  try {
    f();
  } catch (error) {
    assert(error instanceof Kind && error.message.includes(words), `${error.name}: ${error.message}; expected ${Kind.name} with "${words}"`);
    return;
  }
  throw new Error(`nothing was thrown; expected ${Kind.name} with "${words}"`);
}

const tests = {
  first(perp) {
    const r = perp.solveLcp([[2, -1], [-1, 2]], [-1, 0.8]);
    assert(r.solved && r.outcome === 'solved' && near(r.x, [0.5, 0]) && near(r.y, [0, 0.3]), JSON.stringify(r));
    assert(/^\d+\.\d+\.\d+$/.test(perp.version), perp.version);
  },
  all_active_sets(perp) {
    const next = random(1);
    for (let k = 0; k < 300; k++) {
      const n = 1 + k % 5, A = definite(n, next), b = Array.from({length: n}, next), boxed = k % 2;
      const lo = b.map(() => boxed ? -0.3 * Math.abs(next()) : 0), hi = b.map(() => boxed ? 0.5 * Math.abs(next()) : Infinity), x = enumerate(A, b, lo, hi);
      const given = k % 3 === 0 ? A : k % 3 === 1 ? compress(A) : Float64Array.from(A.flat());
      const r = boxed ? perp.solveBoxed(given, b, {lo, hi, tol: 1e-10}) : perp.solveLcp(given, b, {tol: 1e-10});
      assert(r.solved && near(r.x, x), () => `problem ${k}: ${r.outcome}, ${r.x} instead of ${x}`);
      const qp = perp.solveQp({P: given, q: b, lb: lo, ub: hi}, {tol: 1e-9});
      assert(qp.solved && near(qp.x, x, 1e-5), () => `program ${k}: ${qp.outcome}, ${qp.x} instead of ${x}`);
    }
  },
  rows_of_qp(perp) { /* x1 + x2 = 1, nearest to (2, 0): (1.5, -0.5); with x2 >= 0 (1, 0) */
    const P = [[1, 0], [0, 1]], q = [-2, 0], G = [[1, 1]];
    assert(near(perp.solveQp({P, q, G, l: [1], u: [1]}).x, [1.5, -0.5]), 'equation');
    const r = perp.solveQp({P, q, G: compress(G), l: [1], u: [1], lb: [-Infinity, 0]});
    assert(near(r.x, [1, 0]) && Math.abs(r.objective + 1.5) < 1e-6, JSON.stringify(r));
    assert(perp.solveQp({q: [1], lb: [0], ub: [1]}).x[0] < 1e-7, 'linear');
    assert(perp.solveQp({P: [[1]], q: [0], G: [[1], [1]], l: [1, -Infinity], u: [Infinity, 0]}).outcome === 'infeasible', 'infeasible');
  },
  friction(perp) { /* one body of mass 2 pressed by v_n = -1 and pushed by v_t: sticks up to mu, then slides */
    const J = [0, 0, 1, 0, 0, 0, ...Array(6).fill(0), 1, 0, 0, 0, 0, 0, ...Array(6).fill(0), 0, 1, 0, 0, 0, 0, ...Array(6).fill(0)];
    const Minv = Float64Array.from({length: 36}, (_, k) => k % 7 === 0 ? 0.5 : 0), frame = push => perp.solveContacts({bodies: 1, body: [0, -1], J, Minv, mu: [0.5], v: [push, 0, -1, 0, 0, 0]}, {tol: 1e-10});
    const sticks = frame(0.3), slides = frame(0.9);
    assert(sticks.solved && near(sticks.v, [0, 0, 0, 0, 0, 0]) && near(sticks.x, [2, -0.6, 0]), () => `${sticks.v} ${sticks.x}`);
    assert(slides.solved && near(slides.v, [0.4, 0, 0, 0, 0, 0]) && near(slides.x, [2, -1, 0]), () => `${slides.v} ${slides.x}`);
    const index = perp.solveBoxed([[0.5, 0], [0, 0.5]], [-1, 0.9], {lo: [0, -0.5], hi: [Infinity, 0.5], findex: [-1, 0]});
    assert(index.solved && near(index.x, [2, -1]), () => String(index.x));
    const cone = perp.solveBoxed([[0.5, 0, 0], [0, 0.5, 0], [0, 0, 0.5]], [-1, 0.9, 0], {mu: [0.5]});
    assert(cone.solved && near(cone.x, [2, -1, 0]), () => String(cone.x));
    /* a contact of six rows with discs, one of four with one cone: 2 presses, and each slips towards -x */
    const b = [-1, 0.9, 0, 0.9, 0, 0.9, -1, 0.54, 0, 0.72], A = b.map((_, i) => b.map((_, j) => i === j ? 0.5 : 0));
    const mu = [0.5, 0.5, 0.1, 0.05, 0.05, 0.5, 0.5, 0.5, 0, 0], laws = perp.solveBoxed(A, b, {mu, dim: [6, 4], law: [1, 0], tol: 1e-10});
    assert(laws.solved && near(laws.x, [2, -1, 0, -0.2, 0, -0.1, 2, -0.6, 0, -0.8]), () => String(laws.x));
    const spin = perp.solveContacts({bodies: 1, together: 4, body: [0, -1], J: [...J, ...Array(5).fill(0), 1, ...Array(6).fill(0)], Minv, mu: [0.5, 0.5, 0.1, 0, 0],
                                     dim: [4], law: [1], v: [0, 0, -1, 0, 0, 0.5]}, {tol: 1e-10});
    assert(spin.solved && near(spin.v, [0, 0, 0, 0, 0, 0.4]) && near(spin.x, [2, 0, 0, -0.2]), () => `${spin.v} ${spin.x}`);
  },
  limits(perp) {
    const n = 400, start = [0], column = [], value = [], b = Array(n).fill(-1);
    for (let i = 0; i < n; i++) {
      if (i) column.push(i - 1), value.push(-1);
      column.push(i), value.push(2);
      if (i + 1 < n) column.push(i + 1), value.push(-1);
      start.push(value.length);
    }
    const A = {start, column, value}, few = perp.solveLcp(A, b, {method: 'pgs', maxIterations: 5});
    assert(few.outcome === 'iteration-limit' && !few.solved && few.iterations === 5, JSON.stringify({...few, x: 0, y: 0}));
    const late = perp.solveLcp(A, b, {method: 'pgs', tol: 1e-14, timeLimit: 0.02});
    assert(late.outcome === 'time-limit', late.outcome);
    const full = perp.solveLcp(A, b), warm = perp.solveLcp(A, b, {method: 'nncg', start: full.x}), cold = perp.solveLcp(A, b, {method: 'nncg'});
    assert(full.solved && warm.solved && warm.iterations < cold.iterations, `${warm.iterations} ${cold.iterations}`);
    assert(perp.solveLcp([[-1]], [-1]).outcome === 'infeasible', 'infeasible');
  },
  memory(perp) { /* grows, and is given back */
    for (let k = 0; k < 3; k++) {
      const n = 900, A = new Float64Array(n * n), b = new Float64Array(n).fill(-1);
      for (let i = 0; i < n; i++) A[i * n + i] = i + 1;
      const r = perp.solveLcp(A, b, {method: 'pgs'});
      assert(r.solved && Math.abs(r.x[9] - 0.1) < 1e-9, r.outcome);
    }
    assert(near(perp.solveLcp([], []).x, []), 'n = 0');
  },
  bad_input(perp) {
    const I = [[1, 0], [0, 1]], b = [-1, -1];
    throws(() => perp.solveLcp(I), TypeError, 'b must be');
    throws(() => perp.solveLcp(I, 'ab'), TypeError, 'b must be');
    throws(() => perp.solveLcp(5, b), TypeError, 'A must be');
    throws(() => perp.solveLcp(null, b), TypeError, 'A must be');
    throws(() => perp.solveLcp([[1, 0]], b), RangeError, 'A has 1 rows instead of 2');
    throws(() => perp.solveLcp([[1, 0], [0]], b), RangeError, 'A[1] has 1 numbers');
    throws(() => perp.solveLcp([1, 2, 3], b), RangeError, 'A has 3 numbers instead of 4');
    throws(() => perp.solveLcp([[1, 'x'], [0, 1]], b), TypeError, 'A[0][1] is x');
    throws(() => perp.solveLcp([[1, NaN], [0, 1]], b), RangeError, 'A(0,1)');
    throws(() => perp.solveLcp(I, [1, Infinity]), RangeError, '1');
    throws(() => perp.solveLcp({start: [0, 1, 2], column: [0, 2], value: [1, 1]}, b), RangeError, 'A.column[1] is 2');
    throws(() => perp.solveLcp({start: [0, 2, 1], column: [0], value: [1]}, b), RangeError, 'A.start');
    throws(() => perp.solveLcp({start: [0, 1, 2], column: [0, 1]}, b), TypeError, 'A.value');
    throws(() => perp.solveLcp({start: [0, 1.5, 2], column: [0, 1], value: [1, 1]}, b), RangeError, 'not an integer');
    throws(() => perp.solveLcp(I, b, {tol: -1}), RangeError, 'tol');
    throws(() => perp.solveLcp(I, b, {tol: '1'}), TypeError, 'tol');
    throws(() => perp.solveLcp(I, b, {maxiter: 1}), TypeError, 'maxiter');
    throws(() => perp.solveLcp(I, b, {method: 'nope'}), Error, 'nope');
    throws(() => perp.solveLcp(I, b, {method: 7}), TypeError, 'method');
    throws(() => perp.solveLcp(I, b, {start: [1]}), RangeError, 'start');
    throws(() => perp.solveBoxed(I, b, {lo: [1, 1], hi: [0, 2]}), RangeError, '0');
    throws(() => perp.solveBoxed(I, b, {mu: [1]}), RangeError, 'mu');
    throws(() => perp.solveBoxed(I, b, {lo: [0, -1], hi: [9, 1], findex: [-1, 7]}), RangeError, '7');
    throws(() => perp.solveContacts(), TypeError, 'contacts');
    throws(() => perp.solveContacts({bodies: 1, body: [0]}), TypeError, 'body');
    throws(() => perp.solveContacts({bodies: 1.5, body: [0, -1]}), RangeError, 'bodies');
    throws(() => perp.solveQp({}), TypeError, 'q must');
    throws(() => perp.solveQp({q: [1], G: [[1]]}), TypeError, 'G needs');
    throws(() => perp.solveQp({q: [1], lb: [2], ub: [1]}), RangeError, '');
    for (const options of [null, 5, 'fast', () => 1, [1], new Float64Array(1)]) throws(() => perp.solveLcp(I, b, options), TypeError, 'the options must be an object');
    throws(() => perp.solveLcp(I, b, {tol: NaN}), RangeError, 'tol is NaN');
    throws(() => perp.solveLcp(I, b, {maxIterations: 0.5}), RangeError, 'maxIterations is 0.5, not an integer');
    throws(() => perp.solveLcp(I, b, {maxIterations: null}), TypeError, 'maxIterations must be a number, not null');
    throws(() => perp.solveLcp(I, b, {timeLimit: -1}), RangeError, 'timeLimit');
    throws(() => perp.solveLcp(I, b, {start: [NaN, 0]}), RangeError, 'x[0] = nan');
    throws(() => perp.solveLcp(I, b, {method: null}), TypeError, 'method must be a string, not null');
    throws(() => perp.solveLcp(I, b, {method: 'auto\0x'}), RangeError, 'method has a zero byte');
    throws(() => perp.solveLcp(I, BigInt64Array.of(1n, 2n)), TypeError, 'b[0] is 1, not a number');
    throws(() => perp.solveLcp(I, [Symbol('s'), 1]), TypeError, 'b[0] is Symbol(s)');
    throws(() => perp.solveLcp({start: [1, 2, 3], column: [0, 0, 1], value: [1, 1, 1]}, b), RangeError, 'A.start[0] is 1, not 0');
    throws(() => perp.solveLcp({start: [-1], column: [], value: []}, []), RangeError, 'A.start[0] is -1, not 0');
    throws(() => perp.solveLcp({start: [0, 2, 3], column: [1, 0, 1], value: [1, 1, 1]}, b), RangeError, 'column 0 after column 1');
    throws(() => perp.solveBoxed(I, b, {lo: [-1, -1], hi: [1, 1], findex: [1, 0]}), RangeError, 'another friction row');
    throws(() => perp.solveBoxed(I, b, {mu: 0.5}), TypeError, 'mu must be an array of numbers, not number');
    throws(() => perp.solveBoxed(I, b, {mu: [1], dim: [2]}), RangeError, 'mu has 1 numbers instead of 5');
    throws(() => perp.solveBoxed(I, b, {dim: [2]}), RangeError, 'mu');
    throws(() => perp.solveBoxed(I, b, {mu: [1, 0, 0, 0, 0], dim: [3]}), RangeError, 'rows');
    throws(() => perp.solveBoxed(I, b, {mu: [1, 0, 0, 0, 0], dim: [7]}), RangeError, 'dim[0] = 7');
    throws(() => perp.solveBoxed(I, b, {mu: [1, 0, 0, 0, 0], dim: [2], law: [2]}), RangeError, 'law[0] = 2');
    throws(() => perp.solveBoxed(I, b, {mu: [], law: []}), RangeError, 'law needs dim');
    throws(() => perp.solveBoxed(I, b, {mu: [1, 0, 0, 0, 0], dim: [1.5]}), RangeError, 'dim[0] is 1.5, not an integer');
    const one = {bodies: 1, body: [0, -1], J: new Float64Array(36), Minv: new Float64Array(36), v: new Float64Array(6)};
    throws(() => perp.solveContacts({...one, mus: [1]}), TypeError, 'there is no field mus');
    throws(() => perp.solveContacts({...one, body: [5, -1]}), RangeError, 'body 5');
    throws(() => perp.solveContacts({...one, freedom: 7, J: new Float64Array(42), Minv: new Float64Array(49), v: new Float64Array(7)}), RangeError, '7 velocities');
    throws(() => perp.solveContacts({...one, v: undefined}), TypeError, 'v must be');
    throws(() => perp.solveContacts(one, {method: 'pgs'}), TypeError, 'there is no option method');
    throws(() => perp.solveQp({P: [[1]], q: [1], A: [[1]]}), TypeError, 'there is no field A');
    throws(() => perp.solveQp({P: 0, q: [1]}), TypeError, 'P must be');
    throws(() => perp.solveQp({P: [[1, 2], [3, 1]], q: [1, 1]}), RangeError, 'P is not symmetric');
    throws(() => perp.solveQp({q: [1], l: [2]}), RangeError, 'l has 1 numbers instead of 0');
    assert(perp.solveLcp(I, b).solved, 'it goes on after errors');
  },
  async worker(perp, createWorker) {
    const w = await createWorker();
    assert(w.version === perp.version, w.version);
    const r = await w.solveLcp([[2, -1], [-1, 2]], [-1, 0.8]);
    assert(r.solved && r.x instanceof Float64Array && near(r.x, [0.5, 0]), JSON.stringify(r));
    const error = await w.solveLcp([[1]], [1, 2]).catch(e => e);
    assert(error instanceof RangeError, String(error));
    const function_ = await w.solveLcp([[1]], [1], {method: () => 1}).catch(e => e);
    assert(function_.name === 'DataCloneError', String(function_));
    const left = w.solveLcp([[1]], [1]);
    await w.terminate();
    await left.catch(e => assert(e.message.includes('terminated'), e.message));
    const late = await w.solveLcp([[1]], [1]).catch(e => e);
    assert(late instanceof Error && late.message.includes('terminated'), String(late));
  },
};

export async function run(perp, createWorker) {
  const lines = [];
  let passed = 0, failed = 0;
  for (const [name, f] of Object.entries(tests)) {
    try {
      await f(perp, createWorker);
      lines.push(`ok   ${name}`);
      passed++;
    } catch (error) {
      lines.push(`FAIL ${name}: ${error.stack ?? error}`);
      failed++;
    }
  }
  return {lines, passed, failed};
}
