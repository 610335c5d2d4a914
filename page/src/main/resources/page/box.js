// The requests of an endpoint in a box of duration and CPU time against all others. Each request is a bin of `box.slices`.
const IN_BOX = 'in the box';
const OUTSIDE = 'outside the box';
const NO_BOX = 'none'; // in the address of a view in which a reader draws the first one
const ROUNDING = 1e-3; // microseconds that are an error of the calculation
const LEAST_DRAWN = 5; // pixels; less is a click, or a side that takes all
const MOST_MICROS = 9_999_999_999_999; // that an address can name
const BOXES = 20; // that a reader may draw on a page until one has a false row

const NOT_JUDGED = 'These requests were chosen by the CPU time that is compared: its difference is not judged. A box over all CPU times is. ';
const BOX_CHANCE = 'Coloured is what the requests in the box have more or less of for certain, and also a larger or smaller share of it. '
  + 'Grey may be chance, a larger or smaller request, or one of the small methods for which the page has no room. ';

// "from-to,from-to" of the duration and of CPU time in microseconds, as nanoseconds. Undefined if it is no box.
function boxOf(text) {
  const [, ...numbers] = (/^(\d{1,13})-(\d{1,13}),(\d{1,13})-(\d{1,13})$/.exec(text) ?? []).map((one) => 1e3 * one);
  const [fromDuration, toDuration, fromCpu, toCpu] = numbers;
  return fromDuration <= toDuration && fromCpu <= toCpu ? {duration: [fromDuration, toDuration], cpu: [fromCpu, toCpu]} : undefined;
}

function boxText({duration, cpu}) {
  const micros = (nanos, round, error) => Math.min(MOST_MICROS, Math.max(0, round(nanos / 1e3 + error)));
  return [duration, cpu].map(([from, to]) => `${micros(from, Math.floor, ROUNDING)}-${micros(to, Math.ceil, -ROUNDING)}`).join();
}

function boxAddress({name, service}, text, ...group) {
  return hashOf(['slow', name, service, ...group], {range: param('range'), measure: param('measure'), box: text});
}

function isInBox(box, {duration, cpu}) {
  return isWithin(box.duration, duration) && isWithin(box.cpu, cpu);
}

function isWithin([from, to], value) {
  return from <= value && value <= to;
}

// The duration and the CPU time of each request.
const boxedDots = remembered(({box: {slices: {durations, cpu = [], bin}}}) => {
  const sums = sumsOfBins(cpu, bin, durations.length);
  return durations.map((duration, request) => ({duration, cpu: sums[request]}));
}, new WeakMap());

function boxLinks(endpoint) {
  if (!endpoint.box) {
    return [];
  }
  const made = link('a box drawn over dots of duration and CPU time', boxAddress(endpoint, NO_BOX));
  if (param('box')) {
    made.setAttribute('aria-current', 'true');
  }
  return [made];
}

function boxDetails(data, endpoint, head, group) {
  if (!endpoint.box) {
    const reasons = endpoint.isBoxed ? [paragraph('The durations of fewer than two of its requests are known.')]
      : endpoint.slow ? [paragraph('This page does not have the requests of this endpoint one by one: it has room for the 20 endpoints with the most time.')] : [];
    return {...head, content: [...reasons, ...slowSection(data, endpoint)]};
  }
  const dots = boxedDots(endpoint);
  const isChoice = dots.length < endpoint.box.of;
  const box = boxOf(param('box'));
  const choose = (chosen) => { location.hash = boxAddress(endpoint, boxText(chosen)); };
  const chooser = [
    ...boxChart(data, endpoint, dots, box, choose), boxForm(dots, box, choose),
    paragraph((isChoice ? `${number(dots.length)} of ${number(endpoint.box.of)} requests have dots, evenly by duration: the page has no room for all of them. ` : `All ${count(dots.length, 'request has a dot', 'requests have dots')}. `)
      + 'Drag over the chart, or name a box, to compare its requests with all others. A click opens a request.'),
    ...inNoGroup(endpoint, endpoint.box.of),
  ];
  const title = `${endpointName(endpoint)} – requests ${IN_BOX}`;
  if (!box) {
    const isWrong = param('box') !== NO_BOX;
    return {...head, title, content: [splitLinks(data, endpoint, {}), ...(isWrong ? [paragraph(`“${param('box')}” is no box.`)] : []), ...chooser]};
  }
  const isInside = dots.map((dot) => isInBox(box, dot));
  const slices = regrouped(endpoint.box.slices, 2, (request) => isInside[request] ? 1 : 0);
  const lenses = lensesOf(endpoint.tally);
  const split = {by: 'box', slices, groups: [OUTSIDE, IN_BOX]};
  const groups = groupTable(data, lenses, split, (name) => boxAddress(endpoint, param('box'), name));
  const place = split.groups.indexOf(group);
  if (place >= 0) {
    return {...head, title: `${endpointName(endpoint)} – requests ${group}`, content: [
      paragraph(link('Compare with the others', boxAddress(endpoint, param('box')))), groups,
      ...graphOfGroup(data, {...endpoint, slices}, place, {
        label: `Flame graph of ${endpoint.name} ${group}`, title: group, of: 'these requests',
      }),
    ]};
  }
  const [others, inside] = slices.requests;
  const known = allRequests(data).filter((request) => data.endpoints[request.endpoint] === endpoint && isInBox(box, request))
    .sort((one, other) => other.duration - one.duration);
  const cutsCpu = dots.some((dot, request) => isWithin(box.duration, dot.duration) && !isInside[request]);
  const isJudged = (lens) => !(lens === CPU && cutsCpu);
  const level = LEVEL / BOXES / lenses.length / 2; // of a column of the table of methods
  const differing = remembered((lens) => differingMethods(endpoint.box, lens, isInside, isJudged(lens) ? level : undefined));
  return {...head, title, content: [
    splitLinks(data, endpoint, {}), ...chooser,
    paragraph(`${isChoice ? `${number(inside)} of the chosen requests (one of ${(endpoint.box.of / dots.length).toLocaleString('en', {maximumSignificantDigits: 2})}) are` : count(inside, 'request is', 'requests are')} in the box, ${number(others)} are not.`
      + (Math.min(inside, others) < 2 ? ' That is too few to tell what differs.' : '')),
    groups,
    ...(inside === 0 ? [] : [
      ...comparedSides(data, endpoint, {slices, ranges: {A: [0, 1], B: [1, 2]}}, cutsCpu ? [] : [`A, ${OUTSIDE}`, `B, ${IN_BOX}`],
        (lens) => {
          const of = (frame, column) => differing(lens).get(`${column} ${frame}`);
          return {certain: (...row) => of(...row)?.plusMinus, exact: of, isJudged: isJudged(lens), note: isJudged(lens) ? BOX_CHANCE : NOT_JUDGED};
        }),
      ...(known.length > 0 ? [element('h2', {}, 'Requests in the box'), requestTable(data, 'Requests in the box', known)] : []),
      ...(isChoice || inside > known.length ? [paragraph('The page does not have the ids of all requests in the box.')] : []),
    ]),
  ]};
}

// A dot for each request, and the box, which a mouse or a finger draws.
function boxChart(data, endpoint, dots, box, choose) {
  const shown = [...dots].sort((a, b) => a.duration - b.duration);
  const amounts = amountAxis(CPU.column, shown.reduce((most, {cpu}) => Math.max(most, cpu), 0), CPU.units);
  const open = (plot, at) => {
    const known = allRequests(data).filter((request) => data.endpoints[request.endpoint] === endpoint);
    openNearest(plot, known, ({cpu}) => cpu / amounts.one, at);
  };
  return [durationChart(`Requests of ${endpoint.name} by duration and CPU time`, amounts, [COLOURS[0]],
    [shown.map(alongDuration), shown.map(({cpu}) => cpu / amounts.one)], {
      init: [(plot) => draws(plot, (at) => open(plot, at), ({left, top, width, height}) => {
        const durations = [left, left + width].map((at) => plot.posToVal(at, 'x'));
        const cpu = [top + height, top].map((at) => Math.max(0, plot.posToVal(at, 'y') * amounts.one));
        choose({duration: [left === 0 ? 0 : durations[0], durations[1]], cpu});
      })],
      draw: [(plot) => box && frameBox(plot, box, amounts.one)],
    })];
}

// A gesture over a chart: a click, or the box that it draws. A finger scrolls the page up and down, and draws from side to side first.
function draws({over, setSelect}, clicked, drawn) {
  let from;
  const at = ({clientX, clientY}) => {
    const {left, top, width, height} = over.getBoundingClientRect();
    return [Math.min(width, Math.max(0, clientX - left)), Math.min(height, Math.max(0, clientY - top))];
  };
  const between = ([left, top], [right, bottom]) => ({
    left: Math.min(left, right), top: Math.min(top, bottom), width: Math.abs(right - left), height: Math.abs(bottom - top),
  });
  const end = () => {
    from = undefined;
    setSelect({left: 0, top: 0, width: 0, height: 0}, false);
  };
  const whole = (drawn) => {
    const {width, height} = over.getBoundingClientRect();
    return {...drawn, ...(drawn.width < LEAST_DRAWN && {left: 0, width}), ...(drawn.height < LEAST_DRAWN && {top: 0, height})};
  };
  over.style.touchAction = 'pan-y pinch-zoom';
  over.addEventListener('mousedown', (event) => {
    event.preventDefault(); // of dragging text that is marked over the chart
    getSelection().removeAllRanges();
  });
  over.addEventListener('pointerdown', (event) => {
    if (event.button === 0) {
      from = at(event);
      over.setPointerCapture(event.pointerId);
    }
  });
  over.addEventListener('pointermove', (event) => from && setSelect(between(from, at(event)), false));
  over.addEventListener('pointerup', (event) => {
    if (from) {
      const box = between(from, at(event));
      end();
      if (Math.max(box.width, box.height) < LEAST_DRAWN) {
        clicked(at(event));
      } else {
        drawn(whole(box));
      }
    }
  });
  over.addEventListener('pointercancel', end);
}

function frameBox({ctx, bbox, valToPos}, {duration, cpu}, one) {
  const within = (value, from, size) => Math.min(from + size, Math.max(from, value));
  const [left, right] = duration.map((value) => within(valToPos(Math.max(LEAST_DURATION, value), 'x', true), bbox.left, bbox.width));
  const [bottom, top] = cpu.map((value) => within(valToPos(value / one, 'y', true), bbox.top, bbox.height));
  ctx.save();
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.strokeStyle = ink();
  ctx.strokeRect(left, top, right - left, bottom - top);
  ctx.restore();
}

// The box in numbers. An end that is empty is where the requests end.
function boxForm(dots, box, choose) {
  const field = (title, value) => {
    const input = element('input', {type: 'number', min: 0, step: 'any', defaultValue: value === undefined ? '' : value / 1e6});
    input.setAttribute('aria-label', title);
    return input;
  };
  const most = (name) => dots.reduce((all, dot) => Math.max(all, dot[name]), 0);
  const sides = [['Duration', 'duration'], ['CPU time', 'cpu']].map(([title, name]) => ({
    name, title, fields: ['from', 'to'].map((end, place) => field(`${title} ${end}, in milliseconds`, box?.[name][place])),
  }));
  const message = element('output');
  const form = element('form', {className: 'tools ranges'},
    ...sides.map(({title, fields: [from, to]}) => element('fieldset', {}, element('legend', {}, `${title}, ms`), 'from ', from, ' to ', to)),
    element('button', {}, 'Compare'), message);
  form.setAttribute('aria-label', 'Box of duration and CPU time');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const chosen = Object.fromEntries(sides.map(({name, fields: [from, to]}) =>
      [name, [from.value * 1e6, to.value === '' ? most(name) : to.value * 1e6]]));
    const wrong = sides.find(({name}) => chosen[name][0] > chosen[name][1]);
    message.value = wrong ? `${wrong.title} must end after it begins.` : '';
    if (!wrong) {
      choose(chosen);
      form.reset();
    }
  });
  return form;
}
