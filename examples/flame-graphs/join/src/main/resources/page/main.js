const data = JSON.parse(document.getElementById('data').textContent);

function view(hash) {
  const parts = hash.slice(1).split('/');
  const endpoint = data.endpoints[parts[1]];
  if (parts[0] !== 'endpoint' || !endpoint) {
    return overview(data);
  }
  return parts[2] === 'request' && endpoint.slowest[parts[3]]
    ? requestDetails(data, parts[1], parts[3])
    : endpointDetails(data, parts[1]);
}

function show() {
  const {title, path, content} = view(location.hash);
  const heading = document.getElementById('title');
  heading.textContent = title;
  document.title = title;
  document.getElementById('path').replaceChildren(...path.flatMap(([text, hash]) => [link(text, hash), ' / ']));
  document.getElementById('main').replaceChildren(...content);
}

addEventListener('hashchange', () => {
  show();
  document.getElementById('title').focus();
  scrollTo(0, 0);
});
show();
