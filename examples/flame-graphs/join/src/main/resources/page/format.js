const UNITS = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']];

function time(nanos) {
  const [size, unit] = UNITS.find(([size]) => nanos >= size) ?? UNITS[3];
  const value = nanos / size;
  return `${value >= 100 || size === 1 ? Math.round(value) : value.toPrecision(3)} ${unit}`;
}

function percent(part, whole) {
  return whole > 0 ? `${(100 * part / whole).toFixed(1)} %` : '–';
}

function count(number, one, many) {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}
