// Text from traces and profiles never becomes anything but the text of an element.
function element(name, properties, ...children) {
  const made = document.createElement(name);
  Object.assign(made, properties);
  made.append(...children);
  return made;
}

// A column is [title, whether it is text, row => string or element].
function table(caption, columns, rows) {
  const cell = (name, text, content) => element(name, {className: text ? 'text' : ''}, content);
  const head = columns.map(([title, text]) => {
    const th = cell('th', text, title);
    th.scope = 'col';
    return th;
  });
  const body = rows.map((row, index) =>
    element('tr', {}, ...columns.map(([, text, content]) => cell('td', text, content(row, index)))));
  const made = element('table', {},
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...body));
  made.setAttribute('aria-label', caption);
  return made;
}

function link(text, hash) {
  return element('a', {href: hash}, text);
}
