/* web/worker.js: runs the library beside the page, so that the page never waits for a solve
 *
 * A message is {id, call, args}, its answer {id, result} or {id, error}. Requests about problems carry
 * the problem, so that instruments do not disturb each other; the last one is kept. */
'use strict';

let M = null;
/* perpCode: the WebAssembly, compressed by gzip, in base64. */
async function unpack() {
  const packed = new Blob([Uint8Array.from(atob(perpCode), c => c.charCodeAt(0))]);
  return { wasmBinary: await new Response(packed.stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer() };
}
const ready = unpack().then(perpModule).then(module => { M = module; });

/* A function of web/play.h that answers by a text. */
function ask(name, types, args) {
  const result = JSON.parse(M.ccall(name, 'string', types, args));
  if (result.error !== undefined) throw new Error(result.error);
  return result;
}
/* Calls f with the address of these numbers. */
function withNumbers(numbers, f) {
  const at = M._malloc(8 * Math.max(1, numbers.length));
  M.HEAPF64.set(numbers, at / 8);
  try { return f(at); } finally { M._free(at); }
}

/* ---- Problems ---- */

let now = { key: null, info: null };

function writeFiles(files) {
  try { for (const name of M.FS.readdir('/given')) if (name[0] !== '.') M.FS.unlink(`/given/${name}`); } catch { M.FS.mkdir('/given'); }
  for (const [name, text] of Object.entries(files)) M.FS.writeFile(`/given/${name}`, text);
  return '/given';
}
/* `problem`: a text for a generator, {A, b, lo, hi} as rows and numbers, {files}, or {place}. */
function take(problem) {
  const key = JSON.stringify(problem);
  if (now.key === key && !problem.place) return now.info;
  now = { key: null, info: null };
  let info;
  if (typeof problem === 'string') info = ask('play_problem_generate', ['string'], [problem]);
  else if (problem.files) info = ask('play_problem_folder', ['string'], [writeFiles(problem.files)]);
  else {
    const { A, b, lo, hi } = problem, n = b.length, bounded = lo && hi;
    info = withNumbers([...A.flat(), ...b, ...(bounded ? [...lo, ...hi] : [])], at => ask('play_problem_dense', ['number', 'number', 'number'], [n, at, bounded ? 1 : 0]));
  }
  now = { key, info };
  return info;
}
function readFolder(path) {
  const files = {};
  for (const name of M.FS.readdir(path)) if (name[0] !== '.') files[name] = M.FS.readFile(`${path}/${name}`, { encoding: 'utf8' });
  return files;
}
let folders = 0; /* each is written once */

const problems = {
  problem: ({ problem }) => take(problem),
  run({ problem, method, settings = '', tol = 1e-8, iterations = 0, seconds = 0, start }) {
    take(problem);
    const go = at => ask('play_run', ['string', 'string', 'number', 'number', 'number', 'number'], [method, settings, tol, iterations, seconds, at]);
    return start ? withNumbers(start, go) : go(0);
  },
  solutions({ problem }) { take(problem); return ask('play_enumerate', [], []); },
  merit({ problem, kind, box, fields }) {
    take(problem);
    const at = M._malloc(8 * fields * fields);
    const fine = M.ccall('play_merit', 'number', Array(7).fill('number'), [kind, ...box, fields, at]);
    const values = M.HEAPF64.slice(at / 8, at / 8 + fields * fields);
    M._free(at);
    if (!fine) throw new Error('no merit');
    return values;
  },
  pattern({ problem, fields }) { take(problem); return ask('play_pattern', ['number'], [fields]); },
  spectrum({ problem, most }) { take(problem); return ask('play_spectrum', ['number'], [most]); },
  save({ problem }) {
    take(problem);
    const path = `/saved${folders++}`;
    ask('play_problem_write', ['string'], [path]);
    return readFolder(path);
  },
};

/* ---- Scenes ---- */

const NUMBERS = ['done', 'index', 'time', 'rows', 'contacts', 'active', 'solved', 'residual', 'iterations', 'solve', 'step', 'kinetic', 'potential', 'penetration', 'volume', 'outcome'];
const KINDS = { set: 0, hold: 1, release: 2, add: 3, remove: 4, pour: 5, stir: 6, wall: 7 };
const SHAPES = { disc: 0, polygon: 1, sphere: 2, box: 3, capsule: 4 };
const boxes = []; /* of each place: what there is to look at, for shares of it */

function act(place, { kind, shape = -1, name = '', value = 1, radius = 0, at = [0, 0, 0], to = [0, 0, 0], body }) {
  const like = body ? [SHAPES[body.kind], ...body.size, body.corner ? body.corner.length / 2 : 0, ...(body.corner || [])] : [0, 0, 0, 0, 0];
  withNumbers([at[0], at[1], at[2] || 0, to[0], to[1], to[2] || 0, ...like], p => ask('play_scene_act', ['number', 'number', 'number', 'string', 'number', 'number', 'number', 'number'], [place, KINDS[kind], shape, name, value, radius, p, p + 48]));
}
const doubles = (at, count) => M.HEAPF64.subarray(at / 8, at / 8 + count);
const byte = v => Math.max(0, Math.min(255, Math.round(255 * v)));

function pressures(at, count) {
  const p = doubles(at, count);
  let lo = 0, hi = 0;
  for (const v of p) { if (v < lo) lo = v; if (v > hi) hi = v; }
  return { ends: Float32Array.of(lo, hi), bytes: Uint8Array.from(p, v => hi > lo ? byte((v - lo) / (hi - lo)) : 0) };
}
/* What there is to see, in the form of viewer.js. */
function look(place, at) {
  const n = M.HEAPF64.subarray(at / 8 + 16, at / 8 + 27), [shapes, pose, load, state, particles, particle, shade, pressure, touch, contacts, contact] = n;
  const { dimension: D, lo, hi } = boxes[place], view = {
    pose: Float32Array.from(doubles(pose, shapes * (D === 3 ? 7 : 3))),
    load: load ? Float32Array.from(doubles(load, shapes)) : new Float32Array(0),
    state: state ? Uint8Array.from(M.HEAP32.subarray(state / 4, state / 4 + shapes)) : new Uint8Array(0),
    particle: new Uint16Array(D * particles), first: [0, particles],
    shade: shade ? Uint8Array.from(doubles(shade, particles), byte) : new Uint8Array(0),
    touch: touch ? Uint8Array.from(M.HEAP32.subarray(touch / 4, touch / 4 + particles)) : new Uint8Array(0),
    pressure: new Uint8Array(0), pressures: new Float32Array(2),
    arrow: Float32Array.from(doubles(contact, contacts * 2 * D)),
  };
  const x = doubles(particle, D * particles);
  for (let k = 0; k < x.length; k++) view.particle[k] = Math.max(0, Math.min(65535, Math.round(65535 * (x[k] - lo[k % D]) / (hi[k % D] - lo[k % D]))));
  if (pressure) { const p = pressures(pressure, particles); view.pressure = p.bytes; view.pressures = p.ends; }
  return view;
}
const shapesOf = place => { const told = ask('play_scene_shapes', ['number'], [place]); boxes[place] = told; return told; };

const scenes = {
  list: () => ask('play_list', [], []),
  create({ place, scene, method, tol = 1e-4, iterations = 0, seconds = 0, warm = true }) {
    const told = ask('play_scene_create', ['number', 'string', 'string', 'number', 'number', 'number', 'number'], [place, scene, method, tol, iterations, seconds, warm ? 1 : 0]);
    boxes[place] = told;
    return { ...told, view: look(place, M.ccall('play_scene_view', 'number', ['number'], [place])) };
  },
  options: ({ place, tol, iterations, seconds, warm }) => ask('play_scene_options', ['number', 'number', 'number', 'number', 'number'], [place, tol, iterations, seconds, warm ? 1 : 0]),
  follow: ({ place, from }) => ask('play_scene_follow', ['number', 'number'], [place, from]),
  end({ place }) { M.ccall('play_scene_end', null, ['number'], [place]); return {}; },
  memory: () => ({ bytes: M.HEAPF64.buffer.byteLength }),
  hash: ({ place }) => ask('play_scene_hash', ['number'], [place]),
  /* The actions, then so many steps, in each place; `shapes` if bodies came or went. */
  frame({ places, actions = [], steps = 1 }) {
    return places.map(place => {
      const errors = [];
      for (const action of actions) try { act(place, action); } catch (error) { errors.push(error.message); }
      let at = M.ccall('play_scene_view', 'number', ['number'], [place]), numbers = null;
      for (let k = 0; k < steps; k++) {
        at = M.ccall('play_scene_step', 'number', ['number'], [place]);
        const told = M.HEAPF64.subarray(at / 8, at / 8 + 16);
        if (!told[0]) throw new Error(M.ccall('play_scene_trouble', 'string', [], []));
        numbers = Object.fromEntries(NUMBERS.map((name, i) => [name, told[i]]));
      }
      const shapes = actions.some(a => a.kind === 'add' || a.kind === 'remove') ? shapesOf(place).shapes : undefined;
      return { view: look(place, at), numbers, shapes, errors, trouble: M.ccall('play_scene_trouble', 'string', [], []) };
    });
  },
  /* The problem of the last step, as files. */
  step({ place }) {
    const path = `/saved${folders++}`;
    ask('play_scene_write', ['number', 'string'], [place, path]);
    return readFolder(path);
  },
};

const calls = { ...problems, ...scenes };
onmessage = async ({ data: { id, call, args } }) => {
  try {
    await ready;
    postMessage({ id, result: calls[call](args || {}) });
  } catch (error) { /* after a trap or an abort nothing in the module can be trusted */
    const broken = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
    postMessage({ id, error: broken ? `the solver broke off, there may be too little memory (${error.message})` : String(error.message || error), broken });
  }
};
