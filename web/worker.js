/* web/worker.js: runs the library in a worker, so that the page never waits for a solve
 *
 * A message is {id, call, args}, its answer {id, result} or {id, error}. Requests about problems
 * carry the problem, so that instruments do not disturb each other; the last one is kept. */
'use strict';

let M = null;
/* perpCode: the WebAssembly, compressed by gzip, in base64. */
async function unpack() {
  const packed = new Blob([Uint8Array.from(atob(perpCode), c => c.charCodeAt(0))]);
  return {
    wasmBinary: await new Response(packed.stream().pipeThrough(new DecompressionStream('gzip')))
                    .arrayBuffer()
  };
}
const ready = unpack().then(perpModule).then(module => {
  M = module;
});

/* A function of web/play.h that answers by a text. */
function ask(name, types, args) {
  const result = JSON.parse(M.ccall(name, 'string', types, args));
  if (result.error !== undefined) throw new Error(result.error);
  return result;
}
/* Calls f with the address of these numbers. */
function withNumbers(numbers, f) {
  const at = M._malloc(8 * Math.max(1, numbers.length));
  if (!at) throw new RangeError('no memory'); /* 0 is a place like any other */
  M.HEAPF64.set(numbers, at / 8);
  try {
    return f(at);
  } finally {
    M._free(at);
  }
}

/* ---- Problems ---- */

let now = {key: null, info: null};

function writeFiles(files) {
  try {
    for (const name of M.FS.readdir('/given'))
      if (name[0] !== '.') M.FS.unlink(`/given/${name}`);
  } catch {
    M.FS.mkdir('/given');
  }
  for (const [name, text] of Object.entries(files)) M.FS.writeFile(`/given/${name}`, text);
  return '/given';
}
/* A and b as text: rows of numbers, one on each line or between semicolons, or lists in lists. */
function parseNumbers(name, text) {
  const rows = text.replace(/[−–]/g, '-')
                   .replace(/\]\s*,/g, ';')
                   .split(/[\n;]+/)
                   .map(line => line.replace(/[[\](){}]/g, ' ').split(/[\s,]+/).filter(t => t))
                   .filter(row => row.length);
  rows.forEach((row, i) => {
    const bad = row.find(t => !isFinite(t));
    if (bad) throw new Error(`${name}, row ${i}: '${bad.slice(0, 40)}' is not a number`);
  });
  return rows.map(row => row.map(Number));
}
function parseProblem(textA, textB) {
  const A = parseNumbers('A', textA), b = parseNumbers('b', textB).flat(), n = A.length;
  if (!n) throw new Error('A is empty');
  const bad = A.findIndex(row => row.length !== n);
  if (bad >= 0) throw new Error(`A has ${n} rows, but row ${bad} has ${A[bad].length} numbers`);
  if (b.length !== n) throw new Error(`A has ${n} rows, b has ${b.length} numbers`);
  return {A, b};
}
/* `problem`: a text for a generator, {A, b, lo, hi} as rows and numbers, {A, b} as texts, {files};
 * null: the last one. */
function take(problem) {
  if (problem === null) {
    if (!now.info) throw new Error('no problem is loaded');
    return now.info;
  }
  const key = JSON.stringify(problem);
  if (now.key === key) return now.info;
  now = {key: null, info: null};
  let info;
  if (typeof problem === 'string')
    info = ask('play_problem_generate', ['string'], [problem]);
  else if (problem.files)
    info = ask('play_problem_folder', ['string'], [writeFiles(problem.files)]);
  else {
    const {A, b, lo, hi} =
        typeof problem.A === 'string' ? parseProblem(problem.A, problem.b) : problem,
                     n = b.length, bounded = lo && hi;
    info = withNumbers(
        [...A.flat(), ...b, ...(bounded ? [...lo, ...hi] : [])],
        at => ask('play_problem_dense', ['number', 'number', 'number'], [n, at, bounded ? 1 : 0]));
  }
  now = {key, info};
  return info;
}
/* The files of a folder, which is gone afterwards. */
function takeFolder(path) {
  const files = {};
  for (const name of M.FS.readdir(path))
    if (name[0] !== '.') {
      files[name] = M.FS.readFile(`${path}/${name}`, {encoding: 'utf8'});
      M.FS.unlink(`${path}/${name}`);
    }
  M.FS.rmdir(path);
  return files;
}

const problems = {
  problem: ({problem}) => take(problem),
  run({problem, method, settings = '', tol = 1e-8, iterations = 0, seconds = 0, start}) {
    take(problem);
    const go = at =>
        ask('play_run', ['string', 'string', 'number', 'number', 'number', 'number'],
            [method, settings, tol, iterations, seconds, at]);
    return start ? withNumbers(start, go) : go(0);
  },
  solutions({problem}) {
    take(problem);
    return ask('play_enumerate', [], []);
  },
  merit({problem, kind, box, fields}) {
    take(problem);
    const at = M._malloc(8 * fields * fields);
    const fine =
        M.ccall('play_merit', 'number', Array(7).fill('number'), [kind, ...box, fields, at]);
    const values = M.HEAPF64.slice(at / 8, at / 8 + fields * fields);
    M._free(at);
    if (!fine) throw new Error('no merit');
    return values;
  },
  pattern({problem, fields}) {
    take(problem);
    return ask('play_pattern', ['number'], [fields]);
  },
  spectrum({problem, most}) {
    take(problem);
    return ask('play_spectrum', ['number'], [most]);
  },
  save({problem}) {
    take(problem);
    ask('play_problem_write', ['string'], ['/saved']);
    return takeFolder('/saved');
  },
};

/* ---- Scenes ---- */

const NUMBERS = [
  'done', 'index', 'time', 'rows', 'contacts', 'active', 'solved', 'residual', 'iterations',
  'solve', 'step', 'kinetic', 'potential', 'penetration', 'volume', 'outcome'
];
const KINDS = {
  set: 0,
  hold: 1,
  release: 2,
  add: 3,
  remove: 4,
  pour: 5,
  stir: 6,
  wall: 7
};
const SHAPES = {
  disc: 0,
  polygon: 1,
  sphere: 2,
  box: 3,
  capsule: 4
};
const boxes = []; /* of each place: what there is to look at, for shares of it */

function act(
    place,
    {kind, shape = -1, name = '', value = 1, radius = 0, at = [0, 0, 0], to = [0, 0, 0], body}) {
  const like = body ?
      [
        SHAPES[body.kind], ...body.size, body.corner ? body.corner.length / 2 : 0,
        ...(body.corner || [])
      ] :
      [0, 0, 0, 0, 0];
  withNumbers(
      [at[0], at[1], at[2] || 0, to[0], to[1], to[2] || 0, ...like],
      p =>
          ask('play_scene_act',
              ['number', 'number', 'number', 'string', 'number', 'number', 'number', 'number'],
              [place, KINDS[kind], shape, name, value, radius, p, p + 48]));
}
const doubles = (at, count) => M.HEAPF64.subarray(at / 8, at / 8 + count);
/* Plain loops: typed arrays made by `from` with a function take a hundred times as long. */
function bytesOf(from, lo, hi) {
  const to = new Uint8Array(from.length), scale = hi > lo ? 255 / (hi - lo) : 0;
  for (let k = 0; k < to.length; k++) {
    const v = scale * (from[k] - lo) + 0.5;
    to[k] = v < 0 ? 0 : v > 255 ? 255 : v;
  }
  return to;
}
function pressures(at, count) {
  const p = doubles(at, count);
  let lo = 0, hi = 0;
  for (let k = 0; k < count; k++) {
    if (p[k] < lo) lo = p[k];
    if (p[k] > hi) hi = p[k];
  }
  return {pressures: Float32Array.of(lo, hi), pressure: bytesOf(p, lo, hi)};
}
/* Coordinates as shares of the box, in 65535 steps. */
function placesOf(from, D, {lo, hi}) {
  const to = new Uint16Array(from.length);
  for (let d = 0; d < D; d++) {
    const low = lo[d], scale = 65535 / (hi[d] - lo[d]);
    for (let k = d; k < to.length; k += D) {
      const v = scale * (from[k] - low) + 0.5;
      to[k] = v < 0 ? 0 : v > 65535 ? 65535 : v;
    }
  }
  return to;
}
/* Returns the current view, in the form of viewer.js. */
function look(place, at) {
  const n = M.HEAPF64.subarray(at / 8 + 16, at / 8 + 27), [
    shapes, pose, load, state, particles, particle, shade, pressure, touch, contacts, contact
  ] = n;
  const {dimension: D} = boxes[place];
  return {
    pose: new Float32Array(doubles(pose, shapes * (D === 3 ? 7 : 3))),
    load: new Float32Array(load ? doubles(load, shapes) : 0),
    state: new Uint8Array(state ? M.HEAP32.subarray(state / 4, state / 4 + shapes) : 0),
    particle: placesOf(doubles(particle, D * particles), D, boxes[place]),
    first: [0, particles],
    shade: shade ? bytesOf(doubles(shade, particles), 0, 1) : new Uint8Array(0),
    touch: new Uint8Array(touch ? M.HEAP32.subarray(touch / 4, touch / 4 + particles) : 0),
    arrow: new Float32Array(doubles(contact, contacts * 2 * D)),
    ...(pressure ? pressures(pressure, particles) :
                   {pressure: new Uint8Array(0), pressures: new Float32Array(2)}),
  };
}
/* The arrays of an answer are handed over, not copied. */
function buffersOf(result) {
  const views = Array.isArray(result) ? result.map(r => r.view) : [result?.view];
  return views.flatMap(
      view =>
          view ? Object.values(view).filter(v => ArrayBuffer.isView(v)).map(v => v.buffer) : []);
}
const shapesOf = place => {
  const told = ask('play_scene_shapes', ['number'], [place]);
  boxes[place] = told;
  return told;
};

const scenes = {
  list: () => ask('play_list', [], []),
  create({place, scene, method, tol = 1e-4, iterations = 0, seconds = 0, warm = true}) {
    const told = ask(
        'play_scene_create', ['number', 'string', 'string', 'number', 'number', 'number', 'number'],
        [place, scene, method, tol, iterations, seconds, warm ? 1 : 0]);
    boxes[place] = told;
    return {...told, view: look(place, M.ccall('play_scene_view', 'number', ['number'], [place]))};
  },
  options: ({place, tol, iterations, seconds, warm}) =>
      ask('play_scene_options', ['number', 'number', 'number', 'number', 'number'],
          [place, tol, iterations, seconds, warm ? 1 : 0]),
  follow: ({place, from}) => ask('play_scene_follow', ['number', 'number'], [place, from]),
  end({place}) {
    M.ccall('play_scene_end', null, ['number'], [place]);
    return {};
  },
  memory: () => ({bytes: M.HEAPF64.buffer.byteLength}),
  hash: ({place}) => ask('play_scene_hash', ['number'], [place]),
  /* Runs the actions, then `steps` steps, in each place; returns `shapes` if bodies came or went.
   */
  frame({places, actions = [], steps = 1}) {
    return places.map(place => {
      const errors = [];
      for (const action of actions) try {
          act(place, action);
        } catch (error) {
          errors.push(error.message);
        }
      let at = M.ccall('play_scene_view', 'number', ['number'], [place]), numbers = null;
      for (let k = 0; k < steps; k++) {
        at = M.ccall('play_scene_step', 'number', ['number'], [place]);
        const told = M.HEAPF64.subarray(at / 8, at / 8 + 16);
        if (!told[0]) throw new Error(M.ccall('play_scene_trouble', 'string', [], []));
        numbers = Object.fromEntries(NUMBERS.map((name, i) => [name, told[i]]));
      }
      const shapes = actions.some(a => a.kind === 'add' || a.kind === 'remove') ?
          shapesOf(place).shapes :
          undefined;
      return {
        view: look(place, at),
        numbers,
        shapes,
        errors,
        trouble: M.ccall('play_scene_trouble', 'string', [], [])
      };
    });
  },
  /* The problem of the last step, as files. */
  step({place}) {
    ask('play_scene_write', ['number', 'string'], [place, '/saved']);
    return takeFolder('/saved');
  },
};

const calls = {
  ...problems,
  ...scenes
};
onmessage = async ({data: {id, call, args}}) => {
  try {
    await ready;
    const result = calls[call](args || {});
    postMessage({id, result}, buffersOf(result));
  } catch (error) { /* after a trap or an abort nothing in the module can be trusted */
    const broken = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
    postMessage({
      id,
      error: broken ? `the solver broke off, there may be too little memory (${error.message})` :
                      String(error.message || error),
      broken
    });
  }
};
