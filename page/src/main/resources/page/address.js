// The address of a view is #part/part?name=value. Endpoints, methods and requests are there by their names and ids, never
// by a position, so that a link means the same on a page that was made anew.
function addressOf(hash) {
  const [path, ...query] = hash.slice(1).split('?');
  return {parts: path.split('/').map(decoded), params: new URLSearchParams(query.join('?'))};
}

function hashOf(parts, params = {}) {
  const query = new URLSearchParams(Object.entries(params).filter(([, value]) => value)).toString();
  return `#${parts.map((part) => encodeURIComponent(plain(part))).join('/')}${query && `?${query}`}`;
}

// What an address can say: without halves of characters, which names have that were cut.
function plain(text) {
  return String(text).replace(/\p{Surrogate}/gu, '\ufffd');
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function param(name) {
  return addressOf(location.hash).params.get(name) ?? '';
}

// Keeps what a reader has chosen in the address of the view, without a new entry of the history.
function keep(chosen) {
  const {parts, params} = addressOf(location.hash);
  history.replaceState(null, '', hashOf(parts, {...Object.fromEntries(params), ...chosen}));
  document.body.dataset.shows = location.hash;
}

// A range of time and a kind of samples that were chosen go with the reader from view to view.
function to(...parts) {
  return hashOf(parts, {range: param('range'), measure: param('measure')});
}

// The same for a choice that is made while the links are there.
function carry(chosen) {
  keep(chosen);
  document.querySelectorAll('a').forEach((made) => {
    const {parts, params} = addressOf(made.hash);
    made.hash = hashOf(parts, {...Object.fromEntries(params), ...chosen});
  });
}
