let data = JSON.parse(document.getElementById('data').textContent);
let requests; // built once, when a view needs them

function allRequests(data) {
  requests ??= requestsOf(data);
  return requests;
}

function view(hash) {
  const [kind, ...parts] = addressOf(hash).parts;
  const missing = (what) => overview(data, `There is no ${what} “${parts.join(' ')}” on this page.`);
  switch (kind) {
    case 'compare': return comparisonView(data, parts);
    case 'find': return foundRequests(data, allRequests(data), parts[0] ?? '');
    case 'endpoint': {
      const index = data.endpoints.findIndex(({name, service}) => plain(name) === parts[0] && plain(service) === parts[1]);
      return index < 0 ? missing('endpoint') : endpointDetails(data, index);
    }
    case 'slow': {
      const index = data.endpoints.findIndex(({name, service}) => plain(name) === parts[0] && plain(service) === parts[1]);
      return index < 0 ? missing('endpoint') : slowDetails(data, index, parts.slice(2));
    }
    case 'thread': {
      const thread = data.threads.find((one) => one.tree && threadParts(one).slice(1).every((part, place) => plain(part) === parts[place]));
      return thread ? threadDetails(data, thread) : missing('thread');
    }
    case 'request': {
      const request = allRequests(data).find(({trace, span}) => trace === parts[0] && span === parts[1]);
      return request ? requestOrSpan(request, parts.slice(2)) : missing('request');
    }
    default: return overview(data, ...missingRange(data));
  }
}

function requestOrSpan(request, [kind, wanted]) {
  const spans = data.traces[request.listed?.trace]?.spans ?? [];
  const place = kind === 'span' ? spans.findIndex(({id}) => id === wanted) : -1;
  return place < 0 ? requestDetails(data, request) : spanDetails(data, request, place);
}

function titled(title) {
  document.getElementById('title').textContent = title;
  document.title = title;
}

function show() {
  const {title, path, content} = view(location.hash);
  titled(title);
  document.getElementById('path').replaceChildren(...path.flatMap(([text, hash]) => [link(text, hash), ' / ']));
  document.querySelectorAll('#main .chart').forEach((chart) => chart.dispatchEvent(new Event(DISCARD)));
  document.getElementById('main').replaceChildren(...content);
  document.body.dataset.shows = location.hash; // for programs that wait for it
}

addEventListener('hashchange', () => {
  expanded.clear();
  show();
  document.getElementById('title').focus();
  scrollTo(0, 0);
});
for (const query of ['print', '(prefers-color-scheme: dark)']) {
  matchMedia(query).addEventListener('change', () =>
    document.querySelectorAll('.chart').forEach((chart) => chart.dispatchEvent(new Event(RECOLOUR))));
}
document.getElementById('find').append(idField(() => data));
show();
