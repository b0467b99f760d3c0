/** Numbers: a typed array of the right type is not converted. */
export type Numbers = ArrayLike<number>;
/** Compressed rows, columns ascending in each row; or row major; or an array of rows. */
export type Matrix = { start: Numbers; column: Numbers; value: Numbers } | Numbers | Numbers[];

export interface Options {
  /** A method by name; without it `auto` chooses. */
  method?: string;
  /** Solved at a natural residual of at most tol max |b|; 1e-8. */
  tol?: number;
  maxIterations?: number;
  /** Seconds; at the end of it the best x so far is returned. */
  timeLimit?: number;
  /** A start near the solution, such as the x of the last frame. */
  start?: Numbers;
}
/** K: lo <= x <= hi; a row with findex[i] = j >= 0 has its bounds times |x[j]|; with mu the first 3 mu.length rows are Coulomb cones (n, t, o). With dim the first rows are contacts of 1 to 6 rows: normal, slides, torsion, rolls. */
export interface Bounds {
  lo?: Numbers;
  hi?: Numbers;
  findex?: Numbers;
  /** A coefficient for each cone; with dim five for each contact: two slides, torsion, two rolls; 0 for axes that it does not have. */
  mu?: Numbers;
  /** Rows of each contact, 1 to 6. */
  dim?: Numbers;
  /** Of each contact: 0, one elliptic cone (without law); 1, separate discs for slides, torsion and rolls. */
  law?: Numbers;
}
export interface Verdict {
  solved: boolean;
  /** "solved", "iteration-limit", "time-limit", "infeasible", "ray", ... */
  outcome: string;
  method: string;
  message: string;
  iterations: number;
  seconds: number;
}
export interface Result extends Verdict {
  x: Float64Array;
  /** A x + b */
  y: Float64Array;
  /** Natural residual, recomputed for this x. */
  residual: number;
  relativeResidual: number;
}
export interface Contacts extends Bounds {
  /** Bodies that move. */
  bodies: number;
  /** Velocities of a body: 6 in space (default), 3 in the plane. */
  freedom?: number;
  /** Rows of a contact; 3 by default. */
  together?: number;
  /** Two for each contact; -1: one that never moves. */
  body: Numbers;
  /** rows x 2 x freedom */
  J: Numbers;
  /** freedom x freedom for each body */
  Minv: Numbers;
  /** Velocities without contacts. */
  v: Numbers;
  /** b = J v + c */
  c?: Numbers;
  cfm?: number;
}
export interface ContactResult extends Result {
  /** Velocities with contacts. */
  v: Float64Array;
}
/** Minimise x'P x / 2 + q'x with l <= G x <= u and lb <= x <= ub; what is not given is 0 or infinite. */
export interface Qp {
  /** Symmetric, or the upper triangle of a symmetric matrix; 0 by default. */
  P?: Matrix;
  q: Numbers;
  G?: Matrix;
  l?: Numbers;
  u?: Numbers;
  lb?: Numbers;
  ub?: Numbers;
}
export interface QpResult extends Verdict {
  x: Float64Array;
  /** Multipliers of the rows of G, and of the bounds. */
  z: Float64Array;
  w: Float64Array;
  objective: number;
  primal: number;
  dual: number;
  gap: number;
  complementarity: number;
}
export interface Perp {
  readonly version: string;
  solveLcp(A: Matrix, b: Numbers, options?: Options): Result;
  solveBoxed(A: Matrix, b: Numbers, options?: Options & Bounds): Result;
  solveContacts(data: Contacts, options?: Omit<Options, "method">): ContactResult;
  solveQp(qp: Qp, options?: Omit<Options, "start">): QpResult;
}
/** Compiles the module, once. wasm: the bytes of perp.wasm, if the page has loaded them itself. */
export function load(options?: { wasm?: ArrayBuffer | ArrayBufferView }): Promise<Perp>;
