/* web/app.js: the page: one instrument at a time, whose state is in the address */
'use strict';

/* Of each its title, what a passer-by should know, what makes it, and its keys. */
const INSTRUMENTS = {
  bodies: [
    'Bodies',
    'In every step the library finds the forces with which these bodies push each other: two ' +
        'methods side by side, on the same scene. Drag a body and throw it.',
    mountBodies,
    'Drag next to the bodies to turn a scene in space. Two fingers, + and −, or the wheel ' +
        'with Ctrl zoom; 0 or a double click shows all. On a picture: space plays and pauses, [ ' +
        'and ] choose a body, arrows pull it, Escape lets it go, Delete takes it away; Shift and ' +
        'arrows turn a scene in space.'
  ],
  liquids: [
    'Liquids',
    'In the first picture walls hold on to the water, as in many programs: the pressure may ' +
        'pull, and water sticks to the ceiling. In the second they let it go: pressure p ≥ 0 is ' +
        'complementary to the speed away from the wall, an LCP. Pour, stir, or build walls with ' +
        'the pointer.',
    mountLiquids,
    'Two fingers, + and −, or the wheel with Ctrl zoom; 0 or a double click shows all. On a ' +
        'picture: arrows move the brush, Enter uses it, space plays and pauses.'
  ],
  plane: [
    'The LCP',
    'The problem behind it, with two unknowns: find x ≥ 0 with y = A x + b ≥ 0 such that in ' +
        'each row x or y is 0. Drag b, or the ends of −A₁ and −A₂.',
    mountPlane, 'On the cones arrows move b, on the surface they move the start.'
  ],
  convergence: [
    'Convergence',
    'How fast do methods solve a problem? Choose one, paste A and b, or drop a folder on the ' +
        'page; tick methods; run.',
    mountConvergence, 'Over a plot the pointer, or a finger, reads the values.'
  ],
  lessons: [
    'Lessons', 'Six short pages. Shaded boxes are computed while you read.', mountLessons,
    'On pictures that move: space plays and pauses. On the cones arrows move b.'
  ],
};
const place = document.getElementById('instrument'), tabs = document.getElementById('tabs');
let unmount = () => {}, written = null;

/* Safari takes a hundred addresses in half a minute and throws at the next: a hand that drags comes
 * to more. Thirty are written at once, then one each half second, the last one always. */
let credit = 30, last = 0, later = 0;
function write(address) {
  const now = performance.now();
  credit = Math.min(30, credit + (now - last) / 500);
  last = now;
  written = address;
  clearTimeout(later);
  if (credit < 1) {
    later = setTimeout(write, 500, address);
    return;
  }
  credit--;
  history.replaceState(null, '', address);
}
const addressOf = (name, state = {}) =>
    `#${name}${Object.keys(state).length ? `?${new URLSearchParams(state)}` : ''}`;
function open() {
  const [name, query] = location.hash.slice(1).split(/\?(.*)/s),
               known = oneOf(name, Object.keys(INSTRUMENTS));
  if (location.hash === written) return;
  clearTimeout(later);
  written = location.hash;
  unmount();
  freeWorker();
  tell({}, '');
  place.replaceChildren();
  place.dataset.name = known;
  document.title = `perp playground: ${INSTRUMENTS[known][0]}`;
  for (const a of tabs.children) markCurrent(a, a.hash === `#${known}`, 'page');
  const root = document.createElement('div'), intro = el('p.intro', {}, INSTRUMENTS[known][1]);
  place.append(
      intro, root,
      el('details.keys', {}, el('summary', {}, 'Keys, fingers, links'),
         el('p', {},
            INSTRUMENTS[known][3] +
                ' Alt and 1 to 5 choose the instrument. The address of the page holds all ' +
                'settings: a link shows what you see.')));
  scrollTo(0, 0);
  unmount =
      INSTRUMENTS[known][2](root, Object.fromEntries(new URLSearchParams(query || '')), state => {
        write(addressOf(known, state));
      });
  if (root.firstChild === root.stage?.element)
    root.stage.element.after(intro); /* the picture comes first */
}
function openProblem(problem) {
  handedOver = problem;
  location.hash = '#convergence';
}

tabs.append(
    ...Object.entries(INSTRUMENTS).map(([name, [title]]) => el('a', {href: `#${name}`}, title)));
addEventListener('hashchange', open);
addEventListener('keydown', e => {
  if (/^[1-5]$/.test(e.key) && e.altKey) {
    e.preventDefault();
    location.hash = `#${Object.keys(INSTRUMENTS)[e.key - 1]}`;
  }
});
open();
