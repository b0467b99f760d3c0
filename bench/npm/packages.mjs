/* packages.mjs: where the engines' packages are, and the clock of all measurements */
import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

export const PACKAGE = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'build-npm', 'package');

/* The file that `import NAME` would read from a folder of packages */
function entry(folder, name) {
  const at = join(folder, 'node_modules', name), about = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'));
  let file = about.exports?.['.'] ?? about.module ?? about.main;
  while (typeof file === 'object') file = file.import ?? file.default;
  return {url: pathToFileURL(join(at, file)).href, version: about.version};
}
/* {url, version} of an engine of engines.mjs */
export function imported(engine, peers) {
  return engine.from ? entry(peers, engine.from) : {url: pathToFileURL(join(PACKAGE, 'index.mjs')).href,
                                                    version: JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')).version};
}

/* Milliseconds. The time limit of perp-lcp reads performance.now: other work on the machine must not shorten its solves. */
export function cpuTime() {
  const {user, system} = process.cpuUsage();
  return (user + system) / 1000;
}
