/* web/lessons.js: six short pages; every number in them is computed while you read */
'use strict';

/* Newton's method on min(x, A x + b) = 0 with full steps, for small dense A: rows with x_i > y_i
 * are free, the others get x_i = 0. The iterates and the natural residual of each. */
function undampedNewton(A, b, start, steps) {
  const n = b.length, residual = [], visited = [];
  let x = [...start];
  for (let k = 0; k <= steps; k++) {
    const y = A.map((row, i) => row.reduce((sum, v, j) => sum + v * x[j], b[i]));
    visited.push(x);
    residual.push(Math.max(...x.map((v, i) => Math.abs(Math.min(v, y[i])))));
    const free = x.map((v, i) => v > y[i] ? i : -1).filter(i => i >= 0),
          M = free.map(i => [...free.map(j => A[i][j]), -b[i]]), m = free.length;
    for (let c = 0; c < m; c++) { /* elimination with pivots */
      let p = c;
      for (let r = c; r < m; r++)
        if (Math.abs(M[r][c]) > Math.abs(M[p][c])) p = r;
      [M[c], M[p]] = [M[p], M[c]];
      for (let r = 0; r < m; r++)
        if (r !== c) {
          const f = M[r][c] / M[c][c];
          for (let j = c; j <= m; j++) M[r][j] -= f * M[c][j];
        }
    }
    x = Array(n).fill(0);
    free.forEach((i, r) => {
      x[i] = M[r][m] / M[r][r];
    });
  }
  return {residual, visited};
}

const para = text => {
  const p = el('p');
  p.innerHTML = text;
  return p;
};
const live = () => el('p.live', {'aria-live': 'polite'}, 'computing …');
const fill = (p, html) => {
  p.innerHTML = html;
};
/* A text that changes in every frame; it is updated once a second, and screen readers do not
 * announce it. */
function liveScene() {
  const p = el('p.live', {}, 'computing …');
  let next = 0;
  p.tell = html => {
    if (performance.now() < next) return;
    next = performance.now() + 1000;
    fill(p, html);
  };
  return p;
}
/* Shows the message of a failed solver in place of its numbers. */
const compute = (p, f) => f().catch(error => {
  sayError(p, error);
});
const point = x =>
    `(${x.map(v => short(Math.abs(v) < 1e-12 ? 0 : v)).join(', ')})`.replace(/-/g, '−');
const sweepsOf = run =>
    run.outcome === 'solved' ? String(run.iterations) : `more than ${run.iterations}`;

const LESSONS = [
  [
    'What complementarity is',
    root => {
      const one = mountOne({a1: -1, b1: 1}, () => {});
      root.append(
          para(
              'Two numbers are <em>complementary</em> if neither is negative and at least ' +
              'one of them is 0. The gap between two bodies and the force with which they ' +
              'push each other are such a pair: while there is a gap there is no force, and ' +
              'while there is a force there is no gap. If y depends on x by y = a x + b, ' +
              'finding the pair is the smallest <em>linear complementarity problem</em> ' +
              '(LCP), written <code>0 ≤ x ⊥ a x + b ≥ 0</code>. Move a and b: it can have no ' +
              'solution, one, two, or infinitely many.'),
          one.element,
          para(
              'With n pairs, x, y and b are vectors and a becomes a matrix: <code>0 ≤ x ⊥ A ' +
              'x + b ≥ 0</code>, row by row. For n = 2, write y = A x + b as b = I y + (−A) ' +
              'x. In each row x or y is 0, so of column 1 of I and column 1 of −A only one ' +
              'is needed, and the same for columns 2: b lies in a <em>complementary ' +
              'cone</em>. There are four of them, and each one that holds b gives a ' +
              'solution. Drag b, then the ends of −A₁ and −A₂.'));
      const a = live(), box = el('div');
      root.append(box, a);
      compute(a, async () => {
        const count = async (A, b) => (await ask('solutions', {problem: {A, b}})).solutions.length;
        const counts = await Promise.all(
            [[[2, -1], [-1, 2]], [[0.5, 2], [2, 0.5]]].map(A => count(A, [-1, -1])));
        fill(
            a,
            `For b = (−1, −1) the library finds <b>${counts[0]}</b> solution with ` +
                'A = (2 −1; −1 2), whose principal minors are all positive, and ' +
                `<b>${counts[1]}</b> with A = (0.5 2; 2 0.5), whose determinant is negative: ` +
                'its cones overlap.');
      });
      const leave = mountPlane(box, {show: ''}, () => {}, {compact: true});
      return () => {
        one.end();
        leave();
      };
    }
  ],
  [
    'Why PGS crawls and NNCG does not',
    root => {
      root.append(
          para(
              'Projected Gauss-Seidel (PGS) goes through the rows, solves each for its own ' +
              'unknown and sets it to 0 if it is negative. Such a sweep is cheap and quickly ' +
              'removes errors that jump from one row to the next. An error that is smooth ' +
              'over many rows hardly shows in any single one, so a sweep changes it little. ' +
              'The share of it that is left after a sweep comes close to 1 as the grid gets ' +
              'finer.'),
          para(
              'NNCG (nonsmooth nonlinear conjugate gradients) uses the change that a sweep ' +
              'makes as a gradient, and combines it with the direction of the step before. ' +
              'Over-relaxation (psor) makes every change of a sweep ω times as large. It can ' +
              'do as well if ω is right, but the best ω depends on the problem, and contacts ' +
              'have no formula for it: below it the method crawls, above it the iterates ' +
              'swing.'));
      const a = live(), race = makeRace(), grids = el('div.live', {}, 'computing …');
      root.append(race.element, a, grids);
      compute(a, async () => {
        const psor = omega =>
            ({label: `psor, ω = ${omega}`, method: 'psor', settings: `omega=${omega}`});
        const runs = await race.run(
            'fluid:grid=48', [{method: 'pgs'}, psor(1.4), psor(1.8), psor(1.97), {method: 'nncg'}],
            {tol: 1e-8, iterations: 1500, seconds: 8});
        if (runs.length < 5) return; /* the lesson was left */
        const told = runs.map(r => r.error ? r.error : sweepsOf(r));
        fill(
            a,
            'The pressure of a liquid on a grid of 48 × 48 cells, sweeps to a residual of ' +
                `10⁻⁸: pgs <b>${told[0]}</b>, nncg <b>${told[4]}</b>; psor with ω = 1.4 ` +
                `<b>${told[1]}</b>, with 1.8 <b>${told[2]}</b>, with 1.97 <b>${told[3]}</b>.`);
        const rows = [];
        for (const grid of [16, 32, 64]) {
          const [pgs, nncg] = await Promise.all(['pgs', 'nncg'].map(method => ask('run', {
                                                                      problem: `fluid:grid=${grid}`,
                                                                      method,
                                                                      tol: 1e-8,
                                                                      iterations: 4000,
                                                                      seconds: 8
                                                                    })));
          const end = pgs.residual.length - 1,
                half = end >> 1; /* over the second half, when only smooth errors are left */
          rows.push([
            `${grid} × ${grid}`,
            ((pgs.residual[end] / pgs.residual[half]) ** (1 / (end - half))).toFixed(3),
            sweepsOf(pgs), sweepsOf(nncg)
          ]);
          grids.replaceChildren(
              table(['grid', 'left after a sweep of pgs', 'sweeps of pgs', 'of nncg'], rows));
        }
      });
      return () => race.end();
    }
  ],
  [
    'Why Newton needs a line search',
    root => {
      root.append(
          para(
              'The equation min(x, A x + b) = 0, row by row, says the same as the LCP, but ' +
              'it has kinks. Newton’s method treats the rows with x<sub>i</sub> &gt; ' +
              'y<sub>i</sub> as free, solves y<sub>i</sub> = 0 in them and sets the other ' +
              'x<sub>i</sub> to 0. Close to a solution this ends after a few steps. Far from ' +
              'it the choice of rows can go round in circles.'),
          para(
              'With A = (1 0 2; 2 1 0; 0 2 1) and b = (−1, −1, −1) all principal minors are ' +
              'positive, so there is exactly one solution, x = (⅓, ⅓, ⅓). From (1, 0, 0) ' +
              'full steps never get there. A line search shortens a step until a merit ' +
              'function, which measures the error, has become smaller.'));
      const a = live(), plot = makePlot({
                          ratio: 0.4,
                          label: 'natural residual of full steps and of steps with a line search'
                        });
      root.append(el('p.note', {}, 'residual after each iteration'), plot.canvas, a);
      redraws.add(plot.draw);
      compute(a, async () => {
        const A = [[1, 0, 2], [2, 1, 0], [0, 2, 1]], b = [-1, -1, -1], start = [1, 0, 0],
              near = [0.4, 0.3, 0.3], full = undampedNewton(A, b, start, 20),
              close = undampedNewton(A, b, near, 20);
        const runs = await Promise.all(['minmap', 'fischer'].map(
            method => ask('run', {problem: {A, b}, method, start, tol: 1e-12, iterations: 20})));
        plot.show(
            [
              {
                label: 'full steps',
                colour: PALETTE[1],
                x: full.residual.map((_, k) => k),
                y: full.residual
              },
              ...runs.map((r, k) => ({
                            label: `${['minmap', 'fischer'][k]}, with a line search`,
                            colour: PALETTE[[0, 2][k]],
                            x: r.iteration,
                            y: r.residual.map(v => v === 0 ? 1e-17 : v)
                          }))
            ],
            {log: true, whole: true});
        const dot = k => `<span style="color:${PALETTE[k]}" aria-hidden="true">●</span>`;
        fill(
            a,
            `Full steps ${dot(1)} go from ${point(start)} to ${
                full.visited.slice(1, 5).map(point).join(
                    ', ')} and so on: after 20 of them the residual is <b>${
                short(full.residual[20])}</b>. From ${point(near)} they end after <b>${
                close.residual.findIndex(
                    v => v < 1e-12)}</b>. With a line search from (1, 0, 0), the library’s minmap ${
                dot(0)}: <b>${runs[0].outcome}</b> after ${runs[0].iterations} iterations, x = ${
                point(runs[0].x)}; fischer ${dot(2)}: <b>${runs[1].outcome}</b> after ${
                runs[1].iterations}.`);
      });
      return () => redraws.delete(plot.draw);
    }
  ],
  [
    'Friction: cones, pyramids and an index',
    root => {
      root.append(para(
          'Where two bodies touch, they push each other with a normal force n ≥ 0, and ' +
          'friction adds a force t along the surface. Coulomb’s law says that t is at most μ ' +
          'n, and that t is just that large and acts against the motion while they slide. ' +
          'The forces (n, t) that it allows form a cone. In space this cone is round, which ' +
          'no LCP can express. There are three ways to pose the problem. A <em>pyramid</em> ' +
          'replaces the cone: t is a sum of pushes along a few directions, and the problem ' +
          'is an LCP with more rows. A <em>friction index</em> keeps one row for each ' +
          'direction of t, with the bounds ±μ |x<sub>n</sub>|, which move with the normal ' +
          'force; in space they make a square pyramid of the cone. Or the <em>cone</em> is ' +
          'kept as it is.'));
      const a = live(), moves = liveScene(), box = el('div');
      let last = null; /* the last position of the box and its time */
      const told = (stage, s) => {
        const run = stage.runs[0], k = run.shapes.findIndex(t => !t.fixed),
              now = [run.numbers?.time, run.pose[3 * k]],
              speed =
                  last && now[0] > last[0] ? Math.abs(now[1] - last[1]) / (now[0] - last[0]) : null;
        last = now;
        if (speed !== null)
          moves.tell(`Tilted by ${degrees(s.tilt)}°, tangent <b>${
              short(Math.abs(
                  Math.tan(s.tilt)))}</b>, with friction μ = <b>${short(s.mu)}</b>: the box <b>${
              speed < 1e-3 ? 'rests' : `slides with ${short(speed)} m/s`}</b>.`);
      };
      const stop = mountBodies(
          box, {
            scene: 'tower',
            size: 1,
            a: 'nncg',
            b: 'none',
            arrows: 'yes',
            mu: 0.5,
            tilt: 0,
            deadline: 0
          },
          () => {}, {compact: true, told});
      root.append(
          a,
          para(
              'Tilt gravity: a box at rest begins to slide when the tangent of the angle is ' +
              'larger than μ. The arrows are the forces on the box at its corners.'),
          moves, box);
      compute(a, async () => {
        const rows = [], names = {
          polyhedral: 'pyramids with four directions',
          findex: 'friction index',
          cone: 'cones'
        };
        for (const form of Object.keys(names)) {
          const problem = `wall:rows=4,columns=4,form=${form}`,
                info = await ask('problem', {problem}, 1);
          const run = await askWarm(
              {problem, method: 'auto', tol: 1e-6, seconds: 5},
              1); /* the scene continues meanwhile */
          rows.push(`${names[form]}: <b>${info.n}</b> rows, ${run.outcome} by ${run.method} in ${
              short(1e3 * run.time)} ms`);
        }
        fill(
            a,
            `A wall of four courses of bricks in space, posed in three ways: ${rows.join('; ')}.`);
      });
      return stop;
    }
  ],
  [
    'Multigrid',
    root => {
      root.append(para(
          'What is smooth on one grid is less smooth on a coarser one, where sweeps can ' +
          'remove it. Multigrid makes a few sweeps on every grid: it hands the residual down ' +
          'to the next coarser grid, and a correction back up. In an obstacle problem only ' +
          'the points that do not touch the obstacle take part in the correction. Then the ' +
          'number of cycles hardly grows as the grid gets finer. The sweeps of PGS become ' +
          'almost four times as many whenever the grid becomes twice as fine.'));
      const a = el('div.live', {'aria-live': 'polite'}, 'computing …'), race = makeRace();
      root.append(a, race.element);
      compute(a, async () => {
        const cells = [];
        for (const points of [15, 31, 63, 127]) {
          const problem = `obstacle:points=${points}`,
                run = method => askWarm({problem, method, tol: 1e-6, iterations: 4000, seconds: 4});
          const [mg, pgs] = [await run('mg'), await run('pgs')];
          cells.push([
            `${points} × ${points}`, sweepsOf(mg), short(1e3 * mg.time), sweepsOf(pgs),
            short(1e3 * pgs.time)
          ]);
          a.replaceChildren(
              'An elastic sheet over an obstacle, to a residual of 10⁻⁶:',
              table(['grid', 'cycles of mg', 'ms', 'sweeps of pgs', 'ms'], cells));
        }
        await race.run(
            'obstacle:points=63', [{method: 'mg'}, {method: 'nncg'}, {method: 'pgs'}],
            {tol: 1e-8, iterations: 400, seconds: 4});
      });
      return () => race.end();
    }
  ],
  [
    'Warm starts',
    root => {
      root.append(para(
          'Most contacts of a pile were already there in the last step, with nearly the same ' +
          'force. A method that starts from those forces has little left to do. One that ' +
          'starts from 0 has to find anew, in every step, how the weight of the wall goes ' +
          'down from course to course. After a blow the forces are new, and the old ones ' +
          'help less for a while: drop a ball and watch the iterations.'));
      const a = liveScene(), box = el('div'), note = el('div');
      const gauges = makeGauges([BODY_GAUGES[1], BODY_GAUGES[0], BODY_GAUGES[2]]);
      const begin = () =>
          stage
              .start([['warm', true], ['from 0', false]].map(
                  ([label, warm]) =>
                      ({label, scene: 'bricks:rows=8,columns=8', method: 'nncg', tol: 1e-6, warm})))
              .catch(error => {
                sayError(a, error);
              });
      const stage = makeStage({
        runs: 2,
        hands: {
          key(k, e) {
            if (e.key !== ' ') return false;
            play.toggle();
            return true;
          }
        },
        frame() {
          play.show();
          gauges.show(stage);
          const sum = k => stage.history[k].slice(-100).reduce((t, n) => t + n.iterations, 0),
                [warm, cold] = [sum(0), sum(1)];
          if (stage.history[1]?.length > 20)
            a.tell(`Iterations of nncg over the last ${
                Math.min(
                    100, stage.history[0].length)} steps: <b>${warm}</b> with warm starts, <b>${
                cold}</b> without${warm ? `, ${short(cold / warm)} times as many` : ''}.`);
        }
      });
      const play = makePlay(stage, begin);
      look.how = 'load';
      root.append(
          a,
          el('div.controls', {}, ...play.buttons,
             el('button', {type: 'button', onclick: begin}, 'Restart'),
             el('button', {
               type: 'button',
               onclick: () => stage.runs.length && stage.act({
                 kind: 'add',
                 at: [1.6, 2.6],
                 body: {kind: 'disc', size: [0.15, 0, 0]},
                 value: 300
               })
             },
                'Drop a ball on the wall')),
          box, note);
      box.append(stage.element);
      note.append(gauges.element);
      begin();
      root.stage = stage;
      return () => {
        stage.end();
        gauges.end();
      };
    }
  ],
];

function mountLessons(root, state, save) {
  let stop = () => {};
  const body = el('article.lesson'), list = el('ol.lessons-list');
  function open(k) {
    stop();
    freeWorker();
    const [title, mount] = LESSONS[k], page = el('div');
    [...list.children].forEach((item, j) => markCurrent(item.firstChild, j === k, 'step'));
    save({lesson: k + 1});
    page.append(el('h2', {tabIndex: -1}, `${k + 1}. ${title}`));
    body.replaceChildren(page);
    stop = mount(page) || (() => {});
    const on = (j, text) => el('button', {type: 'button', onclick: () => turn(j)}, text);
    page.append(
        el('p', {}, k > 0 ? on(k - 1, '← previous') : '', ' ',
           k + 1 < LESSONS.length ? on(k + 1, 'next →') : ''));
    root.stage = page.stage;
  }
  /* From one page to another: read on at its beginning. */
  function turn(k) {
    open(k);
    const title = body.querySelector('h2');
    title.scrollIntoView();
    title.focus({preventScroll: true});
  }
  list.append(...LESSONS.map(
      ([title], k) => el(
          'li', {}, el('button', {type: 'button', onclick: () => open(k)}, `${k + 1}. ${title}`))));
  root.append(list, body);
  open(Math.max(1, Math.min(LESSONS.length, Math.round(+state.lesson) || 1)) - 1);
  return () => stop();
}
