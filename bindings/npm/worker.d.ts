import type { Contacts, ContactResult, Bounds, Matrix, Numbers, Options, Qp, QpResult, Result } from "./index.js";

export interface PerpWorker {
  readonly version: string;
  solveLcp(A: Matrix, b: Numbers, options?: Options): Promise<Result>;
  solveBoxed(A: Matrix, b: Numbers, options?: Options & Bounds): Promise<Result>;
  solveContacts(data: Contacts, options?: Omit<Options, "method">): Promise<ContactResult>;
  solveQp(qp: Qp, options?: Omit<Options, "start">): Promise<QpResult>;
  terminate(): Promise<void>;
}
export function createWorker(): Promise<PerpWorker>;
