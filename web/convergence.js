/* web/convergence.js: choose or paste a problem, run methods, and see how they converge */
'use strict';

let handedOver = null; /* a problem from another instrument, too large for the address */
const PROBLEM_EXAMPLES = [
  'fluid:grid=32', 'wall:form=findex,cfm=0.001', 'obstacle:points=31', 'pd:n=100',
  'contact-notes:n=100', 'murty:n=12', 'pile:n=30,form=findex', 'put:n=200', 'arch:form=findex',
  'nonsym:n=60'
];
const TOLERANCES = ['0.0001', '0.000001', '1e-8', '1e-10', '1e-12'];
const LONG = 50000; /* letters of a pasted problem: more is not written to the address */
const FORMS = ['lcp', 'mixed', 'boxed', 'findex', 'cone'];

/* A zip file without compression, of text files. */
function zip(files) {
  const encoder = new TextEncoder(), crcTable = Array.from({length: 256}, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ c >>> 1 : c >>> 1;
    return c >>> 0;
  });
  const crc = data => {
    let c = 0xffffffff;
    for (const b of data) c = crcTable[(c ^ b) & 255] ^ c >>> 8;
    return (c ^ 0xffffffff) >>> 0;
  };
  const parts = [], central = [];
  let at = 0;
  const put = (list, sizes) => {
    const view = new DataView(new ArrayBuffer(sizes.reduce((a, [, n]) => a + n, 0)));
    let p = 0;
    for (const [v, n] of sizes) {
      n === 4 ? view.setUint32(p, v, true) : view.setUint16(p, v, true);
      p += n;
    }
    list.push(new Uint8Array(view.buffer));
    return view.byteLength;
  };
  for (const [name, text] of Object.entries(files)) {
    const data = encoder.encode(text), path = encoder.encode(name), sum = crc(data), begin = at;
    at += put(parts,
              [
                [0x04034b50, 4], [20, 2], [0, 2], [0, 2], [0, 2], [33, 2], [sum, 4],
                [data.length, 4], [data.length, 4], [path.length, 2], [0, 2]
              ]) +
        path.length + data.length;
    parts.push(path, data);
    put(central, [
      [0x02014b50, 4], [20, 2], [20, 2], [0, 2], [0, 2], [0, 2], [33, 2], [sum, 4],
      [data.length, 4], [data.length, 4], [path.length, 2], [0, 2], [0, 2], [0, 2], [0, 2], [0, 4],
      [begin, 4]
    ]);
    central.push(path);
  }
  const length = central.reduce((a, p) => a + p.length, 0), count = Object.keys(files).length;
  put(central,
      [[0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [length, 4], [at, 4], [0, 2]]);
  return new Blob([...parts, ...central], {type: 'application/zip'});
}
function download(blob, name) {
  const a = el('a', {href: URL.createObjectURL(blob), download: name});
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}

/* Runs methods on a problem and draws their residuals: also a part of lessons. */
function makeRace({label = 'residual against iterations'} = {}) {
  const plot = makePlot({ratio: 0.46, label}), list = el('div.results'),
        told = el('p.note', {'aria-live': 'polite'}), caption = el('p.note');
  let runs = [], by = 'iteration', turn = 0; /* the number of the last race */
  redraws.add(plot.draw);
  const show = () => {
    caption.textContent =
        by === 'iteration' ? 'residual after each iteration' : 'residual against seconds';
    plot.show(
        runs.filter(r => !r.error)
            .map(
                r =>
                    ({label: r.label, colour: r.colour, x: r[by].map(v => v ?? 0), y: r.residual})),
        {log: true, whole: by === 'iteration'});
    const about = runs.some(r => r.about) ? ['what it is'] : [];
    list.replaceChildren(
        runs.length ? table(
                          ['method', 'outcome', 'iterations', 'ms', 'residual', ...about],
                          runs.map(
                              r =>
                                  [dotted(r.label, r.colour),
                                   ...r.error ? [el('span.error', {}, r.error), '', '', ''] :
                                                [
                                                  r.outcome, String(r.iterations),
                                                  short(1e3 * r.time), short(r.final ?? NaN)
                                                ],
                                   ...about.map(() => r.about ?? '')])) :
                      '');
  };
  return {
    element: el('div', {}, caption, plot.canvas, told, list),
    show,
    set by(v) {
      by = v;
      show();
    },
    get runs() {
      return runs;
    },
    /* items: [{label, method, settings}] */
    async run(problem, items, {tol = 1e-8, iterations = 0, seconds = 5} = {}) {
      const own = ++turn;
      runs = [];
      for (const [k, item] of items.entries()) {
        if (own !== turn) return runs;
        told.textContent = `running ${item.label || item.method} …`;
        const result = await askWarm({
                         problem,
                         method: item.method,
                         settings: item.settings || '',
                         tol,
                         iterations,
                         seconds,
                         start: item.start
                       }).catch(error => ({error: error.message}));
        if (own !== turn) return runs;
        runs.push({
          ...result,
          label: item.label || item.method,
          about: item.about,
          colour: PALETTE[k % PALETTE.length]
        });
        show();
      }
      told.textContent = '';
      return runs;
    },
    stop() {
      turn++;
      told.textContent = 'stopped';
    },
    forget() {
      turn++;
      runs = [];
      told.textContent = '';
      show();
    },
    end() {
      turn++;
      redraws.delete(plot.draw);
    },
  };
}

function mountConvergence(root, state, save) {
  const s = {
    problem: state.problem || (handedOver || state.A ? '' : 'fluid:grid=32'),
    A: state.A || '',
    b: state.b || '',
    methods:
        [...new Set((state.methods || 'pgs,psor,nncg,mprgp,minmap').split(',').filter(t => t))],
    by: state.by === 'seconds' ? 'seconds' : 'iteration',
    tol: numberOf(state.tol, 1e-8, 1e-14, 1),
    seconds: numberOf(state.seconds, 3, 0.5, 20)
  };
  const store = () => save({
    ...(s.A.length + s.b.length > LONG ? {} :
            s.A                        ? {A: s.A, b: s.b} :
                                         {problem: s.problem}),
    methods: s.methods.join(),
    by: s.by,
    tol: s.tol,
    seconds: s.seconds
  });
  const race = makeRace(), answer = el('div', {'aria-live': 'polite'}),
        note = el('p.note', {'aria-live': 'polite'}), about = el('p.verdict'),
        pattern = el('canvas.figure', {role: 'img', 'aria-label': 'sparsity pattern of A'}),
        spectrum = makePlot({ratio: 0.5, label: 'eigenvalues of the symmetric part of A'}),
        patternNote = el('figcaption'), spectrumNote = el('figcaption');
  let problem = null, info = null, fields = null, list = null, ended = false;
  if (!s.A && !state.problem && handedOver) problem = handedOver;

  function drawPattern() {
    if (!fields || !pattern.isConnected) return;
    const [g, w, h] = prepare(pattern, 0.7), side = Math.min(w, h), m = fields.fields,
                 most = Math.max(...fields.count), ox = (w - side) / 2;
    const image = new ImageData(m, m),
          ink = css('--accent').match(/\w\w/g).map(t => parseInt(t, 16));
    fields.count.forEach((c, k) => {
      if (c) image.data.set([...ink, 90 + Math.round(165 * Math.sqrt(c / most))], 4 * k);
    });
    const small = el('canvas', {width: m, height: m});
    small.getContext('2d').putImageData(image, 0, 0);
    g.imageSmoothingEnabled = m > side;
    g.drawImage(small, ox, 0, side, side);
    g.strokeStyle = css('--line');
    g.strokeRect(ox + 0.5, 0.5, side - 1, side - 1);
  }
  redraws.add(drawPattern);
  redraws.add(spectrum.draw);
  /* Clears the statements about the last problem. */
  function forget() {
    info = fields = null;
    race.forget();
    answer.replaceChildren();
    parameters.hidden = true;
    about.textContent = patternNote.textContent = spectrumNote.textContent = '';
    prepare(pattern, 0.7);
    spectrum.show([]);
  }
  let taken = 0; /* times; what was asked for before is of no interest */
  async function take() {
    const turn = ++taken,
          own = problem = s.A ? problem?.A ? problem : {A: s.A, b: s.b} :
        s.problem             ? s.problem :
                                problem;
    try {
      if (!own) throw new Error('there is no problem: A is empty');
      info = await ask('problem', {problem: own});
      if (ended || turn !== taken) return false;
      const f = info.facts;
      about.textContent = `${info.name || 'the problem'}: n = ${info.n}, ${
              [info.nonzeros < 0 ? 'matrix-free' : `${info.nonzeros} entries`, `form ${info.form}`,
               `A stored as ${info.kind}`, f?.symmetric === true && 'symmetric',
               f?.symmetric === false && 'not symmetric',
               f && f.definite !== 'unknown' && f.definite,
               f?.condition && `condition number about ${short(f.condition)}`]
                  .filter(t => t)
                  .join(', ')}.${
          own.files ? ' It is too large for the address: download it to share it.' : ''}`;
      chooseMethods();
      fields = await ask('pattern', {problem: own, fields: 160}).catch(() => null);
      patternNote.textContent = fields ?
          `sparsity pattern: where A is not 0, ${fields.nonzeros} of ${info.n}² entries` :
          'no pattern';
      drawPattern();
      const eigen =
          info.n <= 400 ? await ask('spectrum', {problem: own, most: 400}).catch(() => null) : null,
            w = eigen?.eigenvalues ?? [];
      spectrumNote.textContent = w.length ?
          `eigenvalues of (A + Aᵀ)/2 by size, ${short(w[0])} to ${short(w[w.length - 1])}` :
          info.n > 400 ? `no eigenvalues: n = ${info.n} is above 400` :
                         'no eigenvalues: numbers overflow';
      spectrum.show(
          [{label: 'eigenvalue', colour: css('--accent'), x: w.map((_, k) => k + 1), y: w}],
          {log: w.length > 0 && w[0] > 0, whole: true});
      say(note, '');
      return true;
    } catch (error) {
      if (turn === taken) {
        forget();
        problem = null;
        sayError(note, error);
      }
      return false;
    }
  }
  async function run() {
    if (!problem && !await take()) return;
    store();
    if (!s.methods.length) {
      sayError(note, 'tick a method to run it');
      return;
    }
    answer.replaceChildren();
    showAnswer(await race.run(
        problem,
        s.methods.map(
            method => ({method, about: list.methods.find(m => m.name === method)?.title})),
        {tol: s.tol, seconds: s.seconds}));
  }
  /* Shows the verdict on a small problem, with the x and y of the smallest residual. */
  function showAnswer(runs) {
    const [best] = runs.filter(r => r.x?.length).sort((r, t) => r.final - t.final);
    if (!best) return;
    const solved = best.outcome === 'solved',
          number = v => v === null ? '–' : String(+v.toPrecision(12));
    answer.replaceChildren(
        el(solved ? 'p.verdict' : 'p.verdict.error', {},
           el('b', {}, solved ? 'solved' : `not solved: ${best.outcome}`),
           ` by ${best.label}; residual ${short(best.final ?? NaN)}, tolerance ${short(s.tol)}`),
        el('div.answer', {},
           table(
               ['row', 'x', 'y = A x + b'],
               best.x.map((v, i) => [String(i), number(v), number(best.y[i])]))));
  }
  /* One thing at a time: what is new ends what runs; Stop ends it too. */
  let working = false, last = 0;
  const halt = () => {
    working = false;
    last++;
    race.stop();
    stopWorker(0);
    go.textContent = 'Run';
  };
  async function work(f) {
    if (working) halt();
    const own = ++last;
    working = true;
    go.textContent = 'Stop';
    await f();
    if (own === last) {
      working = false;
      go.textContent = 'Run';
    }
  }
  /* Before the methods are known nothing runs: then all begins by itself. */
  const go =
      el('button.primary', {type: 'button', onclick: () => working ? halt() : list && work(run)},
         'Run');
  const all = () => list && work(async () => {
                      if (await take()) await run();
                    });

  /* ---- Choosing ---- */
  const names = el('datalist', {id: 'generators'}),
        choose = el('input', {
          type: 'text',
          value: s.problem,
          list: 'generators',
          'aria-label': 'a problem, KIND:key=value,…',
          spellcheck: false,
          onchange() {
            s.problem = choose.value.trim();
            examples.select.value = PROBLEM_EXAMPLES.includes(s.problem) ? s.problem : '';
            s.A = s.b = '';
            problem = null;
            all();
          }
        });
  const examples = menu({
    name: 'example',
    value: '',
    items: [['', 'choose…']],
    change(v) {
      if (v) {
        choose.value = v;
        choose.onchange();
      }
    }
  });
  const keysOf = el('summary'), keys = el('p.note'),
        parameters = el('details', {hidden: true}, keysOf, keys);
  const A = el('textarea', {
    rows: 4,
    'aria-label': 'the matrix A, a row on each line',
    placeholder: 'A, a row on each line:\n2 -1\n-1 2',
    spellcheck: false,
    value: s.A.replace(/;/g, '\n')
  }),
        b = el('textarea', {
          rows: 4,
          'aria-label': 'the vector b',
          placeholder: 'b:\n-1 0.8',
          spellcheck: false,
          value: s.b.replace(/;/g, '\n')
        });
  const paste =
      el('button', {
        type: 'button',
        onclick() {
          [s.A, s.b] = [A, b].map(
              t => t.value.length > LONG ? t.value : t.value.trim().replace(/\n+/g, ';'));
          s.problem = '';
          choose.value = '';
          problem = null;
          all();
        }
      },
         'Use A and b');
  async function takeFiles(files) {
    const text = {};
    for (const f of files)
      if (/\.(mtx|txt)$/.test(f.name)) {
        if (text[f.name] !== undefined) {
          sayError(note, `${f.name} is there twice: one problem at a time`);
          return;
        }
        text[f.name] = await f.text();
      }
    if (!text['A.mtx'] && !text['J.mtx']) {
      sayError(note, 'there is no A.mtx or J.mtx among the files');
      return;
    }
    s.A = s.b = s.problem = '';
    choose.value = '';
    problem = {files: text};
    all();
  }
  const input = el('input', {
    type: 'file',
    multiple: true,
    accept: '.mtx,.txt',
    'aria-label': 'files of a problem folder',
    onchange: () => takeFiles(input.files)
  });
  const drop = el('div.drop', {}, 'Drop a Matrix Market folder anywhere on this page, or ', input);
  /* Returns the dropped files. On a page from the disk Chromium gives the files of a folder only by
   * handles, other browsers only by entries, a few at a time. */
  async function filesOf(item) {
    if (item.kind === 'file' && item.getFile) return [await item.getFile()];
    const found = [];
    if (item.values)
      for await (const one of item.values()) found.push(...await filesOf(one));
    else if (item.isFile)
      found.push(await new Promise((done, fail) => item.file(done, fail)));
    else
      for (let reader = item.createReader(), some;
           (some = await new Promise((done, fail) => reader.readEntries(done, fail))).length;)
        for (const one of some) found.push(...await filesOf(one));
    return found;
  }
  const over = e => {
    e.preventDefault();
    drop.classList.add('over');
  }, leave = () => drop.classList.remove('over');
  const dropped = async e => {
    e.preventDefault();
    drop.classList.remove('over');
    const items = [...e.dataTransfer.items]
                      .filter(item => item.kind === 'file')
                      .map(item => item.getAsFileSystemHandle?.() ?? item.webkitGetAsEntry());
    try {
      takeFiles((await Promise.all((await Promise.all(items)).map(filesOf))).flat());
    } catch (error) {
      sayError(note, error);
    }
  };
  const DROPS = {
    dragover: over,
    dragleave: leave,
    drop: dropped
  }; /* on the whole page, or the browser would leave it for the files */
  for (const [kind, f] of Object.entries(DROPS)) addEventListener(kind, f);
  const methods = el('fieldset.methods', {}, el('legend', {}, 'methods'));
  function chooseMethods() {
    if (!list || !info) return;
    const fit = list.methods.filter(
        m => m.takes & 1 << FORMS.indexOf(info.form) && (!m.most || m.most >= info.n));
    s.methods = s.methods.filter(name => fit.some(m => m.name === name));
    if (!s.methods.length && fit.some(m => m.name === 'auto')) s.methods = ['auto'];
    methods.replaceChildren(el('legend', {}, `methods for ${info.form}`), ...fit.map(m => {
      const c = check({
        name: m.name,
        value: s.methods.includes(m.name),
        change(on) {
          s.methods = on ? [...s.methods, m.name] : s.methods.filter(t => t !== m.name);
          store();
        }
      });
      c.title = `${m.title}: ${m.works || ''}`;
      return c;
    }));
    const kind = list.generators.find(g => g.name === s.problem.split(':')[0]);
    parameters.hidden = !kind;
    if (!kind) return;
    keysOf.textContent = `${kind.name}: ${kind.title}; what can be set`;
    keys.textContent = `${
            [...kind.parameters.map(
                 p => `${p.name}=${p.words.length ? p.words[p.value] : short(p.value ?? 0)}`),
             'seed=1']
                .join(', ')}. Write ${kind.name}:key=value,key=value.`;
  }
  root.append(
      el('div.controls', {}, el('label.menu', {}, el('span', {}, 'problem'), choose), names,
         examples, go, menu({
           name: 'against',
           value: s.by,
           items: [['iteration', 'iterations'], ['seconds', 'seconds']],
           change(v) {
             s.by = v;
             race.by = v;
             store();
           }
         }),
         menu({
           name: 'tolerance',
           value: String(s.tol),
           items: TOLERANCES,
           change(v) {
             s.tol = +v;
             store();
           }
         }),
         slider({
           name: 'each at most',
           value: s.seconds,
           min: 0.5,
           max: 20,
           step: 0.5,
           unit: ' s',
           change(v) {
             s.seconds = v;
             store();
           }
         }),
         el('button', {
           type: 'button',
           onclick: async () => {
             try {
               download(zip(await ask('save', {problem})), 'problem.zip');
             } catch (error) {
               sayError(note, error);
             }
           }
         },
            'Download as a folder')),
      parameters,
      el('details', {open: !!s.A}, el('summary', {}, 'Paste A and b, or open files'),
         el('div.pair', {}, A, b), paste, drop),
      about, note, answer, methods, race.element,
      el('div.pair', {}, el('figure', {}, pattern, patternNote),
         el('figure', {}, spectrum.canvas, spectrumNote)));
  race.by = s.by;
  ask('list')
      .then(told => {
        if (ended) return;
        list = told;
        names.append(...told.generators.map(g => el('option', {value: g.name}, g.title)));
        examples.select.append(...PROBLEM_EXAMPLES.map(
            t => new Option(
                `${t}: ${told.generators.find(g => g.name === t.split(':')[0]).title}`, t)));
        all();
      })
      .catch(error => {
        sayError(note, error);
      });
  root.race = race;
  return () => {
    ended = true;
    race.end();
    for (const [kind, f] of Object.entries(DROPS)) removeEventListener(kind, f);
    redraws.delete(drawPattern);
    redraws.delete(spectrum.draw);
  };
}
