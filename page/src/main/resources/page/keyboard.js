// Arrow keys reach the frames, as in a tree. Tab reaches one frame and then leaves the graph.
function useKeyboard(container) {
  const frames = () => [...container.querySelectorAll('g.frame')];
  const of = (node) => frames().find((g) => g.__data__ === node);
  const shown = (nodes) => (nodes ?? []).filter((node) => node.value > 0 && of(node));

  function neighbour(node, key) {
    const siblings = node.parent ? shown(node.parent.children) : [];
    const place = siblings.indexOf(node);
    switch (key) {
      case 'ArrowUp': return node.parent;
      case 'ArrowDown': return shown(node.children).sort((a, b) => b.value - a.value)[0];
      case 'ArrowLeft': return siblings[place - 1];
      case 'ArrowRight': return siblings[place + 1];
      default: return undefined;
    }
  }

  function focus(g) {
    frames().forEach((other) => other.setAttribute('tabindex', other === g ? '0' : '-1'));
    g?.focus();
  }

  container.addEventListener('keydown', (event) => {
    const node = event.target.__data__;
    if (!node) {
      return;
    }
    if (event.key === 'Enter' || event.key === ' ') {
      event.target.dispatchEvent(new MouseEvent('click', {bubbles: true}));
      focus(of(node));
    } else if (event.key.startsWith('Arrow')) {
      const next = neighbour(node, event.key);
      if (next) {
        focus(of(next));
      }
    } else {
      return;
    }
    event.preventDefault();
  });
}

function describeFrames(container, describe) {
  const frames = [...container.querySelectorAll('g.frame')];
  const reached = frames.find((g) => g.getAttribute('tabindex') === '0') ?? frames[0];
  for (const g of frames) {
    g.setAttribute('tabindex', g === reached ? '0' : '-1');
    g.setAttribute('role', 'button');
    const {change} = g.__data__.data;
    if (change === undefined) {
      g.dataset.kind = kindOf(g.__data__.data);
    } else {
      g.dataset.change = change;
    }
    g.setAttribute('aria-label', describe(g.__data__));
    g.classList.toggle('match', g.__data__.highlight === true);
  }
}
