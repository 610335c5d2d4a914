const UNITS = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']];

function time(nanos) {
  const [size, unit] = UNITS.find(([size]) => nanos >= size) ?? UNITS[3];
  const value = nanos / size;
  return `${value >= 100 || size === 1 ? Math.round(value) : value.toPrecision(3)} ${unit}`;
}

function signed(number, format) {
  const text = format(Math.abs(number));
  return text === format(0) ? text : `${number > 0 ? '+' : '−'}${text}`;
}

function percent(part, whole) {
  return whole > 0 ? `${(100 * part / whole).toFixed(1)} %` : '–';
}

function count(number, one, many) {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

// In UTC, like all times on the page.
function clock(seconds, withDate) {
  const text = new Date(seconds * 1e3).toISOString();
  return withDate ? `${text.slice(0, 10)} ${text.slice(11, 19)}` : text.slice(11, 19);
}
