/* web/plane.js: the LCP with two unknowns, as cones in the plane and as iterates on a merit surface
 *
 *   y = A x + b,  x, y >= 0,  x . y = 0   <=>   b = I y + (-A) x  with y_i = 0 or x_i = 0:
 *
 * A complementary cone is spanned by e_1 or -A_1 and by e_2 or -A_2. Each cone that contains b
 * gives a solution. */
'use strict';

const PLANE_PRESETS = {
  'one solution for every b': {A: [2, -1, -1, 2], b: [-1, 0.8]},
  'two rows that depend on each other': {A: [1, 0.9, 0.9, 1], b: [-1, -0.6]},
  'not symmetric, still one': {A: [1, -1.6, 1.6, 1], b: [-1, -0.7]},
  'three solutions': {A: [0.5, 2, 2, 0.5], b: [-1, -1]},
  'two, or none': {A: [-1, 0.3, 0.2, -1], b: [1, 0.8]},
  'no solution': {A: [-1, 0.3, 0.2, -1], b: [-1, 0.4]},
  'a line of solutions': {A: [1, 1, 1, 1], b: [-1, -1]},
};
const CONES = [[0, 0], [1, 0], [0, 1], [1, 1]]; /* whether x_1 and x_2 are basic */

function mountPlane(root, state, save, {compact = false} = {}) {
  const numbers = (text, fallback) => {
    const v = (text || '').split(',').map(Number);
    return text && v.length === fallback.length && v.every(x => Math.abs(x) <= 6) ? v :
                                                                                    [...fallback];
  };
  const s = {
    A: numbers(state.A, [2, -1, -1, 2]),
    b: numbers(state.b, [-1, 0.8]),
    start: numbers(state.start, [1.6, 1.4]),
    pivot: Math.round(numberOf(state.pivot, 9, 0, 99)),
    merit: oneOf(state.merit, ['fischer', 'minmap', 'natural']),
    shown: new Set((state.show ?? 'pgs,fischer,lemke').split(',').filter(t => t)),
    a1: numberOf(state.a1, 1, -2, 2),
    b1: numberOf(state.b1, -1, -2, 2),
  };
  const matrix = () => [[s.A[0], s.A[1]], [s.A[2], s.A[3]]], column = j => [-s.A[j], -s.A[2 + j]];
  const store = () => save({
    A: s.A.map(v => +v.toFixed(3)).join(),
    b: s.b.map(v => +v.toFixed(3)).join(),
    start: s.start.map(v => +v.toFixed(3)).join(),
    pivot: s.pivot,
    merit: s.merit,
    show: [...s.shown].join(),
    a1: s.a1,
    b1: s.b1
  });
  const cones = el('canvas.figure', {
    tabIndex: 0,
    role: 'application',
    'aria-label': 'complementary cones: drag b or a column of minus A; arrow keys move b'
  });
  const surface = el('canvas.figure', {
    tabIndex: 0,
    role: 'application',
    'aria-label': 'iterates on the merit surface: drag the start; arrow keys move it'
  });
  const verdict = el('p.verdict', {'aria-live': 'polite'}), facts = el('p.note'),
        pivots = el('div.results'), results = el('div.results');
  let seen = {solutions: [], pgs: null, fischer: null, merit: null, lemke: {steps: []}};

  /* ---- The plane of b ---- */
  let scale = null;
  const cross = (u, v) => u[0] * v[1] - u[1] * v[0];
  const edge = (c, j) => c[j] ? column(j) : [1 - j, j];
  /* Returns true if b = alpha u + beta v with alpha, beta >= 0. */
  function holds(c) {
    const u = edge(c, 0), v = edge(c, 1), det = cross(u, v),
          small = 1e-9 * Math.hypot(...u) * Math.hypot(...v);
    if (Math.abs(det) <= small) return false;
    return cross(s.b, v) / det >= -1e-9 && cross(u, s.b) / det >= -1e-9;
  }
  function drawCones() {
    const [g, w, h] = prepare(cones, 0.86), d = devicePixelRatio;
    const most =
        1.25 * Math.max(1.2, ...s.b.map(Math.abs), ...[0, 1].flatMap(j => column(j).map(Math.abs)));
    const k = Math.min(w, h) / 2 / most, X = x => w / 2 + k * x, Y = y => h / 2 - k * y;
    scale = {at: (px, py) => [(px - w / 2) / k, (h / 2 - py) / k], k};
    CONES.forEach((c, n) => { /* filled, far beyond the picture */
                              const u = edge(c, 0), v = edge(c, 1), far = 4 * most,
                                    inside = holds(c);
                              const a = Math.atan2(u[1], u[0]);
                              let turn = Math.atan2(v[1], v[0]) - a;
                              while (turn > Math.PI) turn -= 2 * Math.PI;
                              while (turn < -Math.PI) turn += 2 * Math.PI;
                              g.beginPath();
                              g.moveTo(X(0), Y(0));
                              for (let t = 0; t <= 24; t++)
                                g.lineTo(
                                    X(far * Math.cos(a + turn * t / 24)),
                                    Y(far * Math.sin(a + turn * t / 24)));
                              g.closePath();
                              g.globalAlpha = inside ? 0.34 : 0.12;
                              g.fillStyle = PALETTE[n];
                              g.fill();
                              g.globalAlpha = 1;
    });
    const arrow = (v, label, colour, wide) => {
      const [x, y] = [X(v[0]), Y(v[1])], l = Math.hypot(x - X(0), y - Y(0)) || 1,
                ux = (x - X(0)) / l, uy = (y - Y(0)) / l;
      g.strokeStyle = g.fillStyle = colour;
      g.lineWidth = wide * d;
      g.beginPath();
      g.moveTo(X(0), Y(0));
      g.lineTo(x, y);
      g.stroke();
      g.beginPath();
      g.moveTo(x, y);
      g.lineTo(x - 10 * d * ux - 4 * d * uy, y - 10 * d * uy + 4 * d * ux);
      g.lineTo(x - 10 * d * ux + 4 * d * uy, y - 10 * d * uy - 4 * d * ux);
      g.fill();
      g.font = `${13 * d}px system-ui`;
      g.textAlign = 'center';
      g.fillText(label, x + 16 * d * ux, y + 16 * d * uy + 4 * d);
    };
    arrow([1, 0], 'e₁', css('--dim'), 1.5);
    arrow([0, 1], 'e₂', css('--dim'), 1.5);
    arrow(column(0), '−A₁', css('--ink'), 2);
    arrow(column(1), '−A₂', css('--ink'), 2);
    if (s.shown.has('lemke')) { /* b + z0 d */
      const path = seen.lemke.steps.slice(0, s.pivot), far = 3 * most,
            last = path.length === seen.lemke.steps.length && seen.lemke.end === 'ray';
      g.strokeStyle = PALETTE[4];
      g.lineWidth = 2 * d;
      g.setLineDash([5 * d, 4 * d]);
      g.beginPath();
      g.moveTo(X(s.b[0] + far), Y(s.b[1] + far));
      for (const p of path) g.lineTo(X(s.b[0] + p.z0), Y(s.b[1] + p.z0));
      if (last) g.lineTo(X(s.b[0] + far), Y(s.b[1] + far));
      g.stroke();
      g.setLineDash([]);
      g.fillStyle = PALETTE[4];
      path.forEach((p, n) => {
        g.beginPath();
        g.arc(X(s.b[0] + p.z0), Y(s.b[1] + p.z0), 4 * d, 0, 7);
        g.fill();
        g.fillText(String(n + 1), X(s.b[0] + p.z0) + 11 * d, Y(s.b[1] + p.z0) + 12 * d);
      });
    }
    g.fillStyle = css('--accent');
    g.beginPath();
    g.arc(X(s.b[0]), Y(s.b[1]), 7 * d, 0, 7);
    g.fill();
    g.fillStyle = css('--ink');
    g.font = `600 ${14 * d}px system-ui`;
    g.fillText('b', X(s.b[0]) - 14 * d, Y(s.b[1]) - 9 * d);
  }

  /* ---- The plane of x ---- */
  let field = null;
  function boxOfX() {
    const points = [s.start, [0, 0], ...seen.solutions.map(p => p.x)],
          hi = Math.max(1, ...points.flat().map(v => Math.min(8, v))) * 1.25;
    return [-0.3 * hi, 1.3 * hi / 0.86 - 0.3 * hi, -0.3 * hi, hi]; /* as wide as the picture */
  }
  function drawSurface() {
    if (!surface.isConnected) return;
    const [g, w, h] = prepare(surface, 0.86), d = devicePixelRatio, box = field?.box ?? boxOfX();
    const X = x => w * (x - box[0]) / (box[1] - box[0]),
          Y = y => h * (1 - (y - box[2]) / (box[3] - box[2]));
    surface.screen = p => [X(p[0]), Y(p[1])];
    surface.at =
        (px,
         py) => [box[0] + px / w * (box[1] - box[0]), box[2] + (1 - py / h) * (box[3] - box[2])];
    if (field) { /* on a logarithmic scale */
      const m = Math.sqrt(field.values.length), image = new ImageData(m, m),
            logs = Array.from(field.values, v => Math.log10(v + 1e-6)), lo = Math.min(...logs),
            hi = Math.max(...logs);
      const dark = matchMedia('(prefers-color-scheme: dark)').matches,
            near = dark ? [70, 120, 190] : [110, 155, 215],
            far = dark ? [24, 28, 35] : [250, 250, 247];
      logs.forEach((v, k) => {
        const t = Math.round(16 * (v - lo) / (hi - lo || 1)) / 16, c = mix(near, far, t),
              at = 4 * ((m - 1 - Math.floor(k / m)) * m + k % m);
        image.data.set([...c, 255], at);
      });
      const small = el('canvas', {width: m, height: m});
      small.getContext('2d').putImageData(image, 0, 0);
      g.imageSmoothingEnabled = true;
      g.drawImage(small, 0, 0, w, h);
    }
    g.save();
    g.strokeStyle = css('--dim');
    g.lineWidth = d;
    g.beginPath();
    g.moveTo(X(0), Y(box[3]));
    g.lineTo(X(0), Y(0));
    g.lineTo(X(box[1]), Y(0));
    g.stroke();
    g.setLineDash([4 * d, 4 * d]);
    for (let i = 0; i < 2; i++) { /* y_i = 0 */
      const [p, q] = [s.A[2 * i], s.A[2 * i + 1]], far = 50, n = Math.hypot(p, q);
      if (n < 1e-12) continue;
      const at = [-s.b[i] * p / n / n, -s.b[i] * q / n / n];
      g.beginPath();
      g.moveTo(X(at[0] - far * q / n), Y(at[1] + far * p / n));
      g.lineTo(X(at[0] + far * q / n), Y(at[1] - far * p / n));
      g.stroke();
    }
    g.setLineDash([]);
    const line = (run, colour) => {
      if (!run) return;
      const points = [
        s.start, ...run.x0.map((v, k) => [v, run.x1[k]]).filter(p => p[0] !== null && p[1] !== null)
      ];
      g.strokeStyle = g.fillStyle = colour;
      g.lineWidth = 2 * d;
      g.beginPath();
      points.forEach(p => g.lineTo(X(p[0]), Y(p[1])));
      g.stroke();
      points.forEach(p => {
        g.beginPath();
        g.arc(X(p[0]), Y(p[1]), 3.2 * d, 0, 7);
        g.fill();
      });
    };
    if (s.shown.has('pgs')) line(seen.pgs, PALETTE[1]);
    if (s.shown.has('fischer')) line(seen.fischer, PALETTE[2]);
    for (const p of seen.solutions) {
      g.strokeStyle = css('--ink');
      g.lineWidth = 2 * d;
      g.beginPath();
      g.arc(X(p.x[0]), Y(p.x[1]), 7 * d, 0, 7);
      g.stroke();
    }
    g.fillStyle = css('--accent');
    g.beginPath();
    g.arc(X(s.start[0]), Y(s.start[1]), 6 * d, 0, 7);
    g.fill();
    g.restore();
    g.fillStyle = css('--dim');
    g.font = `${12 * d}px system-ui`;
    g.textAlign = 'left';
    g.fillText('x₁', X(box[1]) - 18 * d, Y(0) - 6 * d);
    g.fillText('x₂', X(0) + 6 * d, Y(box[3]) + 14 * d);
  }

  /* ---- Solution of the library ---- */
  let busy = false, again = false, gone = false;
  const MERITS = {natural: 0, minmap: 1, fischer: 2};
  async function compute() {
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    try {
      const problem = {A: matrix(), b: [...s.b]}, start = s.start.map(v => Math.max(0, v)),
            found = await ask('solutions', {problem});
      const run = (method, iterations, from = start, settings = '') =>
          ask('run', {problem, method, settings, iterations, start: from, tol: 1e-10})
              .catch(
                  error => ({outcome: error.message, x0: [], x1: [], residual: [], iterations: 0}));
      const [pgs, fischer, lemke] = [
        await run('pgs', 60), await run('fischer', 60),
        await run(
            'lemke', 0, [0, 0],
            'cover=ones,scaling=none,warm=no,retries=0') /* the path that is drawn */
      ];
      seen = {
        solutions: found.solutions,
        outcome: found.outcome,
        pgs,
        fischer,
        library: lemke,
        lemke: lemkePath(matrix(), s.b)
      };
      const box = boxOfX(), fields = 160;
      field = {box, values: await ask('merit', {problem, kind: MERITS[s.merit], box, fields})};
      if (!gone) tellAll();
    } catch (error) {
      sayError(verdict, error);
    }
    busy = false;
    if (again && !gone) {
      again = false;
      compute();
    }
  }
  const place = x => `(${x.map(v => short(Math.abs(v) < 1e-12 ? 0 : v)).join(', ')})`;
  const coneName = c => `${c[0] ? '−A₁' : 'e₁'} and ${c[1] ? '−A₂' : 'e₂'}`;
  function verdictNow(held) {
    const count = seen.solutions.length;
    if (seen.solutions.some(p => !p.isolated))
      return 'b lies in a flat cone: infinitely many solutions.';
    if (!held.length) return 'b lies in no cone: no solution.';
    return `b lies in the cone${held.length > 1 ? 's' : ''} of ${
        held.map(coneName).join('; of ')}: ${
        count === 1 ?
            `one solution, x = ${place(seen.solutions[0].x)}` :
            `${count} solutions, x = ${seen.solutions.map(p => place(p.x)).join(', ')}`}.`;
  }
  function factsNow() {
    const [a, b, c, d] = s.A, det = a * d - b * c, P = a > 0 && d > 0 && det > 0, off = (b + c) / 2;
    return `${
        P ? 'All principal minors of A are positive (a P-matrix): the cones cover the plane ' +
                'once, and every b has exactly one solution.' :
            'A principal minor of A is not positive: cones overlap, leave gaps or are flat, ' +
                'and the number of solutions depends on b.'} ${
        a > 0 && a * d > off * off ? 'A is positive definite.' : 'A is not positive definite.'}`;
  }
  function tellAll() {
    if (!seen.library) return; /* not yet */
    verdict.textContent = verdictNow(CONES.filter(holds));
    facts.textContent = factsNow();
    const steps = seen.lemke.steps.slice(0, s.pivot);
    pivots.replaceChildren(
        steps.length || seen.lemke.steps.length ?
            table(
                ['pivot', 'enters', 'leaves', 'z₀', 'x'],
                steps.map(
                    (p, k) =>
                        [String(k + 1), p.entering, p.leaving, short(Math.max(0, p.z0)),
                         place(p.x)])) :
            el('p.note', {}, 'b ≥ 0: x = 0 is a solution, no pivot is needed.'),
        el('p.note', {},
           seen.lemke.end === 'ray' && s.pivot >= seen.lemke.steps.length ? seen.lemke.entering +
                   ' enters and nothing leaves: the path ends on a ray, without a solution. ' :
                                                                            '',
           `The library’s lemke, which does not count the pivot of z₀ into the basis: ${
               seen.library.outcome} after ${seen.library.iterations} pivot${
               seen.library.iterations === 1 ? '' : 's'}.`));
    const rows = [['pgs', 'PGS', PALETTE[1]], ['fischer', 'Fischer-Newton', PALETTE[2]]]
                     .filter(([key]) => s.shown.has(key))
                     .map(
                         ([key, name, colour]) =>
                             [dotted(name, colour), seen[key].outcome,
                              ...(seen[key].x ?
                                      [
                                        String(seen[key].iterations), short(seen[key].final ?? NaN),
                                        place(seen[key].x)
                                      ] :
                                      ['', '', ''])]);
    results.replaceChildren(
        rows.length ? table(['method', 'outcome', 'iterations', 'residual', 'x'], rows) : '');
    drawCones();
    drawSurface();
  }

  /* ---- Hands ---- */
  /* what is no longer the example can be chosen anew */
  const changed = () => {
    presets.select.value = Object.keys(PLANE_PRESETS)
                               .find(
                                   name => PLANE_PRESETS[name].A.join() === s.A.join() &&
                                       PLANE_PRESETS[name].b.join() === s.b.join()) ??
        '';
    store();
    inputs();
    seen.lemke = lemkePath(matrix(), s.b);
    drawCones();
    drawSurface();
    compute();
  };
  const limit = v => Math.max(-6, Math.min(6, v));
  let held = null;
  /* A finger takes hold of what is near; elsewhere it scrolls the page, or taps to bring the point
   * there. */
  const near = (e, far) => far < (e.pointerType === 'touch' ? 40 : 28) * devicePixelRatio,
        scrolls = canvas => canvas.addEventListener(
            'touchstart',
            e => {
              if (held !== null) e.preventDefault();
            },
            {passive: false});
  scrolls(cones);
  scrolls(surface);
  cones.onpointerdown = e => {
    if (!scale) return;
    const p = scale.at(...pointOn(cones, e)),
          ends = [['b', s.b], ['0', column(0)], ['1', column(1)]]
                     .map(([key, v]) => [key, Math.hypot(v[0] - p[0], v[1] - p[1])])
                     .sort((a, b) => a[1] - b[1]);
    held = near(e, ends[0][1] * scale.k) ? ends[0][0] : e.pointerType === 'touch' ? null : 'b';
    if (held === null) return;
    capture(cones, e);
    cones.onpointermove(e);
  };
  cones.onpointermove = e => {
    if (held === null) return;
    const p = scale.at(...pointOn(cones, e)).map(limit);
    if (held === 'b')
      s.b = p;
    else {
      s.A[+held] = -p[0];
      s.A[2 + +held] = -p[1];
    }
    changed();
  };
  cones.onpointerup = cones.onpointercancel = () => {
    held = null;
  };
  cones.onclick = e => {
    if (scale && e.pointerType === 'touch') {
      held = 'b';
      cones.onpointermove(e);
      held = null;
    }
  };
  surface.onpointerdown = e => {
    if (!surface.at) return;
    const p = pointOn(surface, e), at = surface.screen(s.start);
    if (e.pointerType === 'touch' && !near(e, Math.hypot(p[0] - at[0], p[1] - at[1]))) return;
    capture(surface, e);
    held = 'start';
    surface.onpointermove(e);
  };
  surface.onclick = e => {
    if (surface.at && e.pointerType === 'touch') {
      held = 'start';
      surface.onpointermove(e);
      held = null;
    }
  };
  surface.onpointermove = e => {
    if (held === 'start') {
      s.start = surface.at(...pointOn(surface, e)).map(v => Math.max(0, limit(v)));
      changed();
    }
  };
  surface.onpointerup = surface.onpointercancel = () => {
    held = null;
  };
  const ARROWS =
      {ArrowLeft: [-0.05, 0], ArrowRight: [0.05, 0], ArrowUp: [0, 0.05], ArrowDown: [0, -0.05]};
  cones.onkeydown = e => {
    const v = ARROWS[e.key];
    if (v) {
      e.preventDefault();
      s.b = s.b.map((x, k) => limit(x + v[k]));
      changed();
    }
  };
  surface.onkeydown = e => {
    const v = ARROWS[e.key];
    if (v) {
      e.preventDefault();
      s.start = s.start.map((x, k) => Math.max(0, limit(x + v[k])));
      changed();
    }
  };

  /* ---- Numbers ---- */
  const field6 = ['A₁₁', 'A₁₂', 'A₂₁', 'A₂₂', 'b₁', 'b₂'].map((name, k) => el('input', {
                                                                type: 'number',
                                                                step: 0.1,
                                                                'aria-label': name,
                                                                onchange() {
                                                                  const v =
                                                                      limit(+field6[k].value || 0);
                                                                  if (k < 4)
                                                                    s.A[k] = v;
                                                                  else
                                                                    s.b[k - 4] = v;
                                                                  changed();
                                                                }
                                                              }));
  function inputs() {
    field6.forEach((f, k) => {
      if (document.activeElement !== f) f.value = +(k < 4 ? s.A[k] : s.b[k - 4]).toFixed(3);
    });
  }
  inputs();
  const bracket =
      el('div.matrix', {}, el('span', {}, 'A ='), el('div.grid2', {}, ...field6.slice(0, 4)),
         el('span', {}, 'b ='), el('div.grid1', {}, ...field6.slice(4)));
  const presets = menu({
    name: 'example',
    value: '',
    items: [['', 'choose…'], ...Object.keys(PLANE_PRESETS)],
    change(v) {
      if (PLANE_PRESETS[v]) {
        s.A = [...PLANE_PRESETS[v].A];
        s.b = [...PLANE_PRESETS[v].b];
        changed();
      }
    }
  });
  const shows = [['lemke', 'Lemke’s path'], ['pgs', 'PGS'], ['fischer', 'Fischer-Newton']].map(
      ([key, name]) => check({
        name,
        value: s.shown.has(key),
        change(on) {
          on ? s.shown.add(key) : s.shown.delete(key);
          store();
          tellAll();
        }
      }));
  const stepper =
      el('div.row', {},
         el('button', {
           type: 'button',
           'aria-label': 'one pivot back',
           onclick() {
             s.pivot = Math.max(0, Math.min(s.pivot, seen.lemke.steps.length) - 1);
             store();
             tellAll();
           }
         },
            '◀ pivot'),
         el('button', {
           type: 'button',
           'aria-label': 'one pivot on',
           onclick() {
             s.pivot = Math.min(seen.lemke.steps.length, s.pivot + 1);
             store();
             tellAll();
           }
         },
            'pivot ▶'));
  const merit = menu({
    name: 'surface',
    value: s.merit,
    items: [
      ['fischer', 'Fischer merit'], ['minmap', 'min-map merit'], ['natural', 'natural residual']
    ],
    change(v) {
      s.merit = v;
      store();
      compute();
    }
  });
  const one = compact ? null : mountOne(s, store);
  const left =
      el('figure', {}, cones,
         el('figcaption', {},
            'The plane of b: each cone is spanned by e₁ or −A₁ and by e₂ or −A₂. Drag b and the ' +
                'ends of −A₁ and −A₂.'));
  if (compact)
    root.append(el('div.controls', {}, bracket), verdict, el('div.pair', {}, left), facts);
  else
    root.append(
        el('div.controls', {}, presets, bracket, ...shows, merit), verdict, facts,
        el('div.pair', {},
           el('section', {}, left, el('h3', {}, 'Lemke’s path, pivot by pivot'),
              el('p.note', {},
                 'The path comes along the dashed line b + z₀ (1, 1), from far out in the ' +
                     'cone of e₁ and e₂. Each pivot brings it to the edge of a cone, and it goes ' +
                     'on in the other cone with this edge, until z₀ = 0: that is b.'),
              stepper, pivots),
           el('section', {},
              el('figure', {}, surface,
                 el('figcaption', {},
                    'The plane of x: the bluer, the smaller the merit function. Iterates ' +
                        'start from the blue dot, which you can drag; circles are solutions, and ' +
                        'yᵢ = 0 on the dashed lines.')),
              el('h3', {}, 'Iterates'), results)),
        one.element);
  redraws.add(drawCones);
  redraws.add(drawSurface);
  compute();
  return () => {
    gone = true;
    one?.end();
    redraws.delete(drawCones);
    redraws.delete(drawSurface);
  };
}

/* One unknown: 0 <= x, y = a x + b >= 0, x y = 0, and how many solutions each pair of signs has, as
 * the library counts them. */
function mountOne(s, store) {
  const canvas =
            el('canvas.figure',
               {role: 'img', 'aria-label': 'the line y = a x + b and the axes on which x y = 0'}),
        cells = el('div'), told = el('p.note', {'aria-live': 'polite'});
  const count = found =>
      found.solutions.some(p => !p.isolated) ? '∞' : String(found.solutions.length);
  const sign = v => Math.abs(v) < 1e-9 ? 0 : Math.sign(v);
  let tableOfSigns = null;
  function draw() {
    if (!canvas.isConnected) return;
    const [g, w, h] = prepare(canvas, 0.62), d = devicePixelRatio, k = Math.min(w, h) / 5.2,
                 X = x => 0.25 * w + k * x, Y = y => 0.62 * h - k * y;
    g.strokeStyle = css('--line');
    g.lineWidth = d;
    g.beginPath();
    g.moveTo(0, Y(0));
    g.lineTo(w, Y(0));
    g.moveTo(X(0), 0);
    g.lineTo(X(0), h);
    g.stroke();
    g.strokeStyle = css('--accent');
    g.lineWidth = 4 * d;
    g.beginPath();
    g.moveTo(X(0), 0);
    g.lineTo(X(0), Y(0));
    g.lineTo(w, Y(0));
    g.stroke();
    g.strokeStyle = css('--ink');
    g.lineWidth = 2 * d;
    g.beginPath();
    g.moveTo(X(-9), Y(-9 * s.a1 + s.b1));
    g.lineTo(X(9), Y(9 * s.a1 + s.b1));
    g.stroke();
    const dots = [
      s.b1 >= 0 ? [0, s.b1] : null, s.a1 !== 0 && -s.b1 / s.a1 >= 0 ? [-s.b1 / s.a1, 0] : null
    ].filter(p => p);
    g.fillStyle = PALETTE[1];
    for (const p of dots) {
      g.beginPath();
      g.arc(X(p[0]), Y(p[1]), 6 * d, 0, 7);
      g.fill();
    }
    g.fillStyle = css('--dim');
    g.font = `${12 * d}px system-ui`;
    g.fillText('x', w - 14 * d, Y(0) - 7 * d);
    g.fillText('y', X(0) + 7 * d, 14 * d);
  }
  async function show() {
    if (!tableOfSigns) {
      const all = {};
      for (const a of [1, 0, -1])
        for (const b of [1, 0, -1])
          all[`${a} ${b}`] = count(await ask('solutions', {problem: {A: [[a]], b: [b]}}));
      tableOfSigns = all;
    }
    const names = {1: '> 0', 0: '= 0', '-1': '< 0'};
    cells.replaceChildren(
        el('table.signs', {}, el('caption', {}, 'number of solutions'),
           el('tr', {}, el('th', {}, ''),
              ...[1, 0, -1].map(b => el('th', {scope: 'col'}, `b ${names[b]}`))),
           ...[1, 0, -1].map(
               a =>
                   el('tr', {}, el('th', {scope: 'row'}, `a ${names[a]}`),
                      ...[1, 0, -1].map(
                          b =>
                              el(`td${sign(s.a1) === a && sign(s.b1) === b ? '.here' : ''}`, {},
                                 tableOfSigns[`${a} ${b}`]))))));
    const found = await ask('solutions', {problem: {A: [[s.a1]], b: [s.b1]}});
    told.textContent = found.solutions.some(p => !p.isolated) ?
        'Every x ≥ 0 is a solution.' :
        found.solutions.length ?
        `Solutions: x = ${found.solutions.map(p => short(p.x[0])).join(' and ')}.` :
        'No solution.';
    draw();
  }
  const one = (name, key) => slider({
    name,
    value: s[key],
    min: -2,
    max: 2,
    step: 0.1,
    change(v) {
      s[key] = v;
      store();
      refresh();
    }
  });
  redraws.add(draw);
  const refresh = () => show().catch(error => {
    sayError(told, error);
  });
  setTimeout(refresh);
  const element =
      el('section.one', {}, el('h3', {}, 'One unknown: 0 ≤ x ⊥ a x + b ≥ 0'),
         el('div.pair', {},
            el('div', {}, canvas,
               el('p.note', {},
                  'Thick: x and y are complementary. Thin: y = a x + b. Solutions lie where the ' +
                      'two meet.'),
               el('div.controls', {}, one('a', 'a1'), one('b', 'b1')), told),
            cells));
  return {element, end: () => redraws.delete(draw)};
}
