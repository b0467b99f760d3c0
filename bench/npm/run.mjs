#!/usr/bin/env node
/* run.mjs: perp-lcp beside the physics engines of npm, on scenes that all of them can express
 *
 *   npm install --prefix PEERS @dimforge/rapier3d-compat @dimforge/rapier2d-compat jolt-physics box2d3-wasm @mujoco/mujoco
 *   tools/build-npm && node bench/npm/run.mjs PEERS [--repeats 3] [--csv FILE] [--engine NAME] [--scene NAME]
 *
 *   node bench/npm/run.mjs --page [--check]     writes docs/notes/npm-engines.md from bench/results/MACHINE/npm.csv
 *
 * Each run is a separate process; engines alternate, and the median of the repeats counts. Time is CPU time of whole steps
 * (collisions, solve, motion; perp-lcp has collisions in JavaScript), 1/60 s each. What the scenes should do is stand, so that
 *   overlap   the largest depth by which two boxes overlap, in mm, after the first half second
 *   late      steps that took more than 1/60 s of CPU time
 *   drift     the farthest that a box is from where it began, in mm; of `slide`, from where Coulomb's law puts it
 * are errors. Both are measured by boxes.mjs from the poses. */
import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {STEP, add, overlap, poseOf, scenes, slid} from './boxes.mjs';
import {engines} from './engines.mjs';
import {PACKAGE, cpuTime, imported} from './packages.mjs';

const here = dirname(fileURLToPath(import.meta.url));

async function one(name, sceneName, peers) {
  const engine = engines[name], scene = scenes[sceneName], module = await import(imported(engine, peers).url);
  if (!engine.from) Object.defineProperty(performance, 'now', {value: cpuTime});
  const world = await engine.make(scene, module);
  let cpu = 0, deepest = 0, late = 0;
  for (let k = 1; k <= scene.steps; k++) {
    const from = cpuTime();
    world.step();
    const ms = cpuTime() - from;
    cpu += ms;
    late += ms > 1000 * STEP;
    if (k >= 30 && k % 5 === 0) deepest = Math.max(deepest, overlap(scene.bodies, world.poses()));
  }
  const expected = sceneName === 'slide' ? [slid(scene), 0, 0] : [0, 0, 0];
  const drift = Math.max(...world.poses().map(({p}, k) => Math.hypot(...add(add(p, poseOf(scene.bodies[k]).p, -1), expected, -1))));
  console.log(JSON.stringify({ms: cpu / scene.steps, late, overlap: deepest * 1000, drift: drift * 1000, report: world.report}));
}

const median = list => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const figure = v => !Number.isFinite(v) ? 'none' : v === 0 ? '0' : v >= 100 ? v.toFixed(0) : v >= 0.01 ? v.toPrecision(3) : v.toExponential(1);

function main(args) {
  const option = (name, otherwise) => args.includes(name) ? args[args.indexOf(name) + 1] : otherwise;
  const peers = resolve(args[0] ?? '.'), repeats = Number(option('--repeats', 3)), lines = [];
  if (!existsSync(PACKAGE)) throw new Error('there is no build-npm/package: tools/build-npm makes it');
  const chosen = Object.keys(engines).filter(e => (option('--engine', e)) === e && (!engines[e].from || existsSync(join(peers, 'node_modules', engines[e].from))));
  for (const [sceneName, scene] of Object.entries(scenes)) {
    if (option('--scene', sceneName) !== sceneName) continue;
    const runs = Object.fromEntries(chosen.map(e => [e, []]));
    for (let k = 0; k < repeats; k++)
      for (const e of chosen) {
        const r = spawnSync(process.execPath, [fileURLToPath(import.meta.url), '--one', e, sceneName, peers], {encoding: 'utf8', timeout: 480000});
        const line = r.stdout.trim().split('\n').pop();
        if (r.status === 0) runs[e].push(JSON.parse(line));
        else console.error(`${sceneName}, ${e}: ${r.stderr.trim().split('\n').slice(-3).join(' | ')}`);
      }
    console.log(`\n${sceneName}: ${scene.text}, ${scene.steps} steps\n${'engine'.padEnd(12)}${'CPU ms a step'.padStart(14)}${'late'.padStart(6)}${'overlap mm'.padStart(12)}${'drift mm'.padStart(12)}${'solved'.padStart(12)}`);
    for (const e of chosen) {
      if (!runs[e].length) continue;
      const of = key => median(runs[e].map(r => r[key])), report = runs[e][0].report;
      console.log(`${e.padEnd(12)}${of('ms').toFixed(3).padStart(14)}${String(of('late')).padStart(6)}${figure(of('overlap')).padStart(12)}${figure(of('drift')).padStart(12)}${(report ? `${report.solved}/${report.steps}` : '').padStart(12)}`);
      lines.push([sceneName, e, imported(engines[e], peers).version, of('ms').toFixed(4), of('late'), of('overlap').toPrecision(4), of('drift').toPrecision(4), report?.solved ?? '', scene.steps].join(','));
    }
  }
  const csv = option('--csv');
  if (!csv) return;
  /* those of other scenes stay */
  const head = 'scene,engine,version,cpu_ms_a_step,late_steps,overlap_mm,drift_mm,solved,steps', old = existsSync(csv) ? readFileSync(csv, 'utf8').trim().split('\n').slice(1) : [];
  const here = new Set(lines.map(line => line.split(',')[0]));
  writeFileSync(csv, [head, ...old.filter(line => !here.has(line.split(',')[0])), ...lines].join('\n') + '\n');
}

/* The law of a slide is x = a t^2 / 2; velocities that a step updates first make it a t (t + h) / 2. */
const slideError = () => (1000 * slid(scenes.slide) / scenes.slide.steps).toFixed(1);
const PAGE = `# perp-lcp and the engines of npm

Made by \`bench/npm/run.mjs --page\` from \`bench/results\`; do not edit.

## Question

In Node, how well do boxes stand if \`perp-lcp\` solves their contacts, and if a physics engine of npm does? What does it cost?

## Method

[bench/npm/run.mjs](../../bench/npm/run.mjs) says how to fetch the engines and to run it.

The same boxes, masses, friction and gravity in each engine, 60 steps a second. The engines keep the settings of their
packages, but nothing may sleep. perp-lcp solves to 1e-8 with exact Coulomb cones, in a loop of 100 lines of JavaScript that
finds contacts and moves boxes. \`perp-lcp 16\` has at most 16 ms of CPU time for a solve after the first half second.
Nothing should move, except in \`slide\`. The columns:

- \`CPU\`: CPU time of a whole step in milliseconds, and how many steps took longer than 1/60 s. WebAssembly is compiled within it.
- \`overlap\`: the largest depth by which two boxes overlap after the first half second, in mm.
- \`drift\`: how far a box is at the end from where it should be, in mm. In \`slide\`, steps of 1/60 s alone make ${slideError()}.
- \`solved\`: steps whose problem is solved to 1e-8; engines do not say.

Medians of one to three alternating runs. The machine was under load: CPU times may be off by a half.

## Result
`;
const READING = `
## Reading

Without a limit perp-lcp solves every step, and the boxes stay where they are, also under a heavy one. In the engines they sink
into each other, and a heavy box sinks far or throws the stack over: neither a fixed number of sweeps nor soft contacts carry
its weight to the floor. A box on a slope that friction should hold creeps in the engines, farthest with the soft contacts of MuJoCo. In \`slide\`
Box2D is closest because it makes four substeps.

If there is more than one box, perp-lcp takes more CPU time than every engine. Under the limit most steps of the wall are not solved; its bricks still overlap
and drift less than in any engine. Which steps the limit cuts short differs from run to run: the house of cards stood in the
run of this table, and fell in another.
`;
/* The text of the page, from the tables of all machines */
function page() {
  const results = join(here, '..', 'results'), parts = [PAGE];
  for (const machine of readdirSync(results).sort()) {
    const csv = join(results, machine, 'npm.csv');
    if (!existsSync(csv)) continue;
    const rows = readFileSync(csv, 'utf8').trim().split('\n').slice(1).map(line => line.split(','));
    const versions = [...new Map(rows.map(([, e, version]) => [e, version]))].filter(([e]) => e !== 'perp-lcp 16').map(([e, v]) => `${e} ${v}`);
    parts.push(`Machine \`${machine}\`; ${versions.join(', ')}.\n`);
    for (const [name, scene] of Object.entries(scenes)) {
      const own = rows.filter(r => r[0] === name);
      if (!own.length) continue;
      parts.push(`### \`${name}\`: ${scene.text}\n\n| engine | CPU | late | overlap | drift | solved |\n| --- | --- | --- | --- | --- | --- |`);
      const best = key => Math.min(...own.map(r => Number(r[key]))), mark = (r, key) => Number(r[key]) === best(key) ? `**${figure(Number(r[key]))}**` : figure(Number(r[key]));
      for (const r of own) parts.push(`| ${r[1]} | ${mark(r, 3)} | ${r[4]} | ${mark(r, 5)} | ${mark(r, 6)} | ${r[7] && `${r[7]} of ${r[8]}`} |`);
      parts.push('');
    }
  }
  return parts.join('\n').trimEnd() + '\n' + READING;
}
function writePage(check) {
  const path = join(here, '..', '..', 'docs', 'notes', 'npm-engines.md'), text = page();
  if (!check) writeFileSync(path, text);
  else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    console.error(`${path} is not what bench/npm/run.mjs --page writes`);
    process.exitCode = 1;
  }
}

if (process.argv[2] === '--page') writePage(process.argv[3] === '--check');
else if (process.argv[2] === '--one') await one(...process.argv.slice(3));
else main(process.argv.slice(2));
