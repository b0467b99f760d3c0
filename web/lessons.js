/* web/lessons.js: six short pages; every number in them is computed while you read */
'use strict';

/* Newton's method on min(x, A x + b) = 0 with full steps, for small dense A: rows with x_i > y_i are
 * free, the others get x_i = 0. The natural residual of each iterate. */
function undampedNewton(A, b, start, steps) {
  const n = b.length, residual = [];
  let x = [...start];
  for (let k = 0; k <= steps; k++) {
    const y = A.map((row, i) => row.reduce((sum, v, j) => sum + v * x[j], b[i]));
    residual.push(Math.max(...x.map((v, i) => Math.abs(Math.min(v, y[i])))));
    const free = x.map((v, i) => v > y[i] ? i : -1).filter(i => i >= 0), M = free.map(i => [...free.map(j => A[i][j]), -b[i]]), m = free.length;
    for (let c = 0; c < m; c++) { /* elimination with pivots */
      let p = c; for (let r = c; r < m; r++) if (Math.abs(M[r][c]) > Math.abs(M[p][c])) p = r;
      [M[c], M[p]] = [M[p], M[c]];
      for (let r = 0; r < m; r++) if (r !== c) { const f = M[r][c] / M[c][c]; for (let j = c; j <= m; j++) M[r][j] -= f * M[c][j]; }
    }
    x = Array(n).fill(0); free.forEach((i, r) => { x[i] = M[r][m] / M[r][r]; });
  }
  return { residual, x };
}

const para = text => { const p = el('p'); p.innerHTML = text; return p; };
const live = () => el('p.live', { 'aria-live': 'polite' }, 'computing …');
const fill = (p, html) => { p.innerHTML = html; };
const iterationsTo = (run, tol) => { const k = run.residual.findIndex(v => v !== null && v <= tol); return k < 0 ? null : run.iteration[k]; };
const orMore = (run, tol) => { const k = iterationsTo(run, tol); return k === null ? `not within ${run.iteration.at(-1) ?? 0}` : String(k); };

const LESSONS = [
  ['What complementarity is', root => {
    root.append(para('Two numbers are <em>complementary</em> if neither is negative and their product is 0: one of them has to be 0. A gap and the force that closes it are so: no force while there is a gap, no gap while there is a force. With y = A x + b for all gaps y and all forces x, that is a linear complementarity problem,'), para('<code>0 ≤ x ⊥ A x + b ≥ 0</code>.'),
      para('For two unknowns, write b = I y + (−A) x. In every row either y or x is 0, so b is made of one column of I or of −A for each row: it lies in one of four <em>complementary cones</em>. Drag b, then the columns.'));
    const a = live(), box = el('div');
    root.append(box, a);
    (async () => {
      const count = async (A, b) => (await ask('solutions', { problem: { A, b } })).solutions.length;
      const counts = await Promise.all([[[2, -1], [-1, 2]], [[0.5, 2], [2, 0.5]]].map(A => count(A, [-1, -1])));
      fill(a, `For b = (−1, −1) the library finds <b>${counts[0]}</b> solution with A = (2 −1; −1 2), whose principal minors are all positive, and <b>${counts[1]}</b> with A = (0.5 2; 2 0.5), whose determinant is negative: its cones overlap.`);
    })();
    return mountPlane(box, { show: '' }, () => {}, { compact: true });
  }],
  ['Why PGS crawls and NNCG does not', root => {
    root.append(para('Projected Gauss-Seidel solves one row at a time and sets what is negative to 0. A sweep is cheap, and errors between neighbours vanish at once. An error that is smooth over many rows does not: each sweep hands it on to the next row only. The share of it that is left after a sweep comes close to 1 as the grid grows.'), para('NNCG takes the step of a sweep as the gradient of a nonlinear conjugate gradient method: it remembers where it went, and long waves are gone after as many steps as the grid is wide. Over-relaxation (psor) can do as well, if somebody knows the right ω: too small it crawls, too large it rings, and contacts have no formula for it.'));
    const a = live(), race = makeRace();
    root.append(race.element, a);
    (async () => {
      const runs = await race.run('fluid:grid=48', [{ method: 'pgs' }, { label: 'psor, ω = 1.9', method: 'psor', settings: 'omega=1.9' }, { method: 'nncg' }], { tol: 1e-8, iterations: 1500, seconds: 8 });
      fill(a, `The pressure of a liquid on a grid of 48²: sweeps to 10⁻⁴: pgs <b>${orMore(runs[0], 1e-4)}</b>, psor <b>${orMore(runs[1], 1e-4)}</b>, nncg <b>${orMore(runs[2], 1e-4)}</b>; to 10⁻⁸: pgs <b>${orMore(runs[0], 1e-8)}</b>, nncg <b>${orMore(runs[2], 1e-8)}</b>.`);
    })();
    return () => race.end();
  }],
  ['Why Newton needs a line search', root => {
    root.append(para('The equation min(x, A x + b) = 0 says the same as the LCP, but has kinks. Newton’s method guesses which rows are free (those with x<sub>i</sub> &gt; y<sub>i</sub>), solves for them and sets the others to 0. Close to a solution that ends in a few steps. Far from it, the guess can run in circles.'), para('With A = (1 0 2; 2 1 0; 0 2 1) and b = (−1, −1, −1) all principal minors are positive, so there is exactly one solution, x = (⅓, ⅓, ⅓). From (1, 0, 0), full steps visit three points again and again. A line search takes only steps that bring a merit function down.'));
    const a = live(), plot = makePlot({ ratio: 0.4, label: 'natural residual of full and of damped steps' });
    root.append(plot.canvas, a);
    redraws.add(plot.draw);
    (async () => {
      const A = [[1, 0, 2], [2, 1, 0], [0, 2, 1]], b = [-1, -1, -1], start = [1, 0, 0], full = undampedNewton(A, b, start, 20);
      const runs = await Promise.all(['minmap', 'fischer'].map(method => ask('run', { problem: { A, b }, method, start, tol: 1e-12, iterations: 20 })));
      plot.show([{ label: 'full steps', colour: PALETTE[1], x: full.residual.map((_, k) => k), y: full.residual }, ...runs.map((r, k) => ({ label: `${['minmap', 'fischer'][k]}, with a line search`, colour: PALETTE[[0, 2][k]], x: r.iteration, y: r.residual.map(v => v === 0 ? 1e-17 : v) }))], { log: true, whole: true });
      fill(a, `Full steps (<span style="color:${PALETTE[1]}">●</span>): the residual is ${short(full.residual[0])} at the start and <b>${short(full.residual[20])}</b> after 20 of them. With a line search, the library’s minmap (<span style="color:${PALETTE[0]}">●</span>): <b>${runs[0].outcome}</b> in ${runs[0].iterations} iterations, x = (${runs[0].x.map(v => short(v)).join(', ')}); fischer (<span style="color:${PALETTE[2]}">●</span>): <b>${runs[1].outcome}</b> in ${runs[1].iterations}.`);
    })();
    return () => redraws.delete(plot.draw);
  }],
  ['Friction: cones, pyramids and an index', root => {
    root.append(para('A contact pushes with n ≥ 0 and rubs with a force t of at most μ n, against the sliding: (n, t) lies in a cone. An LCP cannot say “at most μ n” in a box with fixed sides. One way out is a <em>pyramid</em>: forces along several directions and one more row for each contact. Another is the <em>friction index</em>: row t has the bounds ±μ |x<sub>n</sub>|, which move with x. Or the cone is kept as it is.'));
    const a = live(), box = el('div'), stop = mountBodies(box, { scene: 'tower', size: 4, a: 'nncg', b: 'none', arrows: 'yes', mu: 0.5, tilt: 0 }, () => {}, { compact: true });
    root.append(a, para('Tilt gravity until the tower slides: with friction μ that happens at an angle whose tangent is μ.'), el('div.controls', {}, slider({ name: 'tilt', value: 0, min: -1, max: 1, step: 0.02, unit: ' rad', change: v => box.stage.act({ kind: 'set', name: 'tilt', value: v }) }), slider({ name: 'friction μ', value: 0.5, min: 0, max: 1.2, step: 0.05, change: v => box.stage.act({ kind: 'set', name: 'mu', value: v }) })), box);
    (async () => {
      const rows = [];
      for (const form of ['polyhedral', 'findex', 'cone']) {
        const problem = `wall:rows=4,columns=4,form=${form}`, info = await ask('problem', { problem }).catch(() => null);
        if (!info) continue;
        const run = await ask('run', { problem, method: 'auto', tol: 1e-6, seconds: 5 });
        rows.push(`${form}: <b>${info.n}</b> rows, ${run.outcome} by ${run.method} in ${short(1e3 * run.time)} ms`);
      }
      fill(a, `The same wall of 16 bricks, posed three ways: ${rows.join('; ')}.`);
    })();
    return stop;
  }],
  ['Multigrid', root => {
    root.append(para('A smooth error is a rough one on a coarser grid. Multigrid sweeps a little on every grid, hands what is left to the next coarser one and the correction back. For an obstacle problem, only rows off the obstacle take part in the correction. The number of cycles then does not grow with the grid, while the sweeps of PGS grow with the square of its width.'));
    const a = live(), race = makeRace();
    root.append(a, race.element);
    (async () => {
      const cells = [];
      for (const points of [15, 31, 63, 127]) {
        const problem = `obstacle:points=${points}`, run = method => ask('run', { problem, method, tol: 1e-6, iterations: 4000, seconds: 4 });
        const [mg, pgs] = [await run('mg'), await run('pgs')];
        cells.push([`${points}²`, String(mg.iterations), short(1e3 * mg.time), pgs.outcome === 'solved' ? String(pgs.iterations) : `more than ${pgs.iterations}`, short(1e3 * pgs.time)]);
        a.replaceChildren('An elastic sheet over an obstacle, to 10⁻⁶: ', table(['grid', 'cycles of mg', 'ms', 'sweeps of pgs', 'ms'], cells));
      }
      await race.run('obstacle:points=63', [{ method: 'mg' }, { method: 'nncg' }, { method: 'pgs' }], { tol: 1e-8, iterations: 400, seconds: 4 });
    })();
    return () => race.end();
  }],
  ['Warm starts', root => {
    root.append(para('In a pile of bodies most contacts of this step were there in the last one, with nearly the same force. Started from those forces, a method has little left to do. Started from 0, it has to carry the weight of the wall through all courses again, in every step.'));
    const a = live(), box = el('div'), note = el('div');
    const gauges = makeGauges([BODY_GAUGES[1], BODY_GAUGES[0], BODY_GAUGES[2]]);
    const begin = () => stage.start([['warm', true], ['from 0', false]].map(([label, warm]) => ({ label, scene: 'bricks:rows=8,columns=8', method: 'nncg', tol: 1e-6, warm }))).catch(error => fill(a, error.message));
    const stage = makeStage({ runs: 2, hands: { key(k, e) { if (e.key !== ' ') return false; play.toggle(); return true; } }, frame() {
      play.show(); gauges.show(stage);
      const sum = k => stage.history[k].slice(-100).reduce((t, n) => t + n.iterations, 0), [warm, cold] = [sum(0), sum(1)];
      if (stage.history[1]?.length > 20) fill(a, `Iterations of nncg over the last ${Math.min(100, stage.history[0].length)} steps: <b>${warm}</b> with warm starts, <b>${cold}</b> without${warm ? `, ${short(cold / warm)} times as many` : ''}.`);
    } });
    const play = makePlay(stage, begin);
    look.how = 'load';
    root.append(a, el('div.controls', {}, ...play.buttons, el('button', { type: 'button', onclick: () => stage.runs.length && stage.act({ kind: 'add', at: [1.6, 2.6], body: { kind: 'disc', size: [0.15, 0, 0] }, value: 300 }) }, 'Drop a ball on the wall')), box, note);
    box.append(stage.element); note.append(gauges.element);
    begin();
    root.stage = stage;
    return () => { stage.end(); gauges.end(); };
  }],
];

function mountLessons(root, state, save) {
  let stop = () => {};
  const body = el('article.lesson'), list = el('ol.lessons-list');
  function open(k) {
    stop();
    freeWorker();
    const [title, mount] = LESSONS[k], page = el('div');
    [...list.children].forEach((item, j) => item.firstChild.toggleAttribute('aria-current', j === k));
    save({ lesson: k + 1 });
    page.append(el('h2', {}, `${k + 1}. ${title}`));
    body.replaceChildren(page);
    stop = mount(page) || (() => {});
    page.append(el('p', {}, k > 0 ? el('button', { type: 'button', onclick: () => open(k - 1) }, '← before') : '', ' ', k + 1 < LESSONS.length ? el('button', { type: 'button', onclick: () => open(k + 1) }, 'next →') : ''));
    root.stage = page.stage;
  }
  list.append(...LESSONS.map(([title], k) => el('li', {}, el('button', { type: 'button', onclick: () => open(k) }, `${k + 1}. ${title}`))));
  root.append(list, body);
  open(Math.max(0, Math.min(LESSONS.length - 1, (+state.lesson || 1) - 1)));
  return () => stop();
}
