/* index.mjs: perp for JavaScript: find x in K with y = A x + b and -y in the normal cone of K at x
 *
 * load() compiles the module once; what it returns solves. A matrix is {n, start, column, value}
 * (compressed rows), an array of n * n numbers (row major), or an array of rows. */

/* ---- The module ---- */

const WASI_NOT_SUPPORTED = 52;
/* The module asks the system for the time, and for nothing else that it needs. */
function imports(memory) {
  const now = (_clock, _precision, at) => {
    const ms = globalThis.performance ? performance.now() : Date.now();
    new DataView(memory().buffer).setBigUint64(at, BigInt(Math.round(ms * 1e6)), true);
    return 0;
  };
  const refuse = {get: (_, name) => name === 'clock_time_get' ? now : () => WASI_NOT_SUPPORTED};
  const ignore = {get: () => () => 0};
  return {wasi_snapshot_preview1: new Proxy({}, refuse), env: new Proxy({}, ignore)};
}
async function bytes(from) {
  if (from) return from;
  const url = new URL('./perp.wasm', import.meta.url);
  if (url.protocol === 'file:' && globalThis.process?.versions?.node)
    return (await import('node:fs/promises')).readFile(url);
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}
let loaded = null;
/* wasm: the bytes of perp.wasm, for pages that load it themselves. */
export function load({wasm} = {}) {
  return loaded ??= start(wasm).catch(error => {
    loaded = null;
    throw error;
  });
}
async function start(wasm) {
  let exports = null;
  const module = await WebAssembly.compile(await bytes(wasm)), given = imports(() => exports.memory), all = {};
  for (const {module: from, name} of WebAssembly.Module.imports(module)) (all[from] ??= {})[name] = given[from][name];
  exports = (await WebAssembly.instantiate(module, all)).exports;
  exports._initialize?.();
  return interfaceOf(exports);
}

/* ---- Arguments ---- */

const fail = (Kind, text) => {
  throw new Kind(`perp: ${text}`);
};
const isList = v => Array.isArray(v) || (ArrayBuffer.isView(v) && !(v instanceof DataView));
const isGiven = v => v !== undefined && v !== null;
const kindOf = v => v === null ? 'null' : isList(v) ? 'array' : typeof v;
/* An object without fields of other names: a field with a slip in its name would be left out otherwise. */
function only(o, what, field, names) {
  if (kindOf(o) !== 'object') fail(TypeError, `${what} must be an object, not ${kindOf(o)}`);
  for (const name of Object.keys(o)) if (!names.includes(name)) fail(TypeError, `there is no ${field} ${name}; there are: ${names.join(', ')}`);
  return o;
}
/* Numbers of a known length, as the typed array that the module reads. */
function numbers(v, name, length, Type = Float64Array) {
  if (!isList(v)) fail(TypeError, `${name} must be an array of numbers, not ${kindOf(v)}`);
  if (v.length !== length) fail(RangeError, `${name} has ${v.length} numbers instead of ${length}`);
  if (v instanceof Type) return v;
  for (let k = 0; k < length; k++) {
    if (typeof v[k] !== 'number') fail(TypeError, `${name}[${k}] is ${String(v[k])}, not a number`);
    if (Type === Int32Array && (v[k] | 0) !== v[k]) fail(RangeError, `${name}[${k}] is ${v[k]}, not an integer of 32 bits`);
  }
  return Type.from(v);
}
const maybe = (v, ...how) => isGiven(v) ? numbers(v, ...how) : null;
function amount(v, name, otherwise, least, most = Infinity) {
  if (v === undefined) return otherwise;
  if (typeof v !== 'number') fail(TypeError, `${name} must be a number, not ${kindOf(v)}`);
  if (!(v >= least && v <= most)) fail(RangeError, `${name} is ${v}; it must be from ${least} to ${most}`);
  return v;
}
function count(v, name, least = 0, most = 2 ** 31 - 1) {
  if (typeof v !== 'number') fail(TypeError, `${name} must be a number, not ${kindOf(v)}`);
  if (!Number.isInteger(v) || v < least || v > most) fail(RangeError, `${name} is ${v}, not an integer from ${least} to ${most}`);
  return v;
}
/* {start, column, value}, start null for a dense matrix with that many rows and columns. */
function matrix(A, name, rows, columns) {
  if (isList(A)) {
    if (A.length && isList(A[0])) {
      if (A.length !== rows) fail(RangeError, `${name} has ${A.length} rows instead of ${rows}`);
      const value = new Float64Array(rows * columns);
      A.forEach((row, i) => value.set(numbers(row, `${name}[${i}]`, columns), i * columns));
      return {start: null, column: null, value};
    }
    return {start: null, column: null, value: numbers(A, name, rows * columns)};
  }
  if (typeof A !== 'object' || A === null || !('start' in A))
    fail(TypeError, `${name} must be {start, column, value}, an array of numbers, or an array of rows`);
  const start = numbers(A.start, `${name}.start`, rows + 1, Int32Array);
  if (start[0] !== 0) fail(RangeError, `${name}.start[0] is ${start[0]}, not 0`);
  for (let i = 0; i < rows; i++)
    if (start[i + 1] < start[i]) fail(RangeError, `${name}.start: row ${i} begins at ${start[i]} and ends at ${start[i + 1]}`);
  const length = start[rows], column = numbers(A.column, `${name}.column`, length, Int32Array);
  column.forEach((j, k) => j >= 0 && j < columns || fail(RangeError, `${name}.column[${k}] is ${j}; there are ${columns} columns`));
  return {start, column, value: numbers(A.value, `${name}.value`, length)};
}
const ERRORS = {1: RangeError, 2: RangeError, 3: TypeError, 4: RangeError}; /* of perp_error: argument, problem, unsupported, parameter */

/* ---- Solving ---- */

function interfaceOf(M) {
  const text = at => {
    const all = new Uint8Array(M.memory.buffer);
    let end = at;
    while (all[end]) end++;
    return new TextDecoder().decode(all.subarray(at, end));
  };
  /* Calls f with a function that copies arrays into the module; their memory is freed afterwards. */
  function within(f) {
    const taken = [];
    const reserve = size => {
      const at = size < 2 ** 32 ? M.malloc(Math.max(8, size)) : 0;
      if (!at) fail(RangeError, `there is no memory for ${size} bytes`);
      taken.push(at);
      return at;
    };
    const put = v => {
      if (v === null) return 0;
      if (typeof v === 'string') v = new TextEncoder().encode(`${v}\0`);
      const at = reserve(v.byteLength);
      new v.constructor(M.memory.buffer, at, v.length).set(v);
      return at;
    };
    const get = (at, n) => new Float64Array(M.memory.buffer, at, n).slice();
    try {
      return f(put, get);
    } finally {
      taken.forEach(at => M.free(at));
    }
  }
  function check(error) {
    if (error) fail(ERRORS[error] ?? Error, text(M.npm_text(2)) || `error ${error}`);
  }
  const verdict = () => {
    const outcome = text(M.npm_text(0));
    return {solved: outcome === 'solved', outcome, method: text(M.npm_text(1)), message: text(M.npm_text(2))};
  };
  const limits = o => [amount(o.tol, 'tol', 1e-8, 0, 1), o.maxIterations === undefined ? 0 : count(o.maxIterations, 'maxIterations', 0, 2 ** 53),
                       amount(o.timeLimit, 'timeLimit', 0, 0)];
  const methodOf = o => {
    const method = o.method === undefined ? 'auto' : o.method;
    if (typeof method !== 'string') fail(TypeError, `method must be a string, not ${kindOf(method)}`);
    if (method.includes('\0')) fail(RangeError, 'method has a zero byte');
    return method;
  };
  const lcpNumbers = () => ({residual: M.npm_number(0), relativeResidual: M.npm_number(1), iterations: M.npm_number(2), seconds: M.npm_number(3)});
  /* lo, hi, findex, mu, dim, law of K, for n rows; contacts come first, without dim cones of three rows each */
  function set(o, n) {
    const dim = maybe(o.dim, 'dim', o.dim?.length, Int32Array), mu = maybe(o.mu, 'mu', dim ? 5 * dim.length : o.mu?.length);
    if (mu && !dim && 3 * mu.length > n) fail(RangeError, `mu has ${mu.length} numbers: ${n} rows hold ${Math.floor(n / 3)} cones`);
    if (isGiven(o.law) && !dim) fail(RangeError, 'law needs dim');
    return [maybe(o.lo, 'lo', n), maybe(o.hi, 'hi', n), maybe(o.findex, 'findex', n, Int32Array), mu, dim, maybe(o.law, 'law', dim?.length, Int32Array)];
  }
  const contactsOf = ([, , , mu, dim]) => (dim ?? mu)?.length ?? 0;
  function solve(A, b, o = {}) {
    if (!isList(b)) fail(TypeError, 'b must be an array of numbers');
    const n = b.length, m = matrix(A, 'A', n, n), right = numbers(b, 'b', n), K = set(o, n);
    const start = maybe(o.start, 'start', n) ?? new Float64Array(n);
    return within((put, get) => {
      const method = put(methodOf(o)), given = [m.start, m.column, m.value, right, ...K].map(put);
      const x = put(start), y = put(new Float64Array(n));
      check(M.npm_solve(method, n, ...given, contactsOf(K), ...limits(o), x, y));
      return {...verdict(), x: get(x, n), y: get(y, n), ...lcpNumbers()};
    });
  }
  const LIMITS = ['tol', 'maxIterations', 'timeLimit'], COMMON = ['method', ...LIMITS, 'start'], SET = ['lo', 'hi', 'findex', 'mu', 'dim', 'law'];
  const CONTACTS = ['bodies', 'freedom', 'together', 'body', 'J', 'Minv', 'cfm', 'v', 'c', ...SET];
  const optionsOf = (o, ...names) => only(o, 'the options', 'option', names);
  return {
    version: text(M.npm_text(3)),
    /* 0 <= x, y = A x + b >= 0, x'y = 0 */
    solveLcp: (A, b, options = {}) => solve(A, b, optionsOf(options, ...COMMON)),
    /* lo <= x <= hi, of friction rows times |x[findex]|; with mu the first rows are Coulomb cones, with dim contacts of 1 to 6 rows */
    solveBoxed: (A, b, options = {}) => solve(A, b, optionsOf(options, ...COMMON, ...SET)),
    /* One frame: impulses x and new velocities v of bodies that touch. */
    solveContacts(data, options = {}) {
      only(data, 'the contacts', 'field', CONTACTS);
      optionsOf(options, ...LIMITS, 'start');
      const bodies = count(data.bodies, 'bodies'), freedom = count(data.freedom ?? 6, 'freedom', 1), together = count(data.together ?? 3, 'together', 1);
      if (!isList(data.body) || data.body.length % 2) fail(TypeError, 'body must be an array with two bodies for each contact');
      const contacts = data.body.length / 2, n = contacts * together;
      const arrays = [numbers(data.body, 'body', 2 * contacts, Int32Array), numbers(data.J, 'J', n * 2 * freedom),
                      numbers(data.Minv, 'Minv', bodies * freedom * freedom)];
      const c = maybe(data.c, 'c', n), K = set(data, n), before = numbers(data.v, 'v', bodies * freedom),
            start = maybe(options.start, 'start', n) ?? new Float64Array(n), cfm = amount(data.cfm, 'cfm', 0, 0);
      return within((put, get) => {
        const [body, J, Minv] = arrays.map(put), right = put(c), parts = K.map(put), v = put(before), x = put(start),
              y = put(new Float64Array(n));
        check(M.npm_contacts(n, bodies, freedom, together, body, J, Minv, cfm, right, ...parts, contactsOf(K), ...limits(options), v, x, y));
        return {...verdict(), x: get(x, n), y: get(y, n), v: get(v, bodies * freedom), ...lcpNumbers()};
      });
    },
    /* minimise 1/2 x'P x + q'x with l <= G x <= u and lb <= x <= ub */
    solveQp(qp, options = {}) {
      only(qp, 'the program', 'field', ['P', 'q', 'G', 'l', 'u', 'lb', 'ub']);
      optionsOf(options, 'method', ...LIMITS);
      if (!isList(qp.q)) fail(TypeError, 'q must be an array of numbers');
      const n = qp.q.length, bound = qp.l ?? qp.u, rows = isGiven(qp.G);
      if (rows && !isList(bound)) fail(TypeError, 'G needs l or u');
      const m = rows ? bound.length : 0, none = {start: null, column: null, value: null}, P = isGiven(qp.P) ? matrix(qp.P, 'P', n, n) : none,
            G = rows ? matrix(qp.G, 'G', m, n) : none;
      const vectors = [numbers(qp.q, 'q', n)], bounds = [maybe(qp.l, 'l', m), maybe(qp.u, 'u', m), maybe(qp.lb, 'lb', n), maybe(qp.ub, 'ub', n)];
      return within((put, get) => {
        const method = put(methodOf(options)), [ps, pc, pv, q, gs, gc, gv, l, u, lb, ub] =
            [P.start, P.column, P.value, ...vectors, G.start, G.column, G.value, ...bounds].map(put);
        const [x, z, w] = [n, m, n].map(k => put(new Float64Array(k)));
        check(M.npm_qp(method, n, m, ps, pc, pv, q, gs, gc, gv, l, u, lb, ub, ...limits(options), x, z, w));
        const [objective, primal, dual, gap, complementarity, iterations, seconds] = [0, 1, 2, 3, 4, 5, 6].map(k => M.npm_number(k));
        return {...verdict(), x: get(x, n), z: get(z, m), w: get(w, n), objective, primal, dual, gap, complementarity, iterations, seconds};
      });
    },
  };
}
