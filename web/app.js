/* web/app.js: the page: one instrument at a time, whose state is in the address */
'use strict';

/* Of each its title, what a passer-by should know, and what makes it. */
const INSTRUMENTS = {
  bodies: ['Bodies', 'In every frame the library finds the forces with which these bodies push each other, by two methods side by side. Drag a body and throw it; in space, drag beside the bodies to turn the view. + and −, or two fingers, zoom.', mountBodies],
  liquids: ['Liquids', 'Water leaves a ceiling by itself. Walls that hold it, as in many programs, stand beside walls that let it go: pour, stir, or build walls with the pointer.', mountLiquids],
  plane: ['The LCP', 'The problem behind it, with two unknowns: find x ≥ 0 with y = A x + b ≥ 0 such that in each row x or y is 0. Drag b, or the ends of the arrows.', mountPlane],
  convergence: ['Convergence', 'How fast methods solve a problem: choose one, paste it or drop a folder, tick methods, run.', mountConvergence],
  lessons: ['Lessons', 'Six short pages. Every number on them is computed while you read.', mountLessons],
};
const place = document.getElementById('instrument'), tabs = document.getElementById('tabs');
let unmount = () => {}, written = null;

const addressOf = (name, state = {}) => `#${name}${Object.keys(state).length ? `?${new URLSearchParams(state)}` : ''}`;
function open() {
  const [name, query] = location.hash.slice(1).split(/\?(.*)/s), known = name in INSTRUMENTS ? name : 'bodies';
  if (location.hash === written) return;
  written = location.hash;
  unmount();
  freeWorker();
  tell({}, '');
  place.replaceChildren();
  place.dataset.name = known;
  document.title = `perp playground: ${INSTRUMENTS[known][0]}`;
  for (const a of tabs.children) a.toggleAttribute('aria-current', a.hash === `#${known}`);
  const root = document.createElement('div');
  place.append(el('p.intro', {}, INSTRUMENTS[known][1]), root);
  unmount = INSTRUMENTS[known][2](root, Object.fromEntries(new URLSearchParams(query || '')), state => {
    written = addressOf(known, state);
    history.replaceState(null, '', written);
  });
}
function openProblem(problem) { handedOver = problem; location.hash = '#convergence'; }

tabs.append(...Object.entries(INSTRUMENTS).map(([name, [title]]) => el('a', { href: `#${name}` }, title)));
addEventListener('hashchange', open);
addEventListener('keydown', e => { if (/^[1-5]$/.test(e.key) && e.altKey) { e.preventDefault(); location.hash = `#${Object.keys(INSTRUMENTS)[e.key - 1]}`; } });
open();
