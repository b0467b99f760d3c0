/* node web/hash.js MODULE.js SCENE METHOD STEPS: the hash of all positions, as tests/data/bits.txt
 * has it */
'use strict';
const [, , file, scene, method, steps] = process.argv;
const wasmBinary =
    require('fs').readFileSync(file.replace(/js$/, 'wasm')); /* node would fetch it */
require(require('path').resolve(file))({wasmBinary}).then(M => {
  const ask = (name, types, args) => JSON.parse(M.ccall(name, 'string', types, args));
  const made = ask(
      'play_scene_create', ['number', 'string', 'string', 'number', 'number', 'number', 'number'],
      [0, scene, method, 1e-8, 0, 0, 1]);
  if (made.error) throw new Error(made.error);
  let iterations = 0;
  for (let k = 0; k < +steps; k++) {
    const at = M.ccall('play_scene_step', 'number', ['number'], [0]) / 8;
    if (!M.HEAPF64[at]) throw new Error(M.ccall('play_scene_trouble', 'string', [], []));
    iterations += M.HEAPF64[at + 8];
  }
  console.log(`${ask('play_scene_hash', ['number'], [0]).hash} ${iterations}`);
});
