// Text from traces and profiles never becomes anything but the text of an element.
function element(name, properties, ...children) {
  const made = document.createElement(name);
  Object.assign(made, properties);
  made.append(...children);
  return made;
}

function button(text, action) {
  const made = element('button', {type: 'button'}, text);
  made.addEventListener('click', action);
  return made;
}

function link(text, hash) {
  return element('a', {href: hash}, text);
}

function paragraph(...content) {
  return element('p', {}, ...content);
}

const expanded = new Set(); // captions of the tables of the view of which a reader has asked for all rows

const MANY_COLUMNS = 12; // so many that they are set in smaller letters

// A column is [title, whether it is text, row => string or element, row => what it is sorted by, row => class of the cell].
// Columns of numbers begin with the largest, others with the first of the alphabet. The address has the order that a reader
// chose as `order`, such as "-CPU time": the title of the column, after a minus if the largest is first.
function table(caption, columns, rows, {most = Infinity, rowClass = () => '', order} = {}) {
  const body = element('tbody');
  const made = element('table', {}, element('thead', {}, element('tr', {}, ...columns.map(heading))), body);
  const more = element('p', {className: 'more'});
  let shown = rows;
  let limit = expanded.has(caption) ? Infinity : most;
  const linked = param(order);
  let by = {column: columns.findIndex(([title, , , value]) => value && title === linked.replace(/^-/, '')), down: linked.startsWith('-')};

  function heading([title, text, , value], column) {
    return element('th', {className: text ? 'text' : '', scope: 'col'}, value ? button(title, () => sort(column)) : title);
  }

  function sort(column) {
    const [title, text] = columns[column];
    by = {column, down: by.column === column ? !by.down : !text};
    keep({[order]: (by.down ? '-' : '') + title});
    draw();
  }

  // The title is shown beside the cell where a row has no room to be one line.
  function cell([title, text, content, , cellClass = () => ''], row) {
    const made = element('td', {className: text ? 'text' : cellClass(row)}, content(row));
    made.dataset.title = title;
    return made;
  }

  function draw() {
    made.querySelectorAll('th').forEach((th, column) => {
      th.toggleAttribute('aria-sort', column === by.column);
      if (column === by.column) {
        th.setAttribute('aria-sort', by.down ? 'descending' : 'ascending');
      }
    });
    const ordered = by.column < 0 ? shown : sorted(shown, columns[by.column][3], by.down);
    body.replaceChildren(...ordered.slice(0, limit).map((row) =>
      element('tr', {className: rowClass(row)}, ...columns.map((column) => cell(column, row)))));
    const left = shown.length - limit;
    more.replaceChildren(...(left > 0 ? [button(`Show ${count(left, 'more row', 'more rows')}`, () => {
      expanded.add(caption);
      limit = Infinity;
      draw();
    })] : []));
  }

  made.setAttribute('aria-label', caption);
  draw();
  const scrolled = element('div', {className: columns.length > MANY_COLUMNS ? 'wide many' : 'wide', tabIndex: 0}, made);
  scrolled.setAttribute('role', 'region');
  scrolled.setAttribute('aria-label', caption);
  const whole = element('div', {}, scrolled, more);
  // Shows other rows, in the order that the reader has chosen.
  whole.show = (others) => {
    shown = others;
    draw();
  };
  return whole;
}

// Rows that are equal keep their order.
function sorted(rows, order, down) {
  const compare = (a, b) => typeof a === 'string' ? a.localeCompare(b) : a - b;
  return [...rows].sort((one, other) => (down ? -1 : 1) * compare(order(one), order(other)));
}
