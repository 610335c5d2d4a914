// Colours with enough contrast to each other and to both backgrounds. Lines also differ in dashes.
const COLOURS = ['#4477aa', '#ee6677', '#228833', '#ccbb44', '#66ccee', '#aa3377', '#dd7722', '#888888', '#bbbbbb'];
const DASHES = [[], [8, 3], [3, 3], [12, 4, 3, 4], [2, 6], [16, 4], [6, 2, 2, 2], [1, 3], [4, 8]];

// The distances between two times on an axis.
const SECONDS = [
  ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800],
  ...[1, 2, 3, 6, 12, 24, 48, 168, 720, 8760].map((hours) => hours * 3600),
];
const MOST_DOTS = 4_000;
const BESIDE_TICK = 20; // pixels for the mark of a tick and the gaps beside its text

// Sent to charts, as their canvases keep the colours in which they were drawn.
const RECOLOUR = 'recolour';

// Sent to charts that are not shown any more, as each listens to the window.
const DISCARD = 'discard';

function ink() {
  return getComputedStyle(document.body).getPropertyValue('--text');
}

function axis(properties) {
  return {stroke: ink, grid: {stroke: () => getComputedStyle(document.body).getPropertyValue('--line'), width: 1}, ...properties};
}

// An axis of amounts from 0 to the most one, which says all in the unit of that one. It is as wide as its texts.
function amountAxis(label, most, units) {
  const [one, unit] = unitOf(most || 1e6, units);
  return {
    one,
    scale: {range: [0, most / one * 1.05 || 1]},
    axis: axis({
      label, labelSize: 20,
      values: (_, splits) => splits.map((split) => `${split.toLocaleString('en', {maximumSignificantDigits: 3})} ${unit}`.trim()),
      size: (plot, texts, place) => BESIDE_TICK + Math.max(0, ...(texts ?? []).map((text) => {
        plot.ctx.font = plot.axes[place].font[0];
        return plot.ctx.measureText(text).width / devicePixelRatio;
      })),
    }),
  };
}

// Draws once the container has a width, and again when the width changes.
function chart(label, height, options, columns) {
  const container = element('div', {className: 'chart'});
  container.setAttribute('role', 'img');
  container.setAttribute('aria-label', label);
  container.style.minHeight = `${height}px`; // so that nothing moves once it is drawn
  const drawing = requestAnimationFrame(() => {
    container.addEventListener(RECOLOUR, () => plot.redraw(false));
    const size = () => ({width: Math.max(280, container.clientWidth), height});
    const plot = new uPlot({...size(), legend: {show: false}, ...options}, columns, container);
    const observer = new ResizeObserver(() => matchMedia('print').matches || plot.setSize(size()));
    observer.observe(container);
    container.addEventListener(DISCARD, () => {
      observer.disconnect();
      plot.destroy();
    });
  });
  container.addEventListener(DISCARD, () => cancelAnimationFrame(drawing));
  return container;
}

// The names of the series. `show` sets the values beside them, which are empty where nothing is pointed at. They have room for
// the longest ones, as nothing may move.
function chartLegend(series, longest = 0) {
  const values = series.map(() => element('span', {className: 'value'}));
  values.forEach(({style}) => { style.minWidth = `max(3em, ${longest + 1}ch)`; });
  const list = element('ul', {className: 'legend'}, ...series.map(({name, colour, dash = []}, place) => {
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    line.setAttribute('class', 'line');
    const stroke = document.createElementNS('http://www.w3.org/2000/svg', 'line');
    Object.entries({x1: 0, x2: 24, y1: 5, y2: 5, stroke: colour, 'stroke-width': 3, 'stroke-dasharray': dash.join(' ')})
      .forEach(([key, value]) => stroke.setAttribute(key, value));
    line.append(stroke);
    return element('li', {}, line, name, values[place]);
  }));
  return {list, show: (texts) => values.forEach((value, place) => { value.textContent = texts[place] ? ` ${texts[place]}` : ''; })};
}

// The series are stacked: each line is the sum of its values and of those before it. Dragging chooses a range.
function overTimeChart(data, chooser, lens) {
  const {start, width} = data.overTime;
  const {series, endpoints} = overTimeOf(data, lens);
  const [unit, units, format] = lens.rate;
  const names = [...endpoints.map((place) => distinctName(data, data.endpoints[place])), 'other requests',
    data.threads.some(isNotSampled) ? 'not sampled, or no request' : 'no request'];
  const shown = series.map((values, index) => ({values, name: names[index], colour: COLOURS[index], dash: DASHES[index]}))
    .filter(({values}) => values.some((value) => value > 0));
  const times = series[0].map((_, bin) => start + bin * width);
  const sums = times.map(() => 0);
  const stacked = shown.map(({values}) => values.map((value, bin) => (sums[bin] += value / width)));
  const amounts = amountAxis(unit, Math.max(...sums), units);
  const withDate = isOfSeveralDays(data.overTime);
  const legend = chartLegend(shown, Math.max(...shown.flatMap(({values}) => values.map((value) => format(value / width).length))));
  const hint = chooser.form ? `${unit}. Drag over the chart, or choose below, to see a range of time.` : `${unit}.`;
  const pointed = element('span', {className: 'value hint'}, hint);
  const [lane, laneLegend] = haltLane(data);
  const plot = chart(`${capital(lens.title)} over time, by endpoint`, 220, {
    scales: {x: {range: [start, start + times.length * width]}, y: amounts.scale},
    axes: [axis({incrs: SECONDS, space: withDate ? 150 : 70, values: (_, splits) => splits.map((second) => clock(second, withDate))}),
      amounts.axis],
    padding: [null, 32, null, null], // room for the last label of the axis
    cursor: {drag: {x: Boolean(chooser.form), y: false, setScale: false}},
    hooks: {
      init: [(plot) => chooser.onChange(() => plot.redraw(false))],
      setCursor: [({cursor: {idx}}) => {
        legend.show(shown.map(({values}) => typeof idx === 'number' ? format(values[idx] / width) : ''));
        pointed.textContent = typeof idx === 'number' ? `${unit} at ${clock(times[idx], true)} UTC`
          : hint;
      }],
      setSelect: [(plot) => {
        const {left, width: selected} = plot.select;
        if (selected > 0) {
          chooser.choose((plot.posToVal(left, 'x') - start) / width, (plot.posToVal(left + selected, 'x') - start) / width);
          plot.setSelect({left: 0, top: 0, width: 0, height: 0}, false);
        }
      }],
      draw: [({bbox}) => lane && Object.assign(lane.style, {
        marginLeft: `${bbox.left / devicePixelRatio}px`, width: `${bbox.width / devicePixelRatio}px`,
      }), (plot) => drawRanges(plot, chooser.ranges(), (bin) => plot.valToPos(start + bin * width, 'x', true))],
    },
    series: [{}, ...shown.map(({colour, dash}) => ({
      stroke: colour, dash, width: 1.5, fill: colour, points: {show: false},
    })).reverse()],
  }, [times, ...stacked.reverse().map((values) => values.map((value) => value / amounts.one))]);
  return [...(lane ? [laneLegend, lane] : []), plot, element('div', {className: 'tools'}, legend.list, pointed)];
}

// A frame with its letter around each range.
function drawRanges({ctx, bbox}, ranges, position) {
  ctx.save();
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.textAlign = 'left';
  ctx.font = `bold ${14 * devicePixelRatio}px system-ui`;
  for (const [letter, [from, to]] of Object.entries(ranges)) {
    const left = position(from);
    const inset = letter === 'B' ? 5 * devicePixelRatio : 1; // so that both are visible where they overlap
    ctx.strokeStyle = ctx.fillStyle = ink();
    ctx.setLineDash(letter === 'B' ? [6, 4] : []);
    ctx.strokeRect(left + inset, bbox.top + inset, position(to) - left - 2 * inset, bbox.height - 2 * inset);
    ctx.fillText(letter, left + inset + 4 * devicePixelRatio, bbox.top + inset + 14 * devicePixelRatio);
  }
  ctx.restore();
}

// Of many requests, those that are listed, and one in each step of the others.
function dotsOf(requests) {
  const step = Math.ceil(requests.length / MOST_DOTS);
  return {step, dots: requests.filter(({listed}, place) => listed || place % step === 0).sort((a, b) => a.duration - b.duration)};
}

const LEAST_DURATION = 1e3; // nanoseconds, as the logarithm of 0 is nowhere
const TICK_ROOM = 60; // pixels for the text of a tick

// Numbers 1, 2 and 5 times a power of ten: the first one at or above, or at or below, a value.
function roundNumber(value, up) {
  const power = 10 ** Math.floor(Math.log10(value));
  const numbers = [1, 2, 5, 10].map((number) => number * power);
  return up ? numbers.find((number) => number >= value * (1 - 1e-9)) : numbers.findLast((number) => number <= value * (1 + 1e-9));
}

// The ticks of a logarithmic axis: powers of ten, as many as have room, or also 2 and 5 times these if there would be few.
function logarithmicTicks(least, most, room) {
  const powers = [];
  for (let power = Math.ceil(Math.log10(least) - 1e-9); power <= Math.log10(most) + 1e-9; power++) {
    powers.push(power);
  }
  if (powers.length < 3) {
    const ticks = [];
    for (let tick = roundNumber(least, true); tick <= most * (1 + 1e-9); tick = roundNumber(tick * 1.5, true)) {
      ticks.push(tick);
    }
    return ticks.length * TICK_ROOM <= room ? ticks : ticks.filter((_, place) => place % 2 === 0);
  }
  const step = Math.ceil(powers.length * TICK_ROOM / room);
  return powers.filter((power) => power % step === 0).map((power) => 10 ** power);
}

// "10 ms", not "10.0 ms".
function tickText(nanos) {
  return time(nanos).replace(/\.0+ /, ' ');
}

// Where a request is on the axis of durations.
function alongDuration({duration}) {
  return Math.max(LEAST_DURATION, duration);
}

// Dots by duration and an amount.
function durationChart(label, amounts, colours, columns, hooks) {
  return chart(label, 280, {
    scales: {x: {time: false, distr: 3, range: (_, min, max) => [roundNumber(min / 1.1, false), roundNumber(max * 1.1, true)]}, y: amounts.scale},
    axes: [axis({
      label: 'duration, logarithmic', labelSize: 20,
      splits: ({width}, _, least, most) => logarithmicTicks(least, most, width - 80),
      filter: (_, splits) => splits, values: (_, splits) => splits.map(tickText),
    }), amounts.axis],
    cursor: {drag: {x: false, y: false}, points: {size: 12}},
    series: [{}, ...colours.map((colour) => ({
      stroke: colour, paths: () => null, points: {show: true, size: 7, fill: `${colour}80`},
    }))],
    hooks,
  }, columns);
}

// Opens the request whose dot is where a reader clicked.
function openNearest(plot, dots, up, [left, top]) {
  const distance = (dot) => Math.hypot(plot.valToPos(alongDuration(dot), 'x') - left, plot.valToPos(up(dot), 'y') - top);
  const nearest = dots.reduce((best, dot) => distance(dot) < distance(best) ? dot : best, dots[0]);
  if (nearest && distance(nearest) < 12) {
    location.hash = to('request', nearest.trace, nearest.span);
  }
}

// A dot for each request; a click opens it. Endpoints have the colours of the chart over time.
function requestsChart(data, dots, lens) {
  const {name, title, column, units} = lens;
  const first = overTimeOf(data, lens).endpoints;
  const ordered = [...first, ...[...data.endpoints.keys()].filter((place) => !first.includes(place))];
  const places = new Map(ordered.map((endpoint, place) => [endpoint, place]));
  const groups = Math.min(ordered.length, COLOURS.length - 1);
  const amounts = amountAxis(column, dots.reduce((most, dot) => Math.max(most, dot[name]), 0), units);
  const up = (dot) => dot[name] / amounts.one;
  const columns = [dots.map(alongDuration)];
  const names = [];
  for (let group = 0; group < groups; group++) {
    columns.push(dots.map((dot) => Math.min(places.get(dot.endpoint), groups - 1) === group ? up(dot) : null));
    names.push({
      name: group === groups - 1 && ordered.length > groups ? 'other requests' : distinctName(data, data.endpoints[ordered[group]]),
      colour: COLOURS[group],
    });
  }
  const plot = durationChart(`Requests by duration and ${title}`, amounts, names.map(({colour}) => colour), columns, {
    init: [(plot) => plot.over.addEventListener('click', () => openNearest(plot, dots, up, [plot.cursor.left, plot.cursor.top]))],
  });
  return [plot, chartLegend(names).list];
}
