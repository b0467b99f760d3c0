/* types.cts: the types of the package for files that TypeScript compiles to require() */
import {load} from 'perp-lcp';
import perp = require('perp-lcp');

export const first: Promise<number> = load().then(one => one.solveLcp([[1]], [-1]).x[0]);
export const version: Promise<string> = perp.load().then(one => one.version);
// @ts-expect-error no such function
perp.unload();
