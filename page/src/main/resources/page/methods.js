const METHODS = 20; // shown at first

// A table of the graph's methods by the time in them. `choose` receives the frame of the one that is clicked. Its order and
// its filter are in the address, with `key` before their names.
function methodsTable(label, choose, key) {
  const filter = element('input', {type: 'search', placeholder: 'Filter methods', value: param(`${key}filter`)});
  filter.setAttribute('aria-label', 'Filter methods');
  const shown = element('output');
  const room = element('div');
  const classes = element('div');
  const note = paragraph();
  let now = {};
  let rows = [];
  let names = new Map();
  let made;
  let madeClasses;
  let withLines;

  function draw() {
    const {matches} = matcher(filter.value);
    const some = filter.value === '' ? rows : rows.filter(({name}) => matches(name));
    const ofClass = ({frame}) => isClass(now.graph.frames[frame]);
    const methods = some.filter((row) => !ofClass(row));
    shown.value = filter.value === '' ? '' : `${number(methods.length)} of ${count(rows.filter((row) => !ofClass(row)).length, 'method', 'methods')}`;
    made.show(methods);
    madeClasses.show(some.filter(ofClass));
    classes.hidden = !rows.some(ofClass);
  }

  function name({frame, name}) {
    const shown = button(names.get(frame), () => {
      choose(frame);
      [room, classes].map((one) => one.querySelector('[aria-pressed=true]')).find(Boolean)?.focus();
    });
    shown.title = name;
    shown.className = 'plain';
    shown.setAttribute('aria-pressed', frame === now.chosen);
    return shown;
  }

  function update(next) {
    const another = next.lens !== now.lens;
    now = next;
    const {graph, lens} = now;
    rows = methodsOf(graph).map((method) => ({...method, graph, name: graph.frames[method.frame][0]}))
      .filter((row) => lens.order(row)[1] > 0)
      .sort((a, b) => lens.order(b)[0] - lens.order(a)[0] || lens.order(b)[1] - lens.order(a)[1]);
    names = distinctNames(graph.frames, rows.map(({frame}) => frame));
    const hadLines = withLines;
    withLines = rows.some(({frame}) => now.lines.has(frame));
    if (another || withLines !== hadLines) {
      made = table(label, [['Method', true, name, (row) => row.name], ...lens.columns(() => now),
        ...(withLines ? [['Line', false, ({frame}) => now.lines.get(frame)?.[0][0] ?? '–']] : [])], rows, {
        most: METHODS,
        order: `${key}sort`,
        rowClass: (row) => `${row.frame === now.chosen ? 'chosen' : ''} ${lens.small(row) ? 'unsure' : ''}`.trim(),
      });
      room.replaceChildren(made);
      madeClasses = table(`Classes of ${label}`, [['Class', true, name, (row) => row.name], ...(lens.classColumns?.(() => now) ?? [])], [], {
        most: METHODS,
        order: `${key}sort-classes`,
        rowClass: (row) => row.frame === now.chosen ? 'chosen' : '',
      });
      classes.replaceChildren(element('h3', {}, 'Classes'), paragraph('Of the objects that were allocated or locked.'), madeClasses);
    }
    note.textContent = lens.note(now);
    draw();
  }

  // To be called before an update without them in the address.
  function reset() {
    filter.value = '';
    now = {};
  }

  filter.addEventListener('input', () => {
    keep({[`${key}filter`]: filter.value});
    draw();
  });
  const heading = element('div', {className: 'tools'}, element('h3', {}, 'Methods'), filter, shown);
  return {section: element('section', {className: 'methods'}, heading, note, room, classes), update, reset, nameOf: (frame) => names.get(frame)};
}
