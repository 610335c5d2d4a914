const CHANCE_OF_SAMPLES = '± is two standard deviations of what chance does to the number of samples.';

// A lens says what a graph is about: which sizes frames have, how they look, and what is told of them and of methods.
// Waits differ too much in length for their number to say by how much chance varies their time.
function timeLens({times, counts, one, many, title, chance = false}) {
  const period = ({values}) => periodOf({cpu: values[times][0], samples: values[counts][0]});
  const plusMinus = (nanos, graph) => chance && nanos > 0 ? ` ± ${time(plusMinusOf(nanos, period(graph)))}` : '';
  const plusMinusColumn = (title, now, sum) => chance ? [[`${title} ±`, false,
    (row) => sum(row) > 0 ? time(plusMinusOf(sum(row), period(now().graph))) : '–', sum]] : [];
  return {
    name: times,
    title,
    sizes: ({values}) => values[times],
    label: (graph, node, title) => {
      const frame = graph.frames[graph.frame[node]];
      return (title ?? shortName(frame[0], frame[2])) + (KINDS[kindOf(frame)]?.[1] ?? '');
    },
    data: (graph, node) => ({kind: node === 0 ? 'root' : kindOf(graph.frames[graph.frame[node]])}),
    describe: (graph, node, {name, whole, own, of}) => {
      const nanos = graph.values[times][node];
      const self = own ? `, self ${time(own[times][node])}${plusMinus(own[times][node], graph)}` : '';
      return `${name}: ${percent(nanos, whole)} of ${of}, ${time(nanos)}${plusMinus(nanos, graph)}, ${count(graph.values[counts][node], one, many)}${self}`;
    },
    columns: (now) => [
      ['Self', false, ({self}) => time(self[times]), ({self}) => self[times]],
      ...plusMinusColumn('Self', now, ({self}) => self[times]),
      ['Self, %', false, ({self}) => percent(self[times], now().whole), ({self}) => self[times]],
      ['Total', false, ({total}) => time(total[times]), ({total}) => total[times]],
      ...plusMinusColumn('Total', now, ({total}) => total[times]),
      ['Total, %', false, ({total}) => percent(total[times], now().whole), ({total}) => total[times]],
      [many[0].toUpperCase() + many.slice(1), false, ({total}) => number(total[counts]), ({total}) => total[counts]],
    ],
    order: ({self, total}) => [self[times], total[times]],
    legend: kindsLegend,
    note: (of) => `Shares are of the ${title} of ${of}.${chance ? ` ${CHANCE_OF_SAMPLES}` : ''}`,
    small: () => false,
  };
}

const CPU = timeLens({times: 'cpu', counts: 'samples', one: 'sample', many: 'samples', title: 'CPU time', chance: true});
const WAITING = timeLens({times: 'waiting', counts: 'waits', one: 'wait', many: 'waits', title: 'waiting time'});

function legendOf(label, items) {
  const list = element('ul', {className: 'legend'}, ...items.map(([data, text]) => {
    const swatch = element('span', {className: 'swatch'});
    Object.assign(swatch.dataset, data);
    return element('li', {}, swatch, text);
  }));
  list.setAttribute('aria-label', label);
  return list;
}

// The kinds of frames in the graph, if there are several.
function kindsLegend(graph) {
  const kinds = new Set(graph.frame.slice(1).map((frame) => kindOf(graph.frames[frame])));
  const shown = Object.keys(KINDS).filter((kind) => kinds.has(kind));
  return legendOf('Kinds of frames', shown.length > 1 ? shown.map((kind) => [{kind}, KINDS[kind][0] + KINDS[kind][1]]) : []);
}
