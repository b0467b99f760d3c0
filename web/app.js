/* web/app.js: the page: one instrument at a time, whose state is in the address */
'use strict';

const INSTRUMENTS = { plane: ['The LCP', mountPlane], bodies: ['Bodies', mountBodies], liquids: ['Liquids', mountLiquids], convergence: ['Convergence', mountConvergence], lessons: ['Lessons', mountLessons] };
const place = document.getElementById('instrument'), tabs = document.getElementById('tabs');
let unmount = () => {}, written = null;

const addressOf = (name, state = {}) => `#${name}${Object.keys(state).length ? `?${new URLSearchParams(state)}` : ''}`;
function open() {
  const [name, query] = location.hash.slice(1).split(/\?(.*)/s), known = name in INSTRUMENTS ? name : 'plane';
  if (location.hash === written) return;
  written = location.hash;
  unmount();
  tell({}, '');
  place.replaceChildren();
  place.dataset.name = known;
  document.title = `perp playground: ${INSTRUMENTS[known][0]}`;
  for (const a of tabs.children) a.toggleAttribute('aria-current', a.hash === `#${known}`);
  const root = document.createElement('div');
  place.append(root);
  unmount = INSTRUMENTS[known][1](root, Object.fromEntries(new URLSearchParams(query || '')), state => {
    written = addressOf(known, state);
    history.replaceState(null, '', written);
  });
}
function openProblem(problem) { handedOver = problem; location.hash = '#convergence'; }

tabs.append(...Object.entries(INSTRUMENTS).map(([name, [title]]) => el('a', { href: `#${name}` }, title)));
addEventListener('hashchange', open);
addEventListener('keydown', e => { if (/^[1-5]$/.test(e.key) && e.altKey) { e.preventDefault(); location.hash = `#${Object.keys(INSTRUMENTS)[e.key - 1]}`; } });
open();
