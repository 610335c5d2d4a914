// The reason for a wait, where a frame leaves no doubt. The frame nearest to the leaf decides.
const LOADING = /java\.lang\.ClassLoader\.(load|define)Class|jdk\.internal\.loader\.|SystemDictionary::/;
const WAIT_KINDS = [
  ['a pause of the JVM', new RegExp([
    /SafepointSynchronize::block|VMThread::(wait_until_executed|execute)/,
    /CollectedHeap::(attempt_allocation|mem_allocate|collect)|GCLocker::/,
  ].map((part) => part.source).join('|'))],
  ['sleep', /java\.lang\.Thread\.sleep|(^|_)(hrtimer|do|clock)_nanosleep/],
  ['a lock', /java\.util\.concurrent\.locks\.(Reentrant\w*|Stamped)Lock\b|ObjectMonitor::(enter|reenter)|complete_monitor_locking/],
  ['another thread', new RegExp([
    /java\.lang\.(Object\.wait|Thread\.join)|ObjectMonitor::wait/,
    /java\.util\.concurrent\.(CountDownLatch|CyclicBarrier|Phaser|Exchanger|Semaphore|\w+Queue)\b/,
    /java\.util\.concurrent\.(FutureTask|ForkJoinTask|CompletableFuture)(\$Signaller|\.(\w*[gG]et|\w*[jJ]oin|\w*[aA]wait\w*)\b)/,
  ].map((part) => part.source).join('|'))],
  ['I/O', new RegExp([
    /sun\.nio\.(ch|fs)\./, /java\.net\.\w*Socket/, /java\.io\.(File|RandomAccessFile)\w*\.(read|write)/,
    /^(tcp|sock|unix_stream|inet_csk)_\w+$/, /^(do_sys_poll|ep_poll|do_epoll_wait|io_schedule\w*|pipe_read)$/,
  ].map((part) => part.source).join('|'))],
  ['loading of classes', LOADING],
];

// What a wait for a lock or for another thread is about, further away from the leaf.
const WAIT_ABOUT = [
  ['a connection of a pool', new RegExp([
    /com\.zaxxer\.hikari\.|org\.apache\.(commons\.(dbcp|pool)|tomcat\.jdbc\.pool|http\.(nio\.)?pool|hc\.core5\.pool)/,
    /com\.mchange\.v2\.|io\.agroal\.pool|oracle\.ucp|redis\.clients\.jedis\.\w*\.?\w*Pool/,
  ].map((part) => part.source).join('|'))],
  ['loading of classes', LOADING],
];

function waitKind({parent, frame, frames}, leaf) {
  let kind = 'unknown';
  for (let node = leaf; node > 0; node = parent[node]) {
    const name = frames[frame[node]][0].replaceAll('/', '.');
    const first = (patterns) => patterns.find(([, pattern]) => pattern.test(name))?.[0];
    if (kind === 'unknown') {
      kind = first(WAIT_KINDS) ?? kind;
    }
    if (kind === 'a lock' || kind === 'another thread') {
      kind = first(WAIT_ABOUT) ?? kind;
    } else if (kind !== 'unknown') {
      return kind;
    }
  }
  return kind;
}

function waitKinds(graph) {
  const sums = new Map([...WAIT_KINDS, ...WAIT_ABOUT, ['unknown']].map(([name]) => [name, 0]));
  ownOf(graph).waiting.forEach((nanos, node) => {
    if (nanos > 0) {
      const kind = waitKind(graph, node);
      sums.set(kind, sums.get(kind) + nanos);
    }
  });
  const parts = [...sums].filter(([, nanos]) => nanos > 0).map(([name, nanos]) => `${name} ${time(nanos)}`);
  return `Waiting ${time(graph.values.waiting[0])}: ${parts.join(', ')}. Waits of virtual threads are included if the embedded profiler has recorded them.`;
}

// The graph, and the reasons for its waits if there are any.
function graphWithWaits(graph, options) {
  return [...(graph.values.waiting?.[0] > 0 ? [paragraph(waitKinds(graph))] : []), graphPanel(graph, options)];
}
