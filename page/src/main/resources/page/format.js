const UNITS = [[3600e9, 'h', 2], [60e9, 'min', 2], [1e9, 's', 1], [1e6, 'ms', 1], [1e3, 'µs', 1], [1, 'ns', 1]];

function unitOf(amount, units) {
  return units.find(([size, , least]) => amount >= least * size) ?? units.at(-1);
}

// With three digits. Minutes and hours begin at two of them: 5,002 s are 83.4 min.
function time(nanos) {
  const [size, unit] = unitOf(nanos, UNITS);
  const value = nanos / size;
  return `${value >= 100 || size === 1 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)} ${unit}`;
}

const SIZES = [[1e12, 'TB', 1], [1e9, 'GB', 1], [1e6, 'MB', 1], [1e3, 'kB', 1], [1, 'B', 1]];

function size(bytes) {
  const [unit, name] = unitOf(bytes, SIZES);
  const value = bytes / unit;
  return `${value >= 100 || unit === 1 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)} ${name}`;
}

// Threads that are busy, or wait, from nanoseconds per second.
const THREADS = [[1e9, '']];

function threads(nanos) {
  const value = nanos / 1e9;
  return value > 0 && value < 0.1 ? value.toLocaleString('en', {maximumSignificantDigits: 2}) : value.toFixed(2);
}

function aboutTime(nanos, about) {
  return (about ? '≈ ' : '') + time(nanos);
}

function signed(number, format) {
  const text = format(Math.abs(number));
  return text === format(0) ? text : `${number > 0 ? '+' : '−'}${text}`;
}

function percent(part, whole) {
  return whole > 0 ? `${(100 * part / whole).toFixed(1)} %` : '–';
}

function number(value) {
  return value.toLocaleString('en');
}

function count(value, one, many) {
  return `${number(value)} ${value === 1 ? one : many}`;
}

// In UTC, like all times on the page.
function clock(seconds, withDate) {
  const text = new Date(seconds * 1e3).toISOString();
  return withDate ? `${text.slice(0, 10)} ${text.slice(11, 19)}` : text.slice(11, 19);
}
