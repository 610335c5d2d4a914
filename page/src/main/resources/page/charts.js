// Colours with enough contrast to each other and to both backgrounds. Lines also differ in dashes.
const COLOURS = ['#4477aa', '#ee6677', '#228833', '#ccbb44', '#66ccee', '#aa3377', '#dd7722', '#888888', '#bbbbbb'];
const DASHES = [[], [8, 3], [3, 3], [12, 4, 3, 4], [2, 6], [16, 4], [6, 2, 2, 2], [1, 3], [4, 8]];

// The distances between two times on an axis.
const SECONDS = [
  ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800],
  ...[1, 2, 3, 6, 12, 24, 48, 168, 720, 8760].map((hours) => hours * 3600),
];

function ink() {
  return getComputedStyle(document.body).getPropertyValue('--text');
}

function axis(properties) {
  return {stroke: ink, grid: {stroke: () => getComputedStyle(document.body).getPropertyValue('--line'), width: 1}, ...properties};
}

// Draws once the container has a width, and again when the width changes.
function chart(label, height, options, columns) {
  const container = element('div', {className: 'chart'});
  container.setAttribute('role', 'img');
  container.setAttribute('aria-label', label);
  requestAnimationFrame(() => {
    const size = () => ({width: Math.max(280, container.clientWidth), height});
    const plot = new uPlot({...size(), ...options}, columns, container);
    new ResizeObserver(() => plot.setSize(size())).observe(container);
  });
  return container;
}

// The series are stacked: each line is the sum of its values and of those before it. Dragging chooses a range.
function cpuChart(data, chooser) {
  const {start, width, series} = data.overTime;
  const names = [
    ...data.endpoints.slice(0, series.length - 2).map((endpoint) => endpoint.name || '(no name)'),
    'other requests', 'no request',
  ];
  const shown = series.map((values, index) => ({values, name: names[index], colour: COLOURS[index], dash: DASHES[index]}))
    .filter(({values}) => values.some((value) => value > 0));
  const times = series[0].map((_, bin) => start + bin * width);
  const sums = times.map(() => 0);
  const stacked = shown.map(({values}) => values.map((value, bin) => (sums[bin] += value / 1e9 / width)));
  const last = shown.length;
  const withDate = isOfSeveralDays(data.overTime);
  return chart('CPU time over time, by endpoint', 260, {
    scales: {x: {range: [start, start + times.length * width]}, y: {range: (_, min, max) => [0, Math.max(max * 1.05, 0.01)]}},
    axes: [axis({incrs: SECONDS, space: withDate ? 150 : 70, values: (_, splits) => splits.map((second) => clock(second, withDate))}),
      axis({label: 'CPUs', size: 60})],
    legend: {live: true},
    padding: [null, 32, null, null], // room for the last label of the axis
    cursor: {drag: {x: true, y: false, setScale: false}},
    hooks: {
      init: [(plot) => chooser.onChange(() => plot.redraw(false))],
      setSelect: [(plot) => {
        const {left, width: selected} = plot.select;
        if (selected > 0) {
          chooser.choose((plot.posToVal(left, 'x') - start) / width, (plot.posToVal(left + selected, 'x') - start) / width);
          plot.setSelect({left: 0, top: 0, width: 0, height: 0}, false);
        }
      }],
      draw: [(plot) => drawRanges(plot, chooser.ranges(), (bin) => plot.valToPos(start + bin * width, 'x', true))],
    },
    series: [{label: 'Time, UTC', value: (_, second) => second === null ? '--' : clock(second, true)}, ...shown.map(({values, name, colour, dash}) => ({
      label: name, stroke: colour, dash, width: 1.5, fill: colour, points: {show: false},
      value: (_, __, ___, bin) => bin === null ? '' : (values[bin] / 1e9 / width).toFixed(2),
    })).reverse()],
  }, [times, ...stacked.reverse()].slice(0, last + 1));
}

// A frame with a letter around each range.
function drawRanges({ctx, bbox}, ranges, position) {
  ctx.save();
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.textAlign = 'left';
  ctx.font = `bold ${14 * devicePixelRatio}px system-ui`;
  for (const [letter, [from, to]] of Object.entries(ranges)) {
    const left = position(from);
    const inset = letter === 'A' ? 1 : 5 * devicePixelRatio; // so that both are visible where they overlap
    ctx.strokeStyle = ctx.fillStyle = ink();
    ctx.setLineDash(letter === 'A' ? [] : [6, 4]);
    ctx.strokeRect(left + inset, bbox.top + inset, position(to) - left - 2 * inset, bbox.height - 2 * inset);
    ctx.fillText(letter, left + inset + 4 * devicePixelRatio, bbox.top + inset + 14 * devicePixelRatio);
  }
  ctx.restore();
}

// A dot for each request; a click opens those that have a view.
function requestsChart(data) {
  const dots = [...data.dots].sort((a, b) => a[1] - b[1]);
  const groups = Math.min(data.endpoints.length, COLOURS.length - 1);
  const columns = [dots.map(([, duration]) => duration / 1e6)];
  for (let group = 0; group < groups; group++) {
    columns.push(dots.map(([endpoint, , cpu]) => Math.min(endpoint, groups - 1) === group ? cpu / 1e6 : null));
  }
  const name = (group) => group === groups - 1 && data.endpoints.length > groups
    ? 'other requests' : data.endpoints[group].name || '(no name)';
  return chart('Requests by duration and CPU time', 300, {
    scales: {x: {time: false, range: (_, min, max) => [0, Math.max(1, max * 1.02)]}, y: {range: (_, min, max) => [0, Math.max(1, max * 1.05)]}},
    axes: [axis({label: 'duration, ms'}), axis({label: 'CPU time, ms', size: 60})],
    cursor: {drag: {x: false, y: false}, points: {size: 12}},
    series: [{label: 'duration, ms'}, ...Array.from({length: groups}, (_, group) => ({
      label: name(group), stroke: COLOURS[group], paths: () => null, points: {show: true, size: 7, fill: `${COLOURS[group]}80`},
    }))],
    hooks: {
      init: [(plot) => plot.over.addEventListener('click', () => {
        const distance = ([, duration, cpu]) => Math.hypot(
          plot.valToPos(duration / 1e6, 'x') - plot.cursor.left, plot.valToPos(cpu / 1e6, 'y') - plot.cursor.top);
        const nearest = dots.reduce((best, dot) => distance(dot) < distance(best) ? dot : best, dots[0]);
        if (nearest[3] >= 0 && distance(nearest) < 12) {
          location.hash = `#endpoint/${nearest[0]}/request/${nearest[3]}`;
        }
      })],
    },
  }, columns);
}
