/* worker.mjs: the same functions in a thread of its own, each with a promise: const perp = await createWorker()
 *
 * The file is both sides: a worker that runs it answers, everybody else imports createWorker. */
import {load} from './index.mjs';

const node = globalThis.process?.versions?.node ? await import('node:worker_threads') : null;
const inside = node ? !node.isMainThread && node.workerData === 'perp-lcp' :
                      typeof WorkerGlobalScope === 'function' && self instanceof WorkerGlobalScope && self.name === 'perp-lcp';

if (inside) {
  const port = node ? node.parentPort : self;
  const answer = async ({id, call, args}) => {
    try {
      const perp = await load();
      port.postMessage({id, result: call === 'version' ? perp.version : perp[call](...args)});
    } catch ({name, message}) {
      port.postMessage({id, error: {name, message}});
    }
  };
  node ? port.on('message', answer) : (port.onmessage = event => answer(event.data));
}

export async function createWorker() {
  const url = new URL(import.meta.url), waiting = new Map(),
        worker = node ? new node.Worker(url, {workerData: 'perp-lcp'}) : new Worker(url, {type: 'module', name: 'perp-lcp'});
  let next = 1, ended = '';
  const endAll = why => {
    ended ||= why;
    waiting.forEach(({fail}) => fail(new Error(why)));
    waiting.clear();
  };
  const told = ({id, result, error}) => {
    const one = waiting.get(id);
    waiting.delete(id);
    if (!one) return;
    if (!error) return one.done(result);
    one.fail(new ({TypeError, RangeError}[error.name] ?? Error)(error.message));
  };
  if (node) {
    worker.on('message', told);
    worker.on('error', error => endAll(`perp: the worker ended: ${error.message}`));
  } else {
    worker.onmessage = event => told(event.data);
    worker.onerror = event => endAll(`perp: the worker ended: ${event.message}`);
  }
  const ask = (call, args) => new Promise((done, fail) => {
    if (ended) throw new Error(ended);
    worker.postMessage({id: next, call, args}); /* throws if an argument cannot be copied */
    waiting.set(next++, {done, fail});
  });
  const version = await ask('version', []), one = call => (...args) => ask(call, args);
  return {
    version,
    solveLcp: one('solveLcp'),
    solveBoxed: one('solveBoxed'),
    solveContacts: one('solveContacts'),
    solveQp: one('solveQp'),
    /* Ends the thread; what runs is rejected, and so is what comes later. */
    async terminate() {
      await worker.terminate();
      endAll('perp: the worker was terminated');
    },
  };
}
