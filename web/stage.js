/* web/stage.js: scenes that run side by side in the worker, drawn by viewer.js
 *
 * A stage has one picture for each run. Every frame it sends the user's actions since the last
 * one, lets all runs make the same number of steps, and draws. It requests the next frame only when
 * the last one has come: the page never waits. */
'use strict';

let stagePlaces = 0;    /* stages take turns with the four places of the worker */
const PATIENCE = 200;   /* times 5 ms: a step that lasts longer is ended for a new scene */
const FRAME_SHARE = 14; /* ms of a sixtieth of a second for the worker */

/* apart: each run in a separate worker, at the same time. */
function makeStage({runs: count, hands, frame = () => {}, apart = false}) {
  const first = stagePlaces;
  stagePlaces = (stagePlaces + 2) % 4;
  const stage = {
    runs: [],
    views: [],
    playing: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    lost: false /* by an error */,
    actions: [],
    element: el('div.views'),
    history: [],
    steps: 1,
    frames: 0,
    log: null,
    cost: 7 /* ms of a step of all runs */
  };
  let busy = false, gone = false, lastTime = null, owed = 0, version = 0;
  const workerOf = k => apart ? k : 0, stopAll = () => {
    for (let k = 0; k < count; k++) stopWorker(workerOf(k));
  };
  const stepAll = async message => apart ?
      (await Promise.all(
           stage.runs.map((_, k) => ask('frame', {...message, places: [first + k]}, k))))
          .flat() :
      ask('frame', {...message, places: stage.runs.map((_, k) => first + k)});

  /* ---- Drawing ---- */
  /* The largest of the impulses that arrows show. */
  function longest() {
    let most = 1e-12;
    for (const {arrow: a, dimension: D} of stage.runs)
      for (let k = D; a && k + D <= a.length; k += 2 * D)
        most = Math.max(most, Math.hypot(...a.subarray(k, k + D)));
    return most;
  }
  function scales() {
    const loads = stage.runs.flatMap(r => [...r.load].filter((v, k) => !r.shapes[k].fixed)),
          most = Math.max(1e-12, ...loads);
    look.heaviest = look.fresh ? most : Math.max(most, 0.97 * look.heaviest);
    const high = Math.max(1e-9, ...stage.runs.map(r => r.pressures[1]));
    look.highest = look.fresh ? high : Math.max(high, 0.97 * look.highest);
    const r = stage.runs[0];
    const far = longest();
    look.longest = look.fresh ? far : Math.max(far, 0.97 * look.longest);
    if (r) look.arrow = 0.1 * extentOf(r) / look.longest;
    look.fresh = false;
  }
  /* Pictures below each other fit on the screen together. */
  const stacked = () =>
      stage.runs.length > 1 && stage.views[1].canvas.offsetTop > stage.views[0].canvas.offsetTop;
  const ratioNow = run => Math.min(
      ratioOf(run),
      Math.max(
          0.42,
          (stacked() ? 0.38 : 0.72) * innerHeight /
              Math.max(1, stage.views[0].canvas.clientWidth)));
  stage.draw = () => {
    if (!stage.runs.length || !stage.element.isConnected) return;
    scales();
    stage.runs.forEach((run, k) => {
      const {canvas} = stage.views[k];
      if (!canvas.clientWidth) return;
      const [g, width, height] = prepare(canvas, ratioNow(run));
      canvas.style.touchAction = run.dimension === 3 ? 'none' : 'pan-y';
      drawRun(run, 0, g, width, height);
      stage.over?.(g, canvas.view);
    });
  };
  function put(run, view, shapes) {
    if (shapes) run.shapes = shapes;
    Object.assign(run, view);
  }

  /* ---- Pictures and hands ---- */
  function makeView(k) {
    const canvas = el('canvas', {tabIndex: 0, role: 'application', 'aria-label': 'scene'}),
          name = el('b'), note = el('span');
    let depth = 1; /* of what was taken hold of: it moves across the view */
    const pointAt = e => {
      const [px, py] = pointOn(canvas, e), v = canvas.view,
                 {from, along} = stage.runs[k].dimension === 3 ? v.ray(px, py) : {};
      return from ? isFinite(depth) ? plus(from, depth, along) : null : v.at(px, py);
    };
    /* A finger is broad: also looks next to its middle. */
    const thingNear = e => {
      const [px, py] = pointOn(canvas, e),
                 at = (dx, dy) => thingAt(stage.runs[k], 0, canvas.view, px + dx, py + dy),
                 found = at(0, 0);
      if (e.pointerType !== 'touch' || !hands.wants || hands.wants(k, found.thing)) return found;
      for (const r of [7, 14])
        for (let t = 0; t < 8; t++) {
          const beside =
              at(r * devicePixelRatio * Math.cos(t * Math.PI / 4),
                 r * devicePixelRatio * Math.sin(t * Math.PI / 4));
          if (hands.wants(k, beside.thing)) return beside;
        }
      return found;
    };
    steer(canvas, {
      space: () => stage.runs[k]?.dimension === 3,
      redraw: stage.draw,
      down(e) {
        if (!stage.runs[k]) return false;
        const found = thingNear(e);
        depth = found.depth;
        const at = pointAt(e);
        return !!(at && hands.down?.(k, found.thing, at, e));
      },
      move(e) {
        const at = stage.runs[k] && canvas.view && pointAt(e);
        if (at) hands.move?.(k, at, e);
      },
      up: e => hands.up?.(k, e),
      key: e => stage.runs[k] && hands.key?.(k, e),
    });
    stage.element.append(el('figure', {hidden: k > 0}, canvas, el('figcaption', {}, name, note)));
    return {canvas, name, note};
  }
  for (let k = 0; k < count; k++) stage.views.push(makeView(k));

  /* ---- Running ---- */
  /* specs: [{label, scene, method, ...options}] */
  stage.start = async specs => {
    const own = ++version;
    for (let k = 0; busy; k++) {
      if (k === PATIENCE) stopAll();
      await new Promise(done => setTimeout(done, 5));
      if (gone || own !== version) return; /* its places may belong to others by now */
    }
    busy = true;
    try {
      const runs = [];
      const made = await Promise.all(
          specs.map((spec, k) => ask('create', {place: first + k, ...spec}, workerOf(k))));
      for (const [k, spec] of specs.entries()) {
        const told = made[k], run = {...told, ...told.view, label: spec.label};
        prepareRun(run);
        runs.push(run);
      }
      if (gone || own !== version) {
        stage.runs = [];
        return;
      } /* what was shown is no more */
      frameRuns(runs);
      if (stage.lost) stage.playing = true;
      stage.lost = false;
      stage.runs = runs;
      stage.history = runs.map(() => []);
      look.fresh = true;
      stage.actions = [];
      stage.frames = 0;
      resetCamera();
      stage.views.forEach((v, k) => {
        v.canvas.closest('figure').hidden = k >= runs.length;
        v.name.textContent = runs[k]?.label ?? '';
        v.canvas.setAttribute(
            'aria-label',
            `scene, ${runs[k]?.label ?? 'not shown'}; its keys are listed at the end of the page`);
        say(v.note, '');
      });
      stage.element.classList.toggle('single', runs.length === 1);
      stage.h = null;
    } catch (error) {
      stage.runs = [];
      throw error;
    } finally {
      busy = false;
    }
    stage.draw();
  };
  stage.options = options => {
    for (const [k, o] of options.entries())
      ask('options', {place: first + k, ...o}, workerOf(k)).catch(() => {});
  };
  stage.follow = () => {
    for (let k = 1; k < stage.runs.length; k++)
      ask('follow', {place: first + k, from: first}).catch(error => {
        sayError(stage.views[k].note, error);
      });
  };
  stage.problem = k => ask('step', {place: first + k}, workerOf(k));
  stage.act = action => {
    stage.actions.push(action);
    if (!stage.playing) advance(0);
  };

  async function advance(steps) {
    if (busy || !stage.runs.length) return;
    busy = true;
    const actions = stage.actions.splice(0), begin = performance.now(), own = version;
    try {
      const told = await stepAll({actions, steps});
      if (gone || own !== version) return;
      told.forEach((t, k) => {
        const run = stage.runs[k];
        put(run, t.view, t.shapes);
        if (t.numbers) {
          run.numbers = t.numbers;
          run.trouble = t.trouble;
          stage.history[k].push(t.numbers);
          if (stage.history[k].length > 400) stage.history[k].shift();
          stage.h ??= t.numbers.time / t.numbers.index;
        }
      });
      if (steps)
        stage.cost += 0.1 *
            (told.reduce(
                 (sum, t) => apart ? Math.max(sum, t.numbers.step) : sum + t.numbers.step, 0) -
             stage.cost);
      if (steps) stage.frames++;
      const came = performance.now();
      stage.draw();
      /* for measurements: ms of the longest step, of all from the call to the answer, of drawing */
      if (steps)
        stage.log?.push(
            [Math.max(...told.map(t => t.numbers.step)), came - begin, performance.now() - came]);
      frame(told);
    } catch (error) {
      if (gone || own !== version) return;
      stage.playing = false;
      stage.lost = true;
      sayError(stage.views[0].note, `${error.message}; Play begins anew`);
      frame(null);
    } finally {
      busy = false;
    }
    if (!gone && !stage.playing && stage.actions.length)
      advance(0); /* what was done while the last step ran */
  }
  stage.once = () => advance(1);
  function tick(now) {
    if (gone) return;
    if (stage.playing && !busy && stage.runs.length && stage.element.isConnected) {
      /* the steps for the time that has passed, if they fit into a frame: a slow machine runs in
       * slow motion */
      const h = 1000 * (stage.h || 1 / 60),
            most = Math.max(1, Math.min(4, Math.floor(FRAME_SHARE / stage.cost)));
      owed = lastTime === null ? h : Math.min(most * h, owed + Math.min(100, now - lastTime));
      lastTime = now;
      const steps = Math.floor(owed / h + 1e-6);
      if (steps) {
        owed -= steps * h;
        advance(steps);
      }
    }
    requestAnimationFrame(tick);
  }
  requestAnimationFrame(tick);
  redraws.add(stage.draw);
  stage.end = () => {
    gone = true;
    version++;
    redraws.delete(stage.draw);
    for (let k = 0; k < count; k++)
      workers[workerOf(k)]?.ask('end', {place: first + k}).catch(() => {});
  };
  return stage;
}

/* The buttons Play and Step; `begin` makes a scene that was lost. Play.toggle() is for keys. Who
 * asked for less motion finds everything at rest. */
function makePlay(stage, begin) {
  const show = () => {
    play.textContent = stage.playing ? 'Pause' : 'Play';
  };
  const toggle = async () => {
    if (stage.lost)
      await begin();
    else
      stage.playing = !stage.playing;
    show();
    stage.draw();
  };
  const play = el('button', {type: 'button', onclick: toggle});
  show();
  return {
    toggle,
    show,
    buttons: [
      play,
      el('button', {
        type: 'button',
        onclick() {
          stage.playing = false;
          show();
          stage.once();
        }
      },
         'Step')
    ]
  };
}

/* The numbers of runs, live: a table of the last step and plots of the steps before. */
function makeGauges(keys) {
  const rows = el('div.gauges'),
        plots = keys.filter(k => k.plot)
                    .map(key => ({key, plot: makePlot({ratio: 0.42, label: key.name})}));
  const grid =
      el('div.plots', {},
         ...plots.map(
             ({key, plot}) =>
                 el('figure', {}, el('figcaption', {}, el('b', {}, key.name)), plot.canvas)));
  const redraw = () => plots.forEach(p => p.plot.draw());
  redraws.add(redraw);
  const text = (key, numbers) => {
    const v = key.of(numbers);
    return v === null || Number.isNaN(v) ? '–' : key.text ? key.text(numbers) : short(v);
  };
  let head = null; /* the table is made once, so that a screen reader does not lose its place */
  function write(runs) {
    const labels = runs.map(r => r.label).join('\n');
    if (labels !== head)
      rows.replaceChildren(
          table(
              ['', ...runs.map((r, k) => dotted(r.label, PALETTE[k]))],
              keys.map(key => [key.name, ...runs.map(() => '')])),
          el('p.note', {}, '✗: this step was not solved to the tolerance'));
    head = labels;
    const cells = rows.querySelectorAll('tbody tr');
    keys.forEach((key, i) => runs.forEach((r, k) => {
      const cell = cells[i].cells[k + 1], now = text(key, r.numbers);
      if (cell.textContent !== now) cell.textContent = now;
    }));
  }
  return {
    element: el('div.board', {}, rows, grid),
    show(stage) {
      const runs = stage.runs.filter(r => r.numbers);
      if (!runs.length) return;
      write(runs);
      if (stage.frames % 4 !== 1 && stage.playing) return;
      const [one] = stage.history, ends = [one[0].index, one.at(-1).index];
      for (const {key, plot} of plots)
        plot.show(
            [
              ...stage.history.map((h, k) => ({
                                     label: stage.runs[k].label,
                                     colour: PALETTE[k],
                                     x: h.map(n => n.index),
                                     y: h.map(key.of)
                                   })),
              ...(key.limit && stage.limit ? [{
                label: 'deadline',
                colour: css('--dim'),
                dash: true,
                width: 1,
                x: ends,
                y: [stage.limit, stage.limit]
              }] :
                                             [])
            ],
            {log: key.log, whole: true, least: key.log ? undefined : 0});
    },
    end() {
      redraws.delete(redraw);
    },
  };
}
