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

const MANY_COLUMNS = 12; // so many that they are set in smaller letters

// A column is [title, whether it is text, row => string or element, row => what it is sorted by, row => class of the cell].
// Columns of numbers begin with the largest, others with the first of the alphabet.
function table(caption, columns, rows, {most = Infinity, rowClass = () => ''} = {}) {
  const body = element('tbody');
  const made = element('table', {}, element('thead', {}, element('tr', {}, ...columns.map(heading))), body);
  const more = element('p', {className: 'more'});
  let shown = rows;
  let limit = most;

  function heading([title, text, , order], column) {
    const th = element('th', {className: text ? 'text' : '', scope: 'col'}, order ? button(title, () => sort(column)) : title);
    return th;
  }

  function sort(column) {
    const [, text, , order] = columns[column];
    const heads = [...made.querySelectorAll('th')];
    const down = heads[column].getAttribute('aria-sort') ? heads[column].getAttribute('aria-sort') === 'ascending' : !text;
    heads.forEach((th) => th.removeAttribute('aria-sort'));
    heads[column].setAttribute('aria-sort', down ? 'descending' : 'ascending');
    shown = sorted(shown, order, down);
    draw();
  }

  // The title is shown beside the cell where a row has no room to be one line.
  function cell([title, text, content, , cellClass = () => ''], row) {
    const made = element('td', {className: text ? 'text' : cellClass(row)}, content(row));
    made.dataset.title = title;
    return made;
  }

  function draw() {
    body.replaceChildren(...shown.slice(0, limit).map((row) =>
      element('tr', {className: rowClass(row)}, ...columns.map((column) => cell(column, row)))));
    const left = shown.length - limit;
    more.replaceChildren(...(left > 0 ? [button(`Show ${count(left, 'more row', 'more rows')}`, () => {
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
    const column = [...made.querySelectorAll('th')].findIndex((th) => th.hasAttribute('aria-sort'));
    shown = column < 0 ? others
      : sorted(others, columns[column][3], made.querySelectorAll('th')[column].getAttribute('aria-sort') === 'descending');
    draw();
  };
  return whole;
}

// Rows that are equal keep their order.
function sorted(rows, order, down) {
  const compare = (a, b) => typeof a === 'string' ? a.localeCompare(b) : a - b;
  return [...rows].sort((one, other) => (down ? -1 : 1) * compare(order(one), order(other)));
}
