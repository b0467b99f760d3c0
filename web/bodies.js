/* web/bodies.js: bodies that a person drags, throws, adds and takes away; two methods side by side
 */
'use strict';

/* Each scene: its name and parameters, the parameter that sets its size, the first and the largest
 * size, and its title. */
const BODY_SCENES = {
  discs: ['discs', 'n', 60, 150, 'discs fall into a box'],
  pebbles: ['pebbles', 'n', 40, 120, 'convex pebbles'],
  bricks: ['bricks', 'rows', 8, 20, 'a brick wall'],
  hit: ['bricks:ball=yes', 'rows', 8, 20, 'a brick wall and a ball'],
  tower: ['tower', 'n', 8, 20, 'a tower, the heaviest on top'],
  wall3d: ['wall3d', 'rows', 4, 10, 'a wall in space'],
  wrecking: ['wrecking', '', 0, 0, 'a wrecking ball'],
  arch3d: ['arch3d', '', 0, 0, 'an arch'],
  cards: ['cards', '', 0, 0, 'a house of cards'],
  silo: ['silo', 'n', 60, 150, 'spheres in a silo'],
  ragdolls: ['ragdolls', 'n', 2, 6, 'dolls on stairs'],
  incline: ['incline:slope=0.55', '', 0, 0, 'a block on a slope: tilted gravity'],
  held: ['incline:slope=0.55,mu_static=0.6', '', 0, 0, 'static friction holds a block'],
  rolling: ['rolling:friction=discs,roll=0.004', '', 0, 0, 'a ball rolls on a slope'],
  spinner: ['spinner:friction=discs,torsion=0.01', '', 0, 0, 'torsion stops a ball'],
  backspin: ['backspin', '', 0, 0, 'a ball with backspin rolls back'],
  turntable: ['turntable', '', 0, 0, 'a block on a turntable'],
  painleve: ['painleve', '', 0, 0, "Painlevé's rod jams"],
};
const BODY_GAUGES = [
  {
    name: 'residual',
    of: n => n.rows ? n.residual : null,
    log: true,
    plot: true,
    text: n => `${short(n.residual)}${n.solved ? '' : ' ✗'}`
  },
  {name: 'iterations', of: n => n.rows ? n.iterations : null, log: true, plot: true},
  {name: 'solve, ms', of: n => n.solve, plot: true, limit: true},
  {name: 'overlap, m', of: n => n.penetration, plot: true},
  {name: 'energy, J', of: n => n.kinetic + n.potential, plot: true},
  {name: 'kinetic, J', of: n => n.kinetic},
  {name: 'rows / contacts', of: n => n.rows, text: n => `${n.rows} / ${n.contacts}`},
];
/* The forms of friction by an index and of rolling and torsion: PERP_FORM_FINDEX, PERP_FORM_CONTACT
 */
const FINDEX = 1 << 3, CONTACT = 1 << 5;

function mountBodies(root, state, save, {compact = false, told: tellLesson = () => {}} = {}) {
  const s = {
    scene: oneOf(state.scene, Object.keys(BODY_SCENES), 'cards'),
    size: Math.round(numberOf(state.size, 0, 1, 150)),
    a: state.a || 'nncg',
    b: state.b ?? 'pgs',
    deadline: numberOf(state.deadline, 10, 0, 20),
    iterations: Math.round(numberOf(state.iterations, 0, 0, 200)),
    tol: numberOf(state.tol, 1e-4, 1e-12, 0.1),
    warm: state.warm !== 'no',
    mu: numberOf(state.mu, null, 0, 1.5),
    restitution: numberOf(state.restitution, 0, 0, 1),
    gravity: numberOf(state.gravity, 9.81, 0, 20),
    tilt: numberOf(state.tilt, 0, -1, 1),
    tool: oneOf(state.tool, ['drag', 'disc', 'box', 'delete']),
    colour: oneOf(state.colour, ['load', 'state', 'plain']),
    arrows: (state.arrows ?? (state.scene ? 'no' : 'yes')) === 'yes',
  };
  const store = () => save({
    scene: s.scene,
    size: s.size,
    a: s.a,
    b: s.b,
    deadline: s.deadline,
    iterations: s.iterations,
    tol: s.tol,
    warm: s.warm ? 'yes' : 'no',
    mu: s.mu,
    restitution: s.restitution,
    gravity: s.gravity,
    tilt: s.tilt,
    tool: s.tool,
    colour: s.colour,
    arrows: s.arrows ? 'yes' : 'no'
  });
  const [, , size, largest] = BODY_SCENES[s.scene];
  s.size = Math.min(s.size || size, largest);
  look.how = s.colour;
  look.arrows = s.arrows;
  const gauges = makeGauges(BODY_GAUGES), note = el('p.note', {'aria-live': 'polite'});
  const space = () => stage.runs[0]?.dimension === 3;
  let held = null; /* {run, shape, to} */

  /* ---- Hands ---- */
  const movable = (k, shape) => shape >= 0 && shape < stage.runs[k].shapes.length &&
      !stage.runs[k].shapes[shape].fixed && !stage.runs[k].shapes[shape].wire;
  const extent = () => {
    const r = stage.runs[0];
    return Math.hypot(r.hi[0] - r.lo[0], r.hi[1] - r.lo[1]);
  };
  function add(kind, at) {
    const r = 0.025 * extent(), bodies = {
      disc: {kind: 'disc', size: [r, 0, 0]},
      box: {kind: 'polygon', size: [0, 0, 0], corner: [-r, -r, r, -r, r, r, -r, r]},
      sphere: {kind: 'sphere', size: [r, 0, 0]},
      cube: {kind: 'box', size: [r, r, r]}
    };
    stage.act({
      kind: 'add',
      at: space() ? [at[0], at[1], at[2] + 2 * r] : at,
      body: bodies[space() ? {disc: 'sphere', box: 'cube'}[kind] : kind],
      value: space() ? 1000 : 100
    });
  }
  const hold = (shape, at, to) => {
    held = {shape, at, to};
    stage.runs.forEach(r => {
      r.held = shape;
    });
    stage.act({kind: 'hold', shape, at, to});
  };
  const release = () => {
    if (held) {
      held = null;
      stage.runs.forEach(r => {
        r.held = undefined;
      });
      stage.act({kind: 'release'});
    }
  };
  const hands = {
    wants: (k, shape) => s.tool === 'disc' || s.tool === 'box' || movable(k, shape),
    down(k, shape, at) {
      if (s.tool === 'disc' || s.tool === 'box') {
        add(s.tool, at);
        return true;
      }
      if (!movable(k, shape)) return false;
      if (s.tool === 'delete') {
        release();
        stage.act({kind: 'remove', shape});
        return true;
      }
      hold(shape, at, at);
      return true;
    },
    move(k, to) {
      if (held) {
        held.to = to;
        stage.act({kind: 'hold', shape: held.shape, at: held.at, to});
      }
    },
    up: release,
    /* [ and ] choose a body, arrows pull it, Escape lets go, Delete takes it away */
    key(k, e) {
      const run = stage.runs[k], step = 0.03 * extent(), each = run.dimension === 3 ? 7 : 3,
            ARROWS = {
              ArrowLeft: [-step, 0, 0],
              ArrowRight: [step, 0, 0],
              ArrowUp: run.dimension === 3 ? [0, 0, step] : [0, step, 0],
              ArrowDown: run.dimension === 3 ? [0, 0, -step] : [0, -step, 0]
            };
      const middle = shape => [...run.pose.subarray(shape * each, shape * each + run.dimension)];
      if (e.key === '[' || e.key === ']') {
        const by = e.key === ']' ? 1 : -1, n = run.shapes.length;
        let shape = run.held ?? (by > 0 ? -1 : n);
        for (let t = 0; t < n; t++) {
          shape = (shape + by + n) % n;
          if (movable(k, shape)) break;
        }
        release();
        if (movable(k, shape)) {
          const at = middle(shape);
          hold(shape, at, at);
          say(note,
              `body ${shape} is held; arrows pull it, Escape lets it go, Delete takes it away`);
        }
        return true;
      }
      if (ARROWS[e.key] && held) {
        held.to = held.to.map((v, d) => v + ARROWS[e.key][d]);
        stage.act({kind: 'hold', shape: held.shape, at: held.at, to: held.to});
        return true;
      }
      if (e.key === 'Escape') {
        release();
        say(note, '');
        return true;
      }
      if ((e.key === 'Delete' || e.key === 'Backspace') && held) {
        const {shape} = held;
        release();
        stage.act({kind: 'remove', shape});
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
    frame: told => {
      play.show();
      gauges.show(stage);
      if (told) tellFrame(told);
    }
  });
  function tellFrame(told) {
    stage.runs.forEach((run, k) => {
      if (run.numbers)
        stage.views[k].note.textContent =
            `${short(run.numbers.time)} s, ${short(run.numbers.solve)}${
                s.deadline ?
                    ` of ${short(s.deadline)}` :
                    ''} ms${run.numbers.solved || !run.numbers.rows ? '' : ', not solved'}`;
    });
    const wrong = told.flatMap(t => t.errors).find(t => t);
    if (wrong) sayError(note, wrong);
    tellLesson(stage, s);
  }

  /* ---- Scenes and settings ---- */
  const options = method =>
      ({method, tol: s.tol, iterations: s.iterations, seconds: s.deadline / 1000, warm: s.warm});
  const methods = () => [s.a, ...(s.b && s.b !== 'none' ? [s.b] : [])];
  async function start() {
    const [scene, parameter] = BODY_SCENES[s.scene],
                  text = `${scene}${scene.includes(':') ? ',' : ':'}mu=${s.mu},restitution=${
                      s.restitution},gravity=${s.gravity}${
                      parameter ? `,${parameter}=${s.size}` : ''}`;
    const made = {...s, tilt: 0};
    held = null;
    stage.limit = s.deadline;
    try {
      await stage.start(
          methods().map((m, k) => ({
                          label: methods().length > 1 && s.a === s.b ? `${m} ${k + 1}` : m,
                          scene: text,
                          ...options(m)
                        })));
      stage.options(methods().map(options)); /* what was set while it was made */
      for (const name of ['mu', 'restitution', 'gravity', 'tilt'])
        if (s[name] !== made[name]) stage.act({kind: 'set', name, value: s[name]});
      say(note, space() ? 'Drag next to the bodies to turn the view.' : '');
    } catch (error) {
      sayError(note, error);
    }
  }
  const set = (name, value) => {
    s[name] = value;
    store();
    stage.act({kind: 'set', name, value});
  };
  const play = makePlay(stage, start);
  const bar = el('div.controls'), settings = el('div.controls'), tools = el('div.controls'),
        key = el('p.legend'),
        fold =
            el('details.settings', {open: innerWidth > 700},
               el('summary', {}, 'Settings: methods, deadline, friction, restitution, gravity'),
               settings);
  const legend = () => key.replaceChildren(...{
    load: [swatch(COLD, 'no impulse'), swatch(WARM, 'a quarter'), swatch(HOT, 'the largest')],
    state: [swatch(COLD, 'no contact pushes'), swatch(WARM, '4 push'), swatch(HOT, '8 or more')],
    plain: []
  }[s.colour]);
  legend();
  root.append(
      ...compact ? [bar, note, stage.element] :
                   [stage.element, note, bar, tools, key, fold, gauges.element]);
  let ended = false;
  ask('list')
      .then(list => {
        if (ended) return;
        const taking = form => list.methods.filter(m => m.takes & form).map(m => m.name),
              names = taking(FINDEX), there = new Set(list.scenes.map(t => t.name));
        const scenes = Object.entries(BODY_SCENES)
                           .filter(([, v]) => there.has(v[0].split(':')[0]))
                           .map(([k, v]) => [k, v[4]]);
        const restart = () => {
          store();
          start();
        };
        const first = menu({
          name: 'first method',
          value: s.a,
          items: names,
          change(v) {
            s.a = v;
            restart();
          }
        }),
              second = menu({
                name: 'second method',
                value: s.b || 'none',
                items: ['none', ...names],
                change(v) {
                  s.b = v;
                  restart();
                }
              });
        /* only methods that take the friction of the scene can be chosen */
        const fit = () => {
          const discs = BODY_SCENES[s.scene][0].includes('friction=discs'),
                fitting = discs ? taking(CONTACT) : names;
          s.a = oneOf(s.a, fitting, 'nncg');
          s.b = oneOf(s.b || 'none', ['none', ...fitting], discs ? 'bgs' : 'pgs');
          for (const [{select}, v] of [[first, s.a], [second, s.b]]) {
            for (const o of select.options)
              o.disabled = o.value !== 'none' && !fitting.includes(o.value);
            select.value = v;
          }
        };
        fit();
        const friction = slider({
          name: 'friction μ',
          value: s.mu ?? 0,
          min: 0,
          max: 1.5,
          step: 0.05,
          change: v => set('mu', v)
        });
        /* a scene stands with the friction that it was made for */
        const ownFriction = () => {
          s.mu = list.scenes.find(t => t.name === BODY_SCENES[s.scene][0].split(':')[0])
                     .parameters.find(p => p.name === 'mu')
                     .value;
          friction.set(s.mu);
        };
        if (s.mu === null) ownFriction();
        const sizes = slider({
          name: 'size',
          value: s.size,
          min: 1,
          max: largest,
          step: 1,
          change(v) {
            s.size = v;
            store();
            clearTimeout(sizes.timer);
            sizes.timer = setTimeout(start, 250);
          }
        });
        const choose = v => {
          const [, , first, most] = BODY_SCENES[v];
          s.scene = v;
          s.size = first;
          sizes.range(1, most);
          sizes.set(first);
          sizes.hidden = !most;
          ownFriction();
          fit();
          store();
          start();
        };
        const tilt = slider({
          name: 'tilt',
          value: s.tilt,
          min: -1,
          max: 1,
          step: 0.02,
          unit: '°',
          show: degrees,
          change: v => set('tilt', v)
        }),
              again = el('button', {type: 'button', onclick: start}, 'Restart');
        sizes.hidden = !largest;
        start();
        if (compact) {
          bar.append(...play.buttons, again, tilt, friction);
          return;
        }
        bar.append(
            menu({name: 'scene', value: s.scene, items: scenes, change: choose}), sizes,
            ...play.buttons, again);
        const limits = () => {
          store();
          stage.limit = s.deadline;
          stage.options(methods().map(options));
        };
        const study = async () => {
          try {
            openProblem({files: await stage.problem(0)});
          } catch (error) {
            sayError(note, error);
          }
        };
        settings.append(
            first, second, slider({
              name: 'deadline',
              value: s.deadline,
              min: 0,
              max: 20,
              step: 0.5,
              show: v => v ? `${short(v)} ms` : 'none',
              change(v) {
                s.deadline = v;
                limits();
              }
            }),
            slider({
              name: 'iterations at most',
              value: s.iterations,
              min: 0,
              max: 200,
              step: 5,
              show: v => v ? String(v) : 'any',
              change(v) {
                s.iterations = v;
                limits();
              }
            }),
            menu({
              name: 'tolerance',
              value: String(s.tol),
              items: ['0.01', '0.001', '0.0001', '0.000001', '1e-8'],
              change(v) {
                s.tol = +v;
                limits();
              }
            }),
            check({
              name: 'warm start',
              value: s.warm,
              change(v) {
                s.warm = v;
                limits();
              }
            }),
            friction, slider({
              name: 'restitution',
              value: s.restitution,
              min: 0,
              max: 1,
              step: 0.05,
              change: v => set('restitution', v)
            }),
            slider({
              name: 'gravity',
              value: s.gravity,
              min: 0,
              max: 20,
              step: 0.1,
              unit: ' m/s²',
              change: v => set('gravity', v)
            }),
            tilt,
            el('button', {
              type: 'button',
              title: 'both go on from the state of the first picture',
              onclick: () => stage.follow()
            },
               'Copy first to second'),
            el('button', {
              type: 'button',
              title: 'the problem of the last step: run any method on it',
              onclick: study
            },
               'Study this step in Convergence'));
        tools.append(
            choice({
              name: 'tool',
              value: s.tool,
              items: [
                ['drag', 'Drag', 'drag and throw'], ['disc', 'Add round'], ['box', 'Add box'],
                ['delete', 'Delete']
              ],
              change(v) {
                s.tool = v;
                store();
              }
            }),
            menu({
              name: 'colour',
              value: s.colour,
              items: [['load', 'impulses'], ['state', 'active contacts'], ['plain', 'plain']],
              change(v) {
                s.colour = look.how = v;
                store();
                legend();
                stage.draw();
              }
            }),
            check({
              name: 'forces as arrows',
              value: s.arrows,
              change(v) {
                s.arrows = look.arrows = v;
                store();
                stage.draw();
              }
            }));
      })
      .catch(error => {
        sayError(note, error);
      });
  root.stage = stage;
  return () => {
    ended = true;
    stage.end();
    gauges.end();
  };
}
