const data = JSON.parse(document.getElementById('data').textContent);

function view(hash) {
  const parts = hash.slice(1).split('/');
  if (parts[0] === 'compare') {
    return comparisonView(data, parts.slice(1));
  }
  const endpoint = data.endpoints[parts[1]];
  if (parts[0] !== 'endpoint' || !endpoint) {
    return overview(data);
  }
  const request = parts[2] === 'request' && endpoint.slowest[parts[3]];
  if (!request) {
    return endpointDetails(data, parts[1]);
  }
  return parts[4] === 'span' && data.traces[request.trace].spans[parts[5]]
    ? spanDetails(data, parts[1], parts[3], Number(parts[5]))
    : requestDetails(data, parts[1], parts[3]);
}

function show() {
  const {title, path, content} = view(location.hash);
  const heading = document.getElementById('title');
  heading.textContent = title;
  document.title = title;
  document.getElementById('path').replaceChildren(...path.flatMap(([text, hash]) => [link(text, hash), ' / ']));
  document.getElementById('main').replaceChildren(...content);
  document.body.dataset.shows = location.hash; // for programs that wait for it
}

addEventListener('hashchange', () => {
  show();
  document.getElementById('title').focus();
  scrollTo(0, 0);
});
show();
