/* types.mts: what the types of the package allow and refuse, by import; tsc --strict reads it, nothing runs it */
import {load, type Perp, type Result} from 'perp-lcp';
import {createWorker} from 'perp-lcp/worker';

const perp: Perp = await load({wasm: new Uint8Array(8)});
const r: Result = perp.solveLcp([[2, -1], [-1, 2]], [-1, 0.8], {tol: 1e-10, timeLimit: 1, start: new Float32Array(2)});
perp.solveLcp({start: new Int32Array(3), column: [0, 1], value: new Float64Array(2)}, r.x);
const boxed: string = perp.solveBoxed(new Float64Array(1), r.y, {lo: [0], hi: [1], findex: [-1], mu: [], dim: new Int32Array(0), law: []}).outcome;
const velocities: Float64Array = perp.solveContacts({bodies: 1, body: [0, -1], J: [], Minv: [], v: []}, {maxIterations: 9}).v;
const objective: number = perp.solveQp({P: [[1]], q: [1], G: [[1]], l: [0], lb: [0]}, {method: 'ipm'}).objective;
const worker = await createWorker();
export const all: [string, Float64Array, number, Float64Array] = [boxed, velocities, objective, (await worker.solveQp({q: [1]})).x];
await worker.terminate();

// @ts-expect-error A is no text
perp.solveLcp('1', [1]);
// @ts-expect-error no such option
perp.solveLcp([[1]], [1], {maxiter: 1});
// @ts-expect-error an LCP has no bounds
perp.solveLcp([[1]], [1], {lo: [0]});
// @ts-expect-error q is missing
perp.solveQp({P: [[1]]});
// @ts-expect-error a program has no A
perp.solveQp({q: [1], A: [[1]]});
// @ts-expect-error contacts have no method
perp.solveContacts({bodies: 1, body: [0, -1], J: [], Minv: [], v: []}, {method: 'pgs'});
// @ts-expect-error a promise has no x
worker.solveLcp([[1]], [1]).x;
