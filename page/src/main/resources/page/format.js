const UNITS = [[3600e9, 'h', 2], [60e9, 'min', 2], [1e9, 's', 1], [1e6, 'ms', 1], [1e3, 'µs', 1], [1, 'ns', 1]];

// With three digits. Minutes and hours begin at two of them: 5,002 s are 83.4 min.
function time(nanos) {
  const [size, unit] = UNITS.find(([size, , least]) => nanos >= least * size) ?? UNITS.at(-1);
  const value = nanos / size;
  return `${value >= 100 || size === 1 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)} ${unit}`;
}

const SIZES = [[1e12, 'TB'], [1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [1, 'B']];

function size(bytes) {
  const [unit, name] = SIZES.find(([unit]) => bytes >= unit) ?? SIZES.at(-1);
  const value = bytes / unit;
  return `${value >= 100 || unit === 1 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)} ${name}`;
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
