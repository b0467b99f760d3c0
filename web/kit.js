/* web/kit.js: what all instruments share: the worker, elements, numbers, plots with a pointer */
'use strict';

/* ---- The worker ---- */

/* Each has the whole library; a second one is started for two liquids side by side, and for solves
 * while a scene runs. A worker that was killed, ran out of memory or was stopped is replaced by a
 * new one at the next call. */
const workers = [];
function makeWorker(number) {
  const text = document.getElementById('worker').textContent,
        address = URL.createObjectURL(new Blob([text], {type: 'text/javascript'}));
  const own = new Worker(address), waiting = new Map();
  let next = 1, given = null; /* the problem that it has: a large one is handed over once */
  function end(why) {
    own.terminate();
    if (workers[number] === made) workers[number] = undefined;
    for (const {fail} of waiting.values()) fail(new Error(why));
    waiting.clear();
  }
  own.onmessage = ({data: {id, result, error, broken}}) => {
    URL.revokeObjectURL(address);
    const one = waiting.get(id);
    waiting.delete(id);
    error === undefined ? one?.done(result) : one?.fail(new Error(error));
    if (broken) end('the solver was started anew');
  };
  own.onerror = event => {
    event.preventDefault();
    end(`the solver ended: ${event.message || 'no reason was given'}`);
  };
  const solves = call =>
      call === 'problem' || call === 'run' || call === 'spectrum' || call === 'pattern';
  const made = {
    end,
    solving: () => [...waiting.values()].some(one => solves(one.call)),
    late: () => [...waiting.values()].some(one => performance.now() - one.since > 1000),
    ask: (call, args) => new Promise((done, fail) => {
      if (args?.problem) {
        if (args.problem === given && typeof given === 'object')
          args = {...args, problem: null};
        else
          given = args.problem;
      }
      waiting.set(next, {call, done, fail, since: performance.now()});
      own.postMessage({id: next++, call, args});
    })
  };
  return made;
}
const ask = async (call, args, number = 0) =>
    (workers[number] ??= makeWorker(number)).ask(call, args);
/* A browser compiles the module again, for speed, while it runs: a solve is timed only after the
 * same solve has run for a while. */
async function askWarm(args, number = 0) {
  const end = performance.now() + 200;
  for (let k = 0; k < 40 && performance.now() < end; k++)
    await ask('run', {...args, seconds: Math.min(args.seconds || 0.2, 0.2)}, number);
  return ask('run', args, number);
}
const stopWorker = number => workers[number]?.end('stopped');
/* Nobody waits any more for what an instrument that is left has asked for. */
const freeWorker = () => {
  for (const k of workers.keys())
    if (workers[k]?.solving() || workers[k]?.late()) stopWorker(k);
};
addEventListener('unhandledrejection', event => {
  if (event.reason?.message === 'stopped') event.preventDefault();
});

/* A number of the address, or what stands for it if it is none or out of range. */
function numberOf(text, otherwise, lo, hi) {
  const v = text === undefined || text === '' ? NaN : +text;
  return v >= lo && v <= hi ? v : otherwise;
}
const oneOf = (text, names, otherwise = names[0]) => names.includes(text) ? text : otherwise;

/* ---- Elements ---- */

/* el('button.wide', {onclick}, 'text', child...): properties with `on` are listeners. */
function el(name, properties = {}, ...children) {
  const [tag, ...classes] = name.split('.'), e = document.createElement(tag);
  e.className = classes.join(' ');
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (key.startsWith('on'))
      e[key] = value;
    else if (key in e && key !== 'list' && key !== 'role')
      e[key] = value;
    else
      e.setAttribute(key, value);
  }
  e.append(...children.filter(c => c !== null && c !== undefined));
  return e;
}
/* A name behind a dot of its colour; a colour and what it stands for. */
const dotted = (label, colour) =>
    el('span', {}, el('span', {'aria-hidden': 'true', style: `color:${colour}`}, '● '), label);
const swatch = (colour, text) =>
    el('span', {}, el('i', {style: `background:${rgb(colour)}`}), text);
const PALETTE = [
  '#3d7fd0', '#d1642c', '#2f8f5b', '#8a4fbf', '#b8860b', '#c2387a', '#3b9fb8', '#6b6b6b', '#8a9a2b',
  '#a0522d'
];

/* A slider with its name and value: {name, value, min, max, step, unit, change}. */
function slider({name, value, min, max, step, unit = '', change, show = short}) {
  const told = el('output', {'aria-hidden': 'true'});
  const input = el('input', {
    type: 'range',
    min,
    max,
    step,
    value,
    'aria-label': name,
    oninput() {
      say(+input.value);
      change(+input.value);
    }
  });
  /* what is seen is also what a screen reader says: 30°, not 0.52 */
  const say = v => {
    told.textContent = show(v) + unit;
    input.setAttribute('aria-valuetext', told.textContent);
  };
  say(value);
  const label = el('label.slider', {}, el('span', {}, name), input, told);
  label.set = v => {
    input.value = v;
    say(v);
  };
  label.range = (lo, hi) => {
    input.min = lo;
    input.max = hi;
  };
  return label;
}
/* Of an angle in radians. */
const degrees = v => String(Math.round(v * 180 / Math.PI));
/* A menu: [[value, text]] or [text]. */
function menu({name, value, items, change, hidden}) {
  const select =
      el('select', {
        'aria-label': name,
        onchange() {
          change(select.value);
        }
      },
         ...items.map(item => {
           const [v, text] = Array.isArray(item) ? item : [item, item];
           return new Option(text, v);
         }));
  select.value = value;
  if (select.selectedIndex < 0) {
    select.add(new Option(value, value));
    select.value = value;
  } /* of the address */
  const label = el('label.menu', {}, hidden ? '' : el('span', {}, name), select);
  label.select = select;
  return label;
}
/* Buttons of which one is pressed. */
function choice({name, value, items, change}) {
  const group = el('div.choice', {role: 'group', 'aria-label': name});
  const set = v => {
    for (const b of group.children) b.setAttribute('aria-pressed', b.value === v);
  };
  group.append(...items.map(
      ([v, text, about]) =>
          el('button', {
            type: 'button',
            value: v,
            title: about,
            onclick() {
              set(v);
              change(v);
            }
          },
             text)));
  set(value);
  group.set = set;
  return group;
}
const check = ({name, value, change}) => {
  const input = el('input', {
    type: 'checkbox',
    checked: value,
    onchange() {
      change(input.checked);
    }
  });
  const label = el('label.check', {}, input, name);
  label.input = input;
  return label;
};

/* A text of the page, and one that says what went wrong. */
const say = (p, text, wrong = false) => {
  p.textContent = text;
  p.classList.toggle('error', wrong);
};
const sayError = (p, error) => say(p, error.message ?? error, true);

/* Shows a text next to the pointer; hides it without a text. */
function tell(e, text) {
  const tip = document.getElementById('tip');
  tip.hidden = !text;
  tip.textContent = text;
  if (!text) return;
  tip.style.left = `${Math.max(4, Math.min(e.clientX + 14, innerWidth - tip.offsetWidth - 6))}px`;
  tip.style.top = `${Math.max(4, Math.min(e.clientY + 14, innerHeight - tip.offsetHeight - 6))}px`;
}
/* Its pointer stays with the element; one that was made by a program, or is gone already, cannot.
 */
function capture(element, e) {
  try {
    element.setPointerCapture(e.pointerId);
  } catch { /* it is let go where it is */
  }
}
/* Where the pointer is on a canvas, in its own pixels. */
function pointOn(canvas, e) {
  const box = canvas.getBoundingClientRect();
  return [
    (e.clientX - box.left) / box.width * canvas.width,
    (e.clientY - box.top) / box.height * canvas.height
  ];
}

/* Which of several is open; a screen reader takes an attribute without a value for none. */
const markCurrent = (e, on, kind) =>
    on ? e.setAttribute('aria-current', kind) : e.removeAttribute('aria-current');

/* ---- Plots ---- */

/* A plot on a canvas: plot.show(lines, {title, log, x: 'iterations'}), lines [{label, colour, x, y,
 * width}]. Missing values are gaps; in a logarithmic plot what is not above 0 is one. */
function makePlot({ratio = 0.5, label = 'plot'} = {}) {
  const canvas = el('canvas.plot', {role: 'img', 'aria-label': label});
  let lines = [], how = {}, scale = null;
  const usable = v => v !== null && isFinite(v) && (!how.log || v > 0);
  function range(key, test) {
    let lo = Infinity, hi = -Infinity;
    for (const line of lines)
      for (const v of line[key])
        if (v !== null && test(v)) {
          lo = Math.min(lo, v);
          hi = Math.max(hi, v);
        }
    return lo <= hi ? [lo, hi] : null;
  }
  function draw() {
    if (!canvas.isConnected) return;
    const [g, width, height] =
        prepare(canvas, Math.min(ratio, 440 / Math.max(1, canvas.clientWidth))),
                     d = devicePixelRatio, bottom = 22 * d, right = width - 10 * d, top = 8 * d;
    const ends = range('y', usable), across = range('x', isFinite);
    scale = null;
    if (!ends || !across) return;
    let [lo, hi] = ends;
    if (how.least !== undefined && !how.log) lo = Math.min(lo, how.least);
    if (hi - lo <= 1e-10 * Math.abs(hi)) {
      hi += Math.abs(hi) * 0.1 || 1;
      lo -= how.log ? 0.09 * lo : Math.abs(lo) * 0.1;
    }
    const f = how.log ? Math.log10 : v => v,
          ticks = ticksOf(lo, hi, how, (height - bottom - top) / (16 * d)), a = f(lo), b = f(hi);
    g.font = `${11 * d}px system-ui`;
    g.lineWidth = d;
    g.strokeStyle = css('--line');
    g.fillStyle = css('--dim');
    const left = Math.max(30 * d, ...ticks.map(([, text]) => g.measureText(text).width + 10 * d)),
          [first, last] = across;
    const X = v => left + (right - left) * (v - first) / (last - first || 1),
          Y = v => height - bottom - (height - bottom - top) * (f(v) - a) / (b - a);
    g.textAlign = 'right';
    g.textBaseline = 'middle';
    g.beginPath();
    for (const [v, text] of ticks) {
      g.moveTo(left, Y(v));
      g.lineTo(right, Y(v));
      g.fillText(text, left - 6 * d, Y(v));
    }
    g.stroke();
    g.textBaseline = 'alphabetic';
    const middle = (first + last) / 2;
    [...new Set([first, how.whole ? Math.round(middle) : middle, last])].forEach((v, k, all) => {
      g.textAlign = k === 0 ? 'left' : k < all.length - 1 ? 'center' : 'right';
      g.fillText(how.whole ? String(v) : short(v), X(v), height - 6 * d);
    });
    for (const line of lines) {
      g.strokeStyle = line.colour;
      g.lineWidth = (line.width || 1.6) * d;
      g.setLineDash(line.dash ? [4 * d, 3 * d] : []);
      g.beginPath();
      let pen = false;
      line.y.forEach((v, k) => {
        if (!usable(v)) {
          pen = false;
          return;
        }
        pen ? g.lineTo(X(line.x[k]), Y(v)) : g.moveTo(X(line.x[k]), Y(v));
        pen = true;
      });
      g.stroke();
      if (line.y.length === 1 && usable(line.y[0])) {
        g.fillStyle = line.colour;
        g.fillRect(X(line.x[0]) - 2 * d, Y(line.y[0]) - 2 * d, 4 * d, 4 * d);
      }
    }
    g.setLineDash([]);
    scale = {X, first, last, left, right};
  }
  canvas.onpointerdown = canvas.onpointermove =
      e => { /* a finger that taps has not moved */
             if (!scale) return;
             const x = scale.first +
                 (scale.last - scale.first) * (pointOn(canvas, e)[0] - scale.left) /
                     (scale.right - scale.left);
             const told = lines
                              .map(line => {
                                let k = 0;
                                line.x.forEach((v, i) => {
                                  if (Math.abs(v - x) < Math.abs(line.x[k] - x)) k = i;
                                });
                                return line.x.length ?
                                    `${line.label}: ${
                                        line.y[k] === null ? 'none' : short(line.y[k], 1)} at ${
                                        how.whole ? Math.round(line.x[k]) : short(line.x[k])}` :
                                    '';
                              })
                              .filter(t => t);
             tell(e, told.join('\n'));
      };
  canvas.onpointerleave = e => tell(e, '');
  return {
    canvas,
    draw,
    show(newLines, newHow = how) {
      lines = newLines;
      how = newHow;
      draw();
    }
  };
}

/* Everything that draws when the page changes its size or its colours. */
const redraws = new Set();
addEventListener('resize', () => redraws.forEach(f => f()));
matchMedia('(prefers-color-scheme: dark)')
    .addEventListener('change', () => redraws.forEach(f => f()));

/* A table: head [text], rows [[text or node]]. */
const table = (head, rows, caption) => el(
    'table', {}, caption ? el('caption', {}, caption) : null,
    el('thead', {}, el('tr', {}, ...head.map(t => el('th', {scope: 'col'}, t)))),
    el('tbody', {},
       ...rows.map(
           row => el(
               'tr', {},
               ...row.map((cell, k) => k ? el('td', {}, cell) : el('th', {scope: 'row'}, cell))))));
