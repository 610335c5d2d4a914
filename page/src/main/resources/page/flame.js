// Leaves out a method's package and types, which the details contain.
function shortName(name, kind) {
  const method = kind === 'jvm' && /^(?:\S+ )?([^\s()]+)\(/.exec(name);
  return method ? method[1].split('.').slice(-2).join('.') : name;
}

// The kinds of frames, with a mark after the name for readers who do not see the colour.
const KINDS = {java: ['Java', ''], vm: ['JVM', ' [v]'], native: ['native', ' [n]'], kernel: ['kernel', ' [k]']};

function kindOf({kind, file, name}) {
  if (kind === 'kernel' || kind === 'native') {
    return /libjvm\.so/.test(file + name) ? 'vm' : kind;
  }
  return kind === 'jvm' ? 'java' : '';
}

// Lists the kinds in the graph, if there are several.
function legend(nodes) {
  const kinds = Object.keys(KINDS).filter((kind) => nodes.some((node) => kindOf(node) === kind));
  const items = kinds.map((kind) => {
    const swatch = element('span', {className: 'swatch'});
    swatch.dataset.kind = kind;
    return element('li', {}, swatch, KINDS[kind][0] + KINDS[kind][1]);
  });
  const list = element('ul', {className: 'legend'}, ...items);
  list.setAttribute('aria-label', 'Kinds of frames');
  return kinds.length > 1 ? [list] : [];
}

// The measures of graphs: the names of times and counts in the data, and names for readers.
const CPU = {times: 'cpu', counts: 'samples', one: 'sample', many: 'samples', whole: 'CPU time'};
const WAITING = {times: 'waiting', counts: 'waits', one: 'wait', many: 'waits', whole: 'waiting time'};

function hierarchyOf(tree, frames, measure) {
  const nodes = tree.frame.map((frame, index) => {
    const [name, file, kind] = frames[frame];
    const mark = KINDS[kindOf({kind, file, name})]?.[1] ?? '';
    return {
      name, label: shortName(name, kind) + mark, file, kind,
      value: tree[measure.times][index], count: tree[measure.counts][index], children: [],
    };
  });
  tree.parent.forEach((parent, index) => nodes[parent]?.children.push(nodes[index]));
  return nodes[0];
}

function describeFrame(node, whole, measure) {
  const {name, file, kind, value} = node.data;
  const origin = [kind, file].filter((text) => text).join(', ');
  return `${name}: ${percent(value, whole)}, ${time(value)}, ${count(node.data.count, measure.one, measure.many)}`
    + (origin ? ` (${origin})` : '');
}

// The sum of graphs whose roots have different names.
function mergeTrees(trees) {
  const measures = ['samples', 'cpu', ...(trees.some((tree) => tree.waits) ? ['waits', 'waiting'] : [])];
  const merged = {parent: [-1], frame: [trees[0].frame[0]], leftOut: 0};
  measures.forEach((measure) => { merged[measure] = [0]; });
  const places = new Map();
  for (const tree of trees) {
    const numbers = [0];
    merged.leftOut += tree.leftOut;
    tree.frame.forEach((frame, node) => {
      if (node > 0) {
        const parent = numbers[tree.parent[node]];
        const key = `${parent}/${frame}`;
        if (!places.has(key)) {
          places.set(key, merged.frame.length);
          merged.parent.push(parent);
          merged.frame.push(frame);
          measures.forEach((measure) => merged[measure].push(0));
        }
        numbers[node] = places.get(key);
      }
      measures.forEach((measure) => { merged[measure][numbers[node]] += tree[measure]?.[node] ?? 0; });
    });
  }
  return merged;
}

// The graph of the CPU time, and the graph of the waits if there are any.
function flames(tree, frames, label, title) {
  const graphs = [flame(tree, frames, label, title, CPU)];
  if (tree.waits) {
    graphs.push(element('h3', {}, 'Waiting'), element('p', {}, waitKinds(tree, frames)),
      flame(tree, frames, `${label}, waiting`, title, WAITING));
  }
  return graphs;
}

function flame(tree, frames, label, title, measure) {
  const root = hierarchyOf(tree, frames, measure);
  if (title) {
    root.name = root.label = title;
  }
  const whole = root.value;
  if (whole === 0) {
    return element('p', {}, measure === CPU
      ? 'There is no sample of CPU time: it took less time than passes between two samples.'
      : 'The waits took no time.');
  }
  const shown = tree.frame.map((frame) => ({name: frames[frame][0], file: frames[frame][1], kind: frames[frame][2]}));
  return drawFlame(root, {
    label, measures: measure.whole, legend: legend(shown), leftOut: tree.leftOut,
    describe: (node) => describeFrame(node, whole, measure),
  });
}

// The nodes of the hierarchy have a name, a label, a value and children.
function drawFlame(root, {label, measures, legend, leftOut, describe}) {
  const container = element('div', {className: 'flame'});
  container.setAttribute('role', 'group');
  container.setAttribute('aria-label', `${label}. Arrow keys go from frame to frame, Enter zooms.`);
  const details = element('div', {className: 'details'}, ' ');
  const found = element('output');
  const search = element('input', {type: 'search', placeholder: 'Search frames'});
  search.setAttribute('aria-label', 'Search frames');
  const reset = element('button', {type: 'button'}, 'Whole graph');

  const chart = flamegraph()
    .cellHeight(20)
    .inverted(true)
    .minFrameSize(1)
    .transitionDuration(0)
    .resetHeightOnZoom(true)
    .sort((a, b) => b.data.value - a.data.value || (a.data.name < b.data.name ? -1 : 1))
    .getName((node) => node.data.label)
    .setLabelHandler(describe)
    .setColorMapper(() => null)
    .setSearchMatch((node, term) => term !== '' && node.data.name.toLowerCase().includes(term.toLowerCase()))
    .setSearchHandler((results, sum) => {
      found.value = search.value
        ? `${count(results.length, 'frame', 'frames')} with ${percent(sum, root.value)} of the ${measures}`
        : '';
    })
    .setDetailsElement(details)
    .onClick(() => describeFrames(container, describe));

  const update = () => {
    chart.search(search.value);
    describeFrames(container, describe);
  };
  search.addEventListener('input', update);
  reset.addEventListener('click', () => chart.resetZoom());
  container.addEventListener('focusin', (event) => {
    if (event.target.__data__) {
      details.textContent = describe(event.target.__data__);
    }
  });
  useKeyboard(container);

  const section = element('section', {}, element('div', {className: 'tools'}, search, reset, found),
    ...legend, details, container);
  if (leftOut > 0) {
    section.append(element('p', {},
      `${count(leftOut, 'small frame is', 'small frames are')} summed up as “(smaller frames)”.`));
  }
  // The width is known once the section is part of the page.
  requestAnimationFrame(() => {
    chart.width(Math.max(320, container.clientWidth));
    d3.select(container).datum(root).call(chart);
    describeFrames(container, describe);
  });
  return section;
}
