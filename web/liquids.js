/* web/liquids.js: a liquid that a person pours, stirs and builds walls for; walls that hold it
 * next to walls that let it go */
'use strict';

const LIQUID_SCENES = {
  dam: 'a dam breaks',
  drop: 'a drop falls into a pool',
  ceiling: 'thrown against the ceiling',
  tilted: 'in a tilted box'
};
const LIQUID_METHODS = ['mg', 'auto', 'nncg', 'pgs', 'psor', 'mprgp', 'minmap'];
const LIQUID_GAUGES = [
  {
    name: 'residual',
    of: n => n.rows ? n.residual : null,
    log: true,
    plot: true,
    text: n => `${short(n.residual)}${n.solved ? '' : ' ✗'}`
  },
  {name: 'iterations', of: n => n.rows ? n.iterations : null, plot: true},
  {name: 'solve, ms', of: n => n.solve, plot: true},
  {name: 'step, ms', of: n => n.step},
  {name: 'cells with liquid', of: n => n.rows, text: n => String(n.rows)},
  {name: 'active, p ≠ 0', of: n => n.active, text: n => String(n.active)},
  {name: 'volume, share of first', of: n => n.volume, plot: true},
  {name: 'kinetic, J/m', of: n => n.kinetic, plot: true},
];

function mountLiquids(root, state, save) {
  const s = {
    scene: oneOf(state.scene, Object.keys(LIQUID_SCENES), 'ceiling'),
    cells: +oneOf(state.cells, ['32', '64', '96', '128'], '64'),
    sides: oneOf(state.sides, ['both', 'separate', 'stick']),
    method: oneOf(state.method, LIQUID_METHODS),
    tool: oneOf(state.tool, ['pour', 'stir', 'wall', 'erase']),
    brush: numberOf(state.brush, 0.06, 0.02, 0.15),
    tilt: numberOf(state.tilt, 0, -1.5, 1.5),
    gravity: numberOf(state.gravity, 9.81, -10, 20),
    colour: oneOf(state.colour, ['plain', 'load', 'state'])
  };
  const store = () => save(s);
  look.how = s.colour;
  look.arrows = false;
  const gauges = makeGauges(LIQUID_GAUGES), note = el('p.note', {'aria-live': 'polite'});
  let strokes = [], down = false, last = null, cursor = [0.5, 0.75];

  const TOOLS = {
    pour: at => stage.act({kind: 'pour', at, to: [0, -1], radius: s.brush}),
    stir(at) {
      const v = last ? at.map((x, d) => Math.max(-6, Math.min(6, 30 * (x - last[d])))) : [0, 0];
      stage.act({kind: 'stir', at, to: v, radius: s.brush});
    },
    wall(at) {
      strokes.push([...at, s.brush, true]);
      stage.act({kind: 'wall', at, radius: s.brush, value: 1});
    },
    erase(at) {
      strokes.push([...at, s.brush, false]);
      stage.act({kind: 'wall', at, radius: s.brush, value: 0});
    },
  };
  /* Strokes that overlap, so that a fast hand leaves no gaps. */
  function draw(at) {
    const from = last && s.tool !== 'stir' && s.tool !== 'pour' ? last : at,
          far = Math.hypot(at[0] - from[0], at[1] - from[1]),
          count = Math.max(1, Math.ceil(far / (0.5 * s.brush)));
    for (let k = 1; k <= count; k++) TOOLS[s.tool](from.map((v, d) => v + (at[d] - v) * k / count));
    last = at;
  }
  const hands = {
    /* outside the box a finger scrolls the page */
    down(k, thing, at, e) {
      const {lo, hi} = stage.runs[k];
      if (e.pointerType === 'touch' && at.some((v, d) => v < lo[d] || v > hi[d])) return false;
      down = true;
      last = null;
      cursor = at;
      draw(at);
      return true;
    },
    move(k, at) {
      cursor = at;
      if (down) draw(at);
    },
    up() {
      down = false;
      last = null;
    },
    key(k, e) {
      const step = 0.03, ARROWS = {
        ArrowLeft: [-step, 0],
        ArrowRight: [step, 0],
        ArrowUp: [0, step],
        ArrowDown: [0, -step]
      };
      if (ARROWS[e.key]) {
        cursor = cursor.map((v, d) => Math.min(1, Math.max(0, v + ARROWS[e.key][d])));
        stage.draw();
        return true;
      }
      if (e.key === 'Enter') {
        last = null;
        draw(cursor);
        return true;
      }
      if (e.key === ' ') {
        play.toggle();
        return true;
      }
      return false;
    },
  };
  const stage = makeStage({
    runs: 2,
    hands,
    apart: true,
    frame(told) {
      play.show();
      gauges.show(stage);
      if (!told) return;
      stage.runs.forEach((r, k) => {
        if (r.numbers)
          stage.views[k].note.textContent =
              `${short(r.numbers.time)} s, ${r.first[1]} particles, ${short(r.numbers.step)} ms`;
      });
      const wrong = told.flatMap(t => t.errors).find(t => t);
      if (wrong) sayError(note, wrong);
      if (down && s.tool === 'pour') TOOLS.pour(cursor);
    }
  });
  /* The walls that were built, on a separate canvas, and the brush. */
  const mask = el('canvas');
  let painted = {}; /* how many strokes of which list, for which view */
  stage.over = (g, view) => {
    if (strokes.length) {
      const m = mask.getContext('2d'),
            key = [view.width, view.height, view.s, view.X(0), view.Y(0)].join();
      if (painted.key !== key || painted.of !== strokes) {
        mask.width = view.width;
        mask.height = view.height;
        painted = {key, of: strokes, count: 0};
      }
      m.fillStyle = rgb(STONE);
      for (; painted.count < strokes.length; painted.count++) {
        const [x, y, r, solid] = strokes[painted.count];
        m.globalCompositeOperation = solid ? 'source-over' : 'destination-out';
        m.beginPath();
        m.arc(view.X(x), view.Y(y), view.s * r, 0, 7);
        m.fill();
      }
      g.drawImage(mask, 0, 0);
    }
    g.strokeStyle = css('--dim');
    g.lineWidth = devicePixelRatio;
    g.beginPath();
    g.arc(view.X(cursor[0]), view.Y(cursor[1]), view.s * s.brush, 0, 7);
    g.stroke();
  };

  const SIDES = {
    both: [['walls hold the liquid', 'stick'], ['walls let it go', 'separate']],
    stick: [['walls hold the liquid', 'stick']],
    separate: [['walls let it go', 'separate']]
  };
  async function start() {
    const made = {...s, tilt: 0};
    strokes = [];
    try {
      await stage.start(SIDES[s.sides].map(
          ([label, walls]) => ({
            label,
            scene: `${s.scene}:cells=${s.cells},walls=${walls},gravity=${s.gravity}`,
            method: s.method,
            tol: 1e-4
          })));
      stage.runs.forEach(r => {
        r.grain = 0.62 * (r.hi[0] - r.lo[0]) / (s.cells + 2);
      });
      for (const name of ['gravity', 'tilt'])
        if (s[name] !== made[name])
          stage.act({kind: 'set', name, value: s[name]}); /* while it was made */
      say(note, '');
    } catch (error) {
      sayError(note, error);
    }
  }
  const play = makePlay(stage, start);
  const restart = () => {
    store();
    start();
  }, set = (name, value) => {
    s[name] = value;
    store();
    stage.act({kind: 'set', name, value});
  };
  const tools = choice({
    name: 'tool',
    value: s.tool,
    items: [['pour', 'Pour'], ['stir', 'Stir'], ['wall', 'Raise walls'], ['erase', 'Erase walls']],
    change(v) {
      s.tool = v;
      store();
    }
  });
  const again = el('button', {type: 'button', onclick: start}, 'Restart');
  const bar =
      el('div.controls', {}, menu({
           name: 'scene',
           value: s.scene,
           items: Object.entries(LIQUID_SCENES),
           change(v) {
             s.scene = v;
             restart();
           }
         }),
         menu({
           name: 'walls',
           value: s.sides,
           items: [
             ['both', 'both, side by side'], ['separate', 'let the liquid go'],
             ['stick', 'hold the liquid']
           ],
           change(v) {
             s.sides = v;
             restart();
           }
         }),
         ...play.buttons, again);
  const hand =
      el('div.controls', {}, tools, slider({
           name: 'brush',
           value: s.brush,
           min: 0.02,
           max: 0.15,
           step: 0.01,
           unit: ' m',
           change(v) {
             s.brush = v;
             store();
             stage.draw();
           }
         }),
         menu({
           name: 'colour',
           value: s.colour,
           items: [['plain', 'speed'], ['load', 'pressure'], ['state', 'active cells at walls']],
           change(v) {
             s.colour = look.how = v;
             store();
             legend();
             stage.draw();
           }
         }));
  const more =
      el('div.controls', {}, menu({
           name: 'cells',
           value: String(s.cells),
           items: [['32', '32²'], ['64', '64²'], ['96', '96²'], ['128', '128²']],
           change(v) {
             s.cells = +v;
             restart();
           }
         }),
         menu({
           name: 'method',
           value: s.method,
           items: LIQUID_METHODS,
           change(v) {
             s.method = v;
             restart();
           }
         }),
         slider({
           name: 'tilt',
           value: s.tilt,
           min: -1.5,
           max: 1.5,
           step: 0.05,
           unit: '°',
           show: degrees,
           change: v => set('tilt', v)
         }),
         slider({
           name: 'gravity',
           value: s.gravity,
           min: -10,
           max: 20,
           step: 0.5,
           unit: ' m/s²',
           change: v => set('gravity', v)
         }));
  const key = el('p.legend', {});
  function legend() {
    key.replaceChildren(...{
      plain: [swatch(speeds()[0], 'slow'), swatch(speeds()[255], 'fast')],
      load: [
        swatch(COLD, 'pressure 0'), swatch(WARM, 'a quarter'), swatch(HOT, 'highest'),
        swatch(PULLED, 'below 0: pulled')
      ],
      state: [
        swatch(TOUCH[1], 'pressed to a wall, p > 0'), swatch(TOUCH[2], 'free to leave it, p = 0'),
        swatch(TOUCH[3], 'held back, p < 0'), swatch(TOUCH[0], 'no wall beside it')
      ]
    }[s.colour]);
  }
  legend();
  redraws.add(legend);
  root.append(stage.element, note, bar, hand, key, more, gauges.element);
  start();
  root.stage = stage;
  return () => {
    stage.end();
    gauges.end();
    redraws.delete(legend);
  };
}
