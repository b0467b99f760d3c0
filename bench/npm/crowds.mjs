/* crowds.mjs: an engine of npm as the child of adapters/scenes/npm.cpp, which has the scene and measures the poses
 *
 *   node crowds.mjs PEERS ENGINE
 *
 * Reads a line of JSON, the scene: {dt, gravity, adapts, bodies}; z points up, turns are w, x, y, z. Answers with a line, the engine's
 * version. Each further line that it reads is a number of sweeps, 0 for the engine's own: it makes a step and writes doubles, CPU
 * seconds of the step, and seven for each body that tell where it is. */
import {readSync, writeSync} from 'node:fs';
import {resolve} from 'node:path';
import {engines} from './engines.mjs';
import {cpuTime, imported} from './packages.mjs';

/* The engines have y up: (x, y, z) is (x, z, -y) there. */
const up = ([x, y, z]) => [x, z, -y], down = ([x, y, z]) => [x, -z, y];
const body = b => ({...b, half: [b.half[0], b.half[2], b.half[1]], at: up(b.at), turn: 0, q: [...up(b.turn.slice(1)), b.turn[0]]});

function read(count) {
  const bytes = Buffer.alloc(count), got = readSync(0, bytes, 0, count, null);
  return got ? bytes.toString('latin1', 0, got) : null;
}
function line() {
  let text = '';
  for (let part = read(65536); part; part = read(65536)) {
    text += part;
    if (part.endsWith('\n')) return text;
  }
  return null;
}
function write(bytes) {
  for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at);
}

console.log = console.info = console.error; /* what an engine prints */
const [peers, name] = [resolve(process.argv[2]), process.argv[3]], {dt, gravity, adapts, bodies} = JSON.parse(line());
const scene = {dt, gravity: [0, -gravity, 0], mu: bodies[0].mu, ground: [], bodies: bodies.map(body), memory: '1G', mujoco: adapts ? 'solver="CG"' : ''};
const {url, version} = imported(engines[name], peers), world = await engines[name].make(scene, await import(url));
write(Buffer.from(`${name} ${version}\n`));
for (let text = line(); text; text = line()) {
  const sweeps = Number(text) || undefined, from = cpuTime();
  world.step(sweeps);
  const seconds = (cpuTime() - from) / 1000;
  write(Buffer.from(new Float64Array([seconds, ...world.poses().flatMap(({p, q}) => [...down(p), q[3], ...down(q)])]).buffer));
}
process.exit(0);
