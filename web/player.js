/* web/player.js: the page of `perp simulate`, which plays a run that is over: its frames, forces
 * and numbers
 *
 * `data` is what app/page.c wrote; viewer.js, gl.js and flat.js, which draw, stand before this
 * file. */
const $ = id => document.getElementById(id);
const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer;
const PALETTE =
    ['#3d7fd0', '#d1642c', '#2f8f5b', '#8a4fbf', '#b8860b', '#c2387a', '#3b9fb8', '#6b6b6b'];

/* The numbers of 4 or 2 bytes, frame after frame. */
for (const run of data.runs) {
  run.pose = new Float32Array(bytes(run.pose));
  run.load = new Float32Array(bytes(run.load));
  run.state = new Uint8Array(bytes(run.state));
  run.particle = new Uint16Array(bytes(run.particle));
  run.shade = new Uint8Array(bytes(run.shade));
  run.eigenvalues = new Float32Array(bytes(run.eigenvalues));
  run.pressure = new Uint8Array(bytes(run.pressure));
  run.pressures =
      new Float32Array(bytes(run.pressures)); /* the least and the greatest of each frame */
  run.touch = new Uint8Array(bytes(run.touch));
  run.first = [0];
  for (const count of run.particles) run.first.push(run.first[run.first.length - 1] + count);
  run.force = new Float32Array(bytes(run.force ?? ''));
  run.firstForce = [0];
  for (const count of run.forces ?? []) run.firstForce.push(run.firstForce.at(-1) + count);
  run.time = run.shown.map(step => step ? run.steps.time[step - 1] : 0);
  prepareRun(run);
}
const liquid = data.runs.some(r => r.particle.length);

/* The instants that are shown: the times of the frames of all runs, equal times once.
 * Each run shows its last frame at that time or before. */
const apart = 1e-6 *
    data.runs.reduce(
        (least, r) => r.time.reduce((a, t, k) => k ? Math.min(a, t - r.time[k - 1]) : a, least),
        1e9);
const instants = data.runs.flatMap(r => r.time)
                     .sort((a, b) => a - b)
                     .filter((t, k, all) => !k || t - all[k - 1] > apart);
for (const run of data.runs) {
  let k = 0;
  run.at = instants.map(t => {
    while (k + 1 < run.frames && run.time[k + 1] <= t + apart) k++;
    return k;
  });
}
const frames = instants.length,
      longest = data.runs.reduce((a, b) => b.steps.time.length > a.steps.time.length ? b : a);
/* Do runs have different times at the same step? Then they are compared by time. */
const byTime =
    data.runs.some(r => r.steps.time.some((t, k) => Math.abs(t - longest.steps.time[k]) > apart));
const decimals = Math.min(9, Math.max(2, Math.ceil(-Math.log10(1e6 * apart) - 1e-9)));
const unsolved = (run, step) =>
    run.steps.ode[step] ? run.steps.ode[step] > 1 : run.steps.solved[step] === 0;

/* One scale for all runs, so that they can be compared; a few values may be above it. */
const scaleOf = values => {
  const sorted = Float32Array.from(values).sort();
  return sorted.length ? sorted[Math.floor(0.995 * (sorted.length - 1))] : 0;
};
look.heaviest = Math.max(
    ...data.runs.map(r => scaleOf(r.load.filter((v, k) => !r.shapes[k % r.shapes.length].fixed))),
    1e-300);
look.highest =
    Math.max(...data.runs.map(r => scaleOf(r.pressures.filter((v, k) => k % 2))), 1e-300);

frameRuns(data.runs);

/* ---- Contact forces ---- */
const pushes = data.runs.some(r => r.force.length);
$('forces').parentNode.hidden = !pushes;
look.arrows = pushes && $('forces').checked;
const lengths = r => Array.from(
    {length: r.force.length / 6}, (_, k) => Math.hypot(...r.force.slice(6 * k + 3, 6 * k + 6)));
/* An arrow of the median impulse is a tenth of the scene long, that of a blow at most four times
 * it. */
const typical = Float32Array.from(data.runs.flatMap(lengths).filter(v => v)).sort(),
      median = typical[typical.length >> 1] ?? 1;
look.arrow = 0.07 * extentOf(data.runs[0]) / median;
for (const run of data.runs)
  lengths(run).forEach((l, k) => {
    for (let d = 3; d < 6 && l > 3 * median; d++) run.force[6 * k + d] *= 3 * median / l;
  });

/* If one body moves, the view holds its way in all runs, and its path is drawn. */
const lone = run =>
    run.particle.length ? [] : run.shapes.map((shape, k) => k).filter(k => !run.shapes[k].fixed);
for (const run of data.runs.filter(r => lone(r).length === 1)) {
  const from = k => (k * run.shapes.length + lone(run)[0]) * (run.dimension === 3 ? 7 : 3);
  run.path = run.time.map((t, k) => [...run.pose.subarray(from(k), from(k) + run.dimension)]);
}
const solo = data.runs.filter(r => r.path && r.dimension === 3);
for (let d = 0; d < 3 && solo.length; d++) {
  const [lo, hi] =
      solo.flatMap(r => r.path).reduce(([a, b], p) => [Math.min(a, p[d]), Math.max(b, p[d])], [
        Infinity, -Infinity
      ]);
  const more = Math.max(5 * solo[0].shapes[lone(solo[0])[0]].size[0], 0.1 * (hi - lo));
  for (const run of solo) {
    [run.lo[d], run.hi[d]] = [d === 2 ? run.floor : lo - more, hi + more];
    run.still = true;
  }
}

/* ---- colours ---- */
const COLOURS = liquid ?
    [['plain', 'speed'], ['load', 'pressure'], ['state', 'active set at walls']] :
    [['load', 'impulse'], ['state', 'active contacts'], ['plain', 'plain']].filter(
        ([value]) => value === 'plain' ||
            data.runs.some(r => r[value].length)); /* engines may tell neither */
$('colour').append(...COLOURS.map(([value, name]) => new Option(name, value)));
$('colour').parentNode.hidden = COLOURS.length < 2;
look.how = $('colour').value;
function legend() {
  const how = $('colour').value, all = [];
  const add = (html, text) => {
    const span = document.createElement('span');
    span.innerHTML = html;
    span.append(text);
    all.push(span);
  };
  const swatch = (colour, text) => add(`<i style="background:${rgb(colour)}"></i>`, text);
  const scale = (of, texts) => {
    const span = document.createElement('span'), bar = document.createElement('b');
    span.className = 'scale';
    bar.style.background =
        `linear-gradient(90deg, ${[0, 0.25, 0.5, 0.75, 1].map(t => rgb(of(t))).join()})`;
    span.append(bar, ...texts.map(t => {
      const e = document.createElement('span');
      e.textContent = t;
      return e;
    }));
    all.push(span);
  };
  const amounts = most => [0, most / 4, most].map(v => short(v)); /* colours go by the root */
  if (how === 'load' && liquid) {
    add('', 'pressure, Pa');
    scale(heat, amounts(look.highest));
    swatch(PULLED, 'below 0');
  } else if (how === 'load') {
    add('', 'impulses on a body in a step, N s');
    if (look.heaviest > 1e-300)
      scale(heat, amounts(look.heaviest));
    else
      add('', 'none in any frame');
  } else if (how === 'state' && liquid) {
    swatch(TOUCH[1], 'pressed to a wall, p > 0');
    swatch(TOUCH[2], 'free to leave it, p = 0');
    swatch(TOUCH[3], 'held back by it, p < 0');
    swatch(TOUCH[0], 'no wall beside it');
  } else if (how === 'state') {
    add('', 'contacts that push');
    [0, 1, 2, 4, 8].forEach(n => swatch(n ? heat(n / 8) : COLD, n === 8 ? '8 or more' : String(n)));
  } else if (liquid) {
    add('', 'speed');
    scale(t => speeds()[Math.round(255 * t)], ['0', '', 'fastest']);
    add('', 'of the frame, or 2 m/s if none is as fast');
  }
  if (!liquid && how !== 'plain' && data.runs.some(r => r.shapes.some(shape => shape.fixed)))
    swatch(STONE, 'fixed');
  if (marked) {
    add('<i style="background:#c03030;height:.35rem"></i>',
        data.runs.some(r => r.complaints) ? `not solved, or ${data.engine} complained` :
                                            'not solved');
  }
  $('legend').replaceChildren(...all);
}

/* Its values in words. */
function describe(run, frame, k) {
  const n = run.shapes.length, D = run.dimension,
        metres = v => [...v].map((c, d) => `${'xyz'[d]} ${short(c, 1)}`).join(', ') + ' m';
  if (k < 0) return '';
  if (k >= n) {
    const at = run.first[frame] + k - n, lo = run.pressures[2 * frame],
          hi = run.pressures[2 * frame + 1];
    const told = [metres(Array.from(
        {length: D},
        (_, d) => run.lo[d] + (run.hi[d] - run.lo[d]) * run.particle[D * at + d] / 65535))];
    if (run.pressure.length)
      told.push(`pressure ${short(lo + (hi - lo) * run.pressure[at] / 255)} Pa`);
    if (run.shade.length) told.push(`speed ${Math.round(run.shade[at] / 2.55)} % of the scale`);
    if (run.touch.length)
      told.push([
        'no wall beside it', 'pressed to a wall', 'free to leave a wall', 'held back by a wall'
      ][run.touch[at]]);
    return told.join('\n');
  }
  const each = D === 3 ? 7 : 3, at = frame * n + k,
        told = [`${run.shapes[k].fixed ? 'fixed body' : 'body'} ${k}`];
  if (run.shapes[k].fixed) return told[0];
  told.push(metres(run.pose.subarray(at * each, at * each + D)));
  if (run.load.length) told.push(`impulses ${short(run.load[at])} N s`);
  if (run.state.length)
    told.push(`${run.state[at]} active contact${run.state[at] === 1 ? '' : 's'}`);
  return told.join('\n');
}
/* Shows a text at the pointer; hides it if there is none. */
function tell(e, text) {
  const tip = $('tip');
  tip.hidden = !text;
  tip.textContent = text;
  if (!text) return;
  tip.style.left = `${Math.max(4, Math.min(e.clientX + 14, innerWidth - tip.offsetWidth - 6))}px`;
  tip.style.top = `${Math.max(4, Math.min(e.clientY + 14, innerHeight - tip.offsetHeight - 6))}px`;
}


/* ---- canvases ---- */
$('stage').className = data.runs.length === 1 ? 'one' : '';
$('stage').style.setProperty('--ratio', Math.max(...data.runs.map(ratioOf)));
const views = data.runs.map((run, k) => {
  const figure = document.createElement('figure'), canvas = document.createElement('canvas'),
        caption = document.createElement('figcaption');
  caption.innerHTML = `<b></b><span></span>`;
  caption.firstChild.textContent = run.label;
  if (data.runs.length > 1) caption.firstChild.style.color = PALETTE[k % PALETTE.length];
  figure.append(canvas, caption);
  $('views').append(figure);
  canvas.tabIndex = 0;
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', `the scene, ${run.label}`);
  steer(canvas, {space: () => run.dimension === 3, redraw: () => show()});
  canvas.addEventListener('pointermove', e => {
    const box = canvas.getBoundingClientRect(), f = run.at[frame],
          x = (e.clientX - box.left) / box.width * canvas.width,
          y = (e.clientY - box.top) / box.height * canvas.height;
    tell(e, e.buttons ? '' : describe(run, f, thingAt(run, f, canvas.view, x, y).thing));
  });
  canvas.addEventListener('pointerleave', e => tell(e, ''));
  return {run, canvas, note: caption.lastChild};
});

/* ---- plots ---- */
const joule = liquid && data.runs[0].dimension === 2 ? 'J/m' : 'J';
const ALL = [
  {key: 'residual', title: 'residual, relative', log: true, own: true},
  {key: 'iterations', title: 'iterations', log: true, whole: true, own: true},
  {key: 'milliseconds', title: data.engine === 'ODE' ? 'solve, ms' : 'step, ms', log: true},
  {key: 'kinetic', title: `kinetic energy, ${joule}`},
  {key: 'energy', title: `total energy, ${joule}`},
  {key: 'penetration', title: 'penetration, m'},
  {key: 'volume', title: 'volume, to first'},
  {key: 'rows', title: 'rows', whole: true, own: true},
];
const nothing = (key, v) => key === 'penetration' ? v <= 1e-12 : v === 0;
const has = (key, test) => data.runs.some(r => r.steps[key].some(test));
/* Inside an engine perp's own runs tell no more than solved or not, and the time of a step. */
const inside = data.engine !== 'ODE', known = ALL.filter(s => !inside || !s.own);
const SERIES = known.filter(s => has(s.key, v => v !== null && !nothing(s.key, v)));
const zero = known.filter(s => !SERIES.includes(s) && has(s.key, v => v !== null))
                 .map(s => s.title.replace(/,.*/, ''));
$('without').textContent = zero.length ? `Not plotted, 0 in every step: ${zero.join(', ')}.` : '';
const byOde = data.runs.some(r => r.ode);
const spectral = data.runs.some(r => r.eigenvalues.length);
const plots =
    SERIES
        .concat(
            spectral ? {
              title: (data.runs.some(r => /not symmetric|symmetric in \d/.test(r.matrix)) ?
                          'eigenvalues of (A + Aᵀ)/2' :
                          'eigenvalues of A') +
                  (data.runs.some(r => r.eigenvalues.some(negative(r))) ? ', < 0 in red' : ''),
              spectrum: true
            } :
                       [])
        .map(series => {
          const figure = document.createElement('figure'),
                canvas = document.createElement('canvas'),
                caption = document.createElement('figcaption');
          caption.innerHTML = '<b></b><span></span>';
          caption.lastChild.textContent =
              `${(series.own || series.spectrum) && byOde ? `${data.engine}: none; ` : ''}${
                  byTime ? 'time, s' : 'step'}`;
          caption.firstChild.textContent = series.title;
          figure.append(caption, canvas);
          $('plots').append(figure);
          canvas.onpointerdown = e => {
            const box = canvas.getBoundingClientRect(), scale = canvas.scale;
            if (scale)
              seekTo(
                  scale.first +
                  (scale.last - scale.first) *
                      ((e.clientX - box.left) / box.width * canvas.width - scale.left) /
                      (scale.right - scale.left));
          };
          canvas.onpointermove = e => {
            const box = canvas.getBoundingClientRect(), scale = canvas.scale;
            if (!scale || series.spectrum) return;
            const x = scale.first +
                (scale.last - scale.first) *
                    ((e.clientX - box.left) / box.width * canvas.width - scale.left) /
                    (scale.right - scale.left);
            const lines =
                data.runs
                    .map(run => {
                      const times = run.steps.time,
                            k = byTime ?
                          times.reduce(
                              (b, t, i) => Math.abs(t - x) < Math.abs(times[b] - x) ? i : b, 0) :
                          Math.round(x) - 1,
                            v = run.steps[series.key][k];
                      return k < 0 || k >= times.length ? null : [
                        k,
                        `${data.runs.length > 1 ? `${run.label}: ` : ''}${
                            v === null ? 'none' : short(v, 1)}`
                      ];
                    })
                    .filter(line => line);
            tell(
                e,
                lines.length ?
                    [
                      byTime ? `${short(x, 1)} s` : `step ${lines[0][0] + 1}`,
                      ...lines.map(line => line[1])
                    ].join('\n') :
                               '');
          };
          canvas.onpointerleave = e => tell(e, '');
          return {series, canvas};
        });
/* Returns height / width: plots next to a picture are low enough to fit the window together. */
function plotRatio(canvas) {
  if (getComputedStyle($('stage')).display !== 'grid') return 0.5;
  const columns = getComputedStyle($('plots')).gridTemplateColumns.split(' ').length,
        rows = Math.ceil(plots.length / columns);
  return Math.min(0.5, Math.max(64, 0.78 * innerHeight / rows - 40) / canvas.clientWidth);
}
/* Where step k of a run lies along a plot. */
const along = (run, k) => byTime ? run.steps.time[k] : k + 1;
/* The axes of a plot over steps or time, from lo to hi, and the place of a step and a value in it;
 * zeros: a logarithmic plot has a line for 0 below. */
function axes(canvas, lo, hi, series, zeros) {
  const [g, width, height] = prepare(canvas, plotRatio(canvas)), d = devicePixelRatio,
                   bottom = 20 * d, right = width * 0.98, top = 8 * d;
  const f = series.log ? Math.log10 : v => v,
        ticks = ticksOf(lo, hi, series, (height - bottom - top) / (15 * d)),
        least = zeros ? lo / Math.max(2, Math.min(10, (hi / lo) ** 0.2)) : lo, a = f(least),
        b = f(hi) === a ? a + 1 : f(hi);
  if (zeros) ticks.unshift([least, '0']);
  g.strokeStyle = css('--line');
  g.fillStyle = css('--dim');
  g.font = `${11 * d}px system-ui`;
  g.lineWidth = d;
  const left = Math.max(30 * d, ...ticks.map(([, text]) => g.measureText(text).width + 10 * d));
  const first = byTime ? 0 : 1,
        last = byTime ? instants[frames - 1] : Math.max(2, longest.steps.time.length);
  const at = x => left + (right - left) * (x - first) / (last - first || 1),
        Y = v => height - bottom - (height - bottom - top) * (f(v) - a) / (b - a);
  const X = (run, k) => at(along(run, k));
  canvas.scale = {left, right, first, last, ticks};
  g.textAlign = 'right';
  g.textBaseline = 'middle';
  for (const [v, text] of ticks) {
    g.beginPath();
    g.moveTo(left, Y(v));
    g.lineTo(right, Y(v));
    g.stroke();
    g.fillText(text, left - 6 * d, Y(v));
  }
  g.textBaseline = 'alphabetic';
  for (let k = 0; k <= 2; k++) {
    const x = first + (last - first) * k / 2;
    (g.textAlign = ['left', 'center', 'right'][k]),
        g.fillText(byTime ? short(x) : String(Math.round(x)), at(x), height - 5 * d);
  }
  const now =
      () => { /* what is shown */
              const x =
                  at(Math.max(first, byTime ? instants[frame] : longest.shown[longest.at[frame]]));
              g.strokeStyle = css('--ink');
              g.lineWidth = d;
              g.beginPath();
              g.moveTo(x, top);
              g.lineTo(x, height - bottom);
              g.stroke();
      };
  return {g, d, X, Y, now, width, height, bottom, least};
}
const colourOfRun = k => data.runs.length > 1 ? PALETTE[k % PALETTE.length] : css('--accent');
function drawSeries(series, canvas) {
  const usable = v => v !== null && (!series.log || v > 0);
  const all =
      data.runs.flatMap(r => r.steps[series.key].filter(usable)); /* missing values are gaps */
  if (!all.length) return;
  let lo = all.reduce((a, b) => Math.min(a, b)), hi = all.reduce((a, b) => Math.max(a, b));
  if (!series.log && lo > 0 && lo > 0.5 * hi === false) lo = Math.min(lo, 0);
  if (hi - lo <= 1e-10 * Math.abs(hi)) {
    hi = lo + Math.abs(lo) * 0.1 + 1e-12;
    lo -= Math.abs(lo) * 0.1;
  } /* only rounding: flat */
  const {g, d, X, Y, now, height, bottom, least} =
      axes(canvas, lo, hi, series, series.log && has(series.key, v => v === 0));
  data.runs.forEach((run, k) => {
    g.strokeStyle = colourOfRun(k);
    g.lineWidth = 1.4 * d;
    g.beginPath();
    let pen = false;
    run.steps[series.key].forEach((v, i) => {
      if (v === null) {
        pen = false;
        return;
      }
      const y = Y(usable(v) ? v : least);
      pen ? g.lineTo(X(run, i), y) : g.moveTo(X(run, i), y);
      pen = true;
    });
    g.stroke();
    if (series.key !== 'residual') return;
    g.fillStyle = '#c03030';
    run.steps.solved.forEach((v, i) => {
      if (unsolved(run, i)) g.fillRect(X(run, i) - d, height - bottom - 5 * d, 2 * d, 5 * d);
    });
  });
  now();
}
/* Draws a dot for every eigenvalue by its size; 0 up to rounding is on the lowest line. */
function negative(run) {
  const hi = run.eigenvalues.reduce((m, v) => Math.max(m, Math.abs(v)), 0);
  return v => v < -1e-9 * hi;
}
function drawSpectrum(canvas) {
  const hi =
      data.runs.reduce((m, r) => r.eigenvalues.reduce((n, v) => Math.max(n, Math.abs(v)), m), 0) ||
      1;
  const none = v => Math.abs(v) <= 1e-12 * hi,
        lo = data.runs.reduce(
            (m, r) => r.eigenvalues.reduce((n, v) => none(v) ? n : Math.min(n, Math.abs(v)), m),
            hi);
  const {g, d, X, Y, now, width, height, least} =
      axes(canvas, lo, hi, {log: true}, data.runs.some(r => r.eigenvalues.some(none)));
  const key = `${width} ${css('--accent')}`,
        wide = Math.max(
            1.5 * d, longest.spectra.length > 1 ? 0.8 * (X(longest, 1) - X(longest, 0)) : 0);
  if (canvas.dots?.key !== key) { /* too many to draw in every frame */
    data.runs.forEach((run, k) => {
      const below = negative(run), colour = colourOfRun(k);
      let at = 0;
      g.globalAlpha = 0.5;
      run.spectra.forEach((count, step) => {
        for (const end = at + count; at < end; at++) {
          const v = run.eigenvalues[at];
          g.fillStyle = below(v) ? '#c03030' : colour;
          g.fillRect(
              X(run, step) - wide / 2, Y(none(v) ? least : Math.abs(v)) - 0.75 * d, wide, 1.5 * d);
        }
      });
      g.globalAlpha = 1;
    });
    const image = document.createElement('canvas');
    image.width = width;
    image.height = height;
    image.getContext('2d').drawImage(canvas, 0, 0);
    canvas.dots = {key, image};
  } else {
    g.clearRect(0, 0, width, height);
    g.drawImage(canvas.dots.image, 0, 0);
  }
  now();
}
const drawPlot = ({series, canvas}) =>
    series.spectrum ? drawSpectrum(canvas) : drawSeries(series, canvas);

/* ---- time ---- */
let frame = 0, playing = false, clock = 0, last = null;
/* Red if a step between the frame before and this one is not solved. */
const marks = new Set();
for (const run of data.runs) {
  let at = 0;
  run.steps.solved.forEach((v, step) => {
    while (at < frames - 1 && run.shown[run.at[at]] <= step) at++;
    if (unsolved(run, step)) marks.add(at);
  });
}
const marked = marks.size > 0;
function drawMarks() {
  if (!marked) return;
  const canvas = $('marks'), d = devicePixelRatio,
        width = canvas.width = Math.round(canvas.clientWidth * d), g = canvas.getContext('2d'),
        inset = 8 * d; /* half the thumb */
  canvas.height = 6 * d;
  g.fillStyle = '#c03030';
  const wide = Math.max(d, (width - 2 * inset) / Math.max(1, frames - 1));
  for (const k of marks)
    g.fillRect(
        inset + (width - 2 * inset) * k / Math.max(1, frames - 1) - wide / 2, 0, wide,
        canvas.height);
}
/* The text under the picture of a run. */
function noteOf(run) {
  const k = run.at[frame], step = run.shown[k] - 1, told = [];
  if (byTime) told.push(`frame ${step + 1}`);
  if (step >= 0 && run.steps.ode[step])
    told.push(`stepped by ${data.engine}${
        run.steps.ode[step] > 1 ? ', which complained' : ', not judged'}`);
  else if (step >= 0 && inside)
    told.push(run.steps.solved[step] ? 'solved' : 'not solved');
  else if (step >= 0 && !run.steps.rows[step])
    told.push('no problem to solve');
  else if (step >= 0)
    told.push(`${run.steps.rows[step]} rows, ${run.steps.iterations[step]} iteration${
        run.steps.iterations[step] === 1 ? '' : 's'}, residual ${
        short(run.steps.residual[step] ?? 0)}${run.steps.solved[step] ? '' : ', not solved'}`);
  if (run.time[run.frames - 1] < instants[frame] - apart)
    told.push(`ended at ${run.time[run.frames - 1].toFixed(decimals)} s`);
  return told.join(', ');
}
let settled = 0;
/* Without a graphics card pictures in space are coarse while they move, sharp once they rest. */
function show() {
  draw(false);
  clearTimeout(settled);
  if (!playing) settled = setTimeout(() => draw(true), 200);
}
function draw(sharp) {
  for (const {run, canvas, note} of views) {
    const [g, width, height] = prepare(canvas, ratioOf(run));
    run.arrow = run.force.subarray(
        6 * run.firstForce[run.at[frame]], 6 * run.firstForce[run.at[frame] + 1]);
    run.sharp = sharp;
    drawRun(run, run.at[frame], g, width, height);
    note.textContent = noteOf(run);
  }
  plots.forEach(drawPlot);
  drawMarks();
  $('scrub').value = frame;
  const [now, end] = [instants[frame], instants[frames - 1]].map(t => t.toFixed(decimals)),
              at = longest.shown[longest.at[frame]];
  $('when').textContent = byTime ? `${now} of ${end} s` :
                                   `frame ${at} of ${longest.shown[longest.frames - 1]}, ${now} s`;
}
function seek(k) {
  frame = Math.min(frames - 1, Math.max(0, k));
  clock = instants[frame];
  show();
}
/* To the frame nearest to a step, or to a time if runs are compared by time. */
function seekTo(x) {
  const time = byTime ?
      x :
      longest.steps.time[Math.min(longest.steps.time.length, Math.max(1, Math.round(x))) - 1] ?? 0;
  seek(instants.reduce(
      (best, t, k) => Math.abs(t - time) < Math.abs(instants[best] - time) ? k : best, 0));
}
function tick(now) {
  if (!playing) return;
  if (last !== null) clock += (now - last) / 1000 * $('speed').value;
  last = now;
  let k = frame;
  while (k < frames - 1 && instants[k + 1] <= clock) k++;
  if (k >= frames - 1) {
    setPlaying(false);
  }
  if (k !== frame) {
    frame = k;
    show();
  }
  requestAnimationFrame(tick);
}
function setPlaying(on) {
  if (on && frame >= frames - 1) seek(0);
  playing = on;
  last = null;
  $('play').textContent = on ? 'Pause' : 'Play';
  if (on)
    requestAnimationFrame(tick);
  else
    show();
}
$('title').innerHTML = `<span></span> <small></small>`;
$('title').firstChild.textContent = data.title;
$('title').lastChild.textContent = `${data.scene}, perp ${data.version}`;
const hints = ['space plays, arrows pause and go a frame on or back, the pointer shows values'];
if (data.runs.some(r => r.dimension === 3)) hints.push(', dragging a picture turns it');
hints.push(', + and − or two fingers zoom a picture, a double click shows all of it, ');
hints.push('a click on a plot goes to its step');
if (data.runs.some(r => r.worst !== null)) hints.push('; residuals are relative to max|b|');
if (byOde && inside)
  hints.push('; times are for whole steps, with collision detection');
else if (byOde)
  hints.push(
      `; ${data.engine} gives no rows, iterations or residual, `,
      'and its time is that of all but the contacts');
$('keys').textContent = hints.join('');
$('scrub').max = frames - 1;
$('scrub').oninput = e => seek(+e.target.value);
$('play').onclick = () => setPlaying(!playing);
$('forces').onchange = () => {
  look.arrows = $('forces').checked;
  show();
};
$('colour').onchange = () => {
  look.how = $('colour').value;
  legend();
  show();
};
$('marks').hidden = !marked;
$('matrix').append(...data.runs.filter(r => r.matrix).map(r => {
  const p = document.createElement('p');
  p.textContent = (data.runs.length > 1 ? `${r.label}: ` : '') + r.matrix;
  return p;
}));
addEventListener(
    'keydown', e => { /* sliders, menus and buttons use these keys themselves */
                      const at = e.target.tagName;
                      if (e.key === ' ' && !/BUTTON|SELECT|SUMMARY/.test(at)) {
                        e.preventDefault();
                        setPlaying(!playing);
                      }
                      if (/^Arrow/.test(e.key) && at !== 'SELECT') setPlaying(false);
                      if (/^Arrow(Left|Right)$/.test(e.key) && !/INPUT|SELECT/.test(at))
                        seek(frame + (e.key === 'ArrowRight' ? 1 : -1));
    });
addEventListener('resize', show);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show);
/* A column without any value is left out. */
const columns = [
  ['run', r => r.label],
  ['scene', r => r.scene],
  ['method', r => r.method],
  ['steps', r => r.steps.rows.length],
  ['solved', r => r.ode && r.ode === r.steps.rows.length ? '' : r.solved],
  [
    `by ${data.engine}, not judged`,
    r => r.ode ? `${r.ode}${r.complaints ? `, complained in ${r.complaints}` : ''}` : ''
  ],
  ['worst residual', r => r.worst === null ? '' : short(r.worst)],
  ['solve time', r => `${short(r.seconds)} s`],
  ['deepest penetration, m', r => r.deepest === null ? '' : short(r.deepest)],
].filter(([, of]) => data.runs.some(r => of(r) !== ''));
const rowOf = (kind, texts) => {
  const row = document.createElement('tr');
  for (const text of texts) {
    const cell = document.createElement(kind);
    cell.textContent = text;
    row.append(cell);
  }
  return row;
};
$('parameters').append(rowOf('th', columns.map(([name]) => name)), ...data.runs.map(r => {
  const row = rowOf('td', columns.map(([, of]) => of(r)));
  columns.forEach(([name], k) => row.cells[k].dataset.name = name);
  return row;
}));
/* All parameters, defaults too: a row each, a column for each run. */
const settings = new Map();
data.runs.forEach((run, k) => run.settings.forEach(([group, name, value, given, about]) => {
  const key = `${group} ${name}`,
        row = settings.get(key) ?? {group, name, about, cells: data.runs.map(() => ['', 0])};
  row.cells[k] = [value, given];
  settings.set(key, row);
}));
const GROUPS = ['scene', 'method', 'solves'], list = document.createElement('table'),
      call = document.createElement('p'), code = document.createElement('code'),
      wide = document.createElement('div');
list.append(rowOf(
    'th',
    ['', 'parameter', ...(data.runs.length > 1 ? data.runs.map(r => r.label) : ['value']), '']));
let before = '';
for (const {group, name, about, cells} of [...settings.values()].sort(
         (a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group))) {
  const row = rowOf('td', [group === before ? '' : group, name, ...cells.map(c => c[0]), about]);
  cells.forEach(([, given], k) => {
    if (given) row.cells[2 + k].className = 'given';
  });
  list.append(row);
  before = group;
}
code.textContent = data.command;
call.append('Made by ', code, '; what was given is bold, the rest is of default.');
wide.className = 'wide';
wide.append(list);
$('settings').append(call, wide);
legend();
show();
setPlaying(frames > 1 && !matchMedia('(prefers-reduced-motion: reduce)').matches);
