const ROW = 20; // pixels
const LEAST = 1; // pixels of the narrowest frame that is drawn
const LEAST_WITH_EDGES = 4;
const LEAST_WITH_TEXT = 30;

// Frames as boxes, callees below callers. `what` describes the graph that is drawn: {graph, sizes, zoomed, label, data,
// describe, marked, matches}. `choose` and `point` receive the node that the reader chose or pointed at.
function flame(label, {choose, point}) {
  const container = element('div', {className: 'flame'});
  container.setAttribute('role', 'group');
  container.setAttribute('aria-label', `${label}. Arrow keys go from frame to frame, Enter zooms.`);
  let drawn; // what, and by node where it is and its element
  let width = 0;

  function draw(what) {
    const reached = container.contains(document.activeElement) ? Number(document.activeElement.dataset.node) : undefined;
    const layout = layoutOf(what.graph, what.sizes, what.zoomed, LEAST / width);
    drawn = {what, places: new Map(layout.map((place) => [place.node, {...place, box: box(what, place)}]))};
    const area = element('div', {className: 'frames'}, ...[...drawn.places.values()].map((place) => place.box));
    area.style.height = `${(Math.max(...layout.map(({depth}) => depth)) + 1) * ROW}px`;
    container.replaceChildren(area);
    reach(drawn.places.get(reached) ?? drawn.places.get(what.zoomed), reached !== undefined);
  }

  function box({graph, label, data, describe, marked, matches}, {node, depth, left, width: share, above}) {
    const made = element('div', {className: 'frame', tabIndex: -1, title: describe(node)});
    made.classList.toggle('above', above);
    made.classList.toggle('marked', marked(graph.frame[node]) && node > 0);
    made.classList.toggle('match', matches(graph.frame[node]) && node > 0);
    made.setAttribute('role', 'button');
    made.setAttribute('aria-label', describe(node));
    Object.assign(made.dataset, {...data(node), node, name: label(node)});
    Object.assign(made.style, {top: `${depth * ROW}px`, left: `${100 * left}%`, width: `${100 * share}%`});
    made.classList.toggle('edged', share * width >= LEAST_WITH_EDGES);
    if (share * width >= LEAST_WITH_TEXT) {
      made.classList.add('named');
      made.textContent = label(node);
    }
    return made;
  }

  // Tab reaches one frame and then leaves the graph.
  function reach(place, focus) {
    container.querySelector('[tabindex="0"]')?.setAttribute('tabindex', '-1');
    place.box.setAttribute('tabindex', '0');
    if (focus) {
      place.box.focus();
    }
  }

  function neighbour(node, key) {
    const {places, what: {graph}} = drawn;
    const place = places.get(node);
    const row = [...places.values()].filter((other) => graph.parent[other.node] === graph.parent[node]);
    switch (key) {
      case 'ArrowUp': return places.get(graph.parent[node]);
      case 'ArrowDown': return [...places.values()].find((other) => graph.parent[other.node] === node);
      case 'ArrowLeft': return row[row.indexOf(place) - 1];
      case 'ArrowRight': return row[row.indexOf(place) + 1];
      default: return undefined;
    }
  }

  const nodeOf = (event) => event.target.dataset?.node === undefined ? undefined : Number(event.target.dataset.node);
  container.addEventListener('keydown', (event) => {
    const node = nodeOf(event);
    if (node === undefined) {
      return;
    }
    if (event.key === 'Enter' || event.key === ' ') {
      choose(node);
    } else if (event.key.startsWith('Arrow')) {
      const next = neighbour(node, event.key);
      if (next) {
        reach(next, true);
      }
    } else {
      return;
    }
    event.preventDefault();
  });
  container.addEventListener('click', (event) => nodeOf(event) !== undefined && choose(nodeOf(event)));
  for (const name of ['mouseover', 'focusin']) {
    container.addEventListener(name, (event) => nodeOf(event) !== undefined && point(nodeOf(event)));
  }

  // Sizes are shares of the width; how many frames and names have room depends on the width.
  new ResizeObserver(() => {
    if (container.clientWidth > 0 && container.clientWidth !== width) {
      width = container.clientWidth;
      if (drawn) {
        draw(drawn.what);
      }
    }
  }).observe(container);

  return {
    container,
    draw(what) {
      if (width === 0) {
        drawn = {what, places: new Map()}; // drawn once the container is part of the page
      } else {
        draw(what);
      }
    },
  };
}
