// The reason for a wait, where a frame leaves no doubt. The frame nearest to the leaf decides.
const WAIT_KINDS = [
  ['sleep', /java\.lang\.Thread\.sleep|(^|_)(hrtimer|do|clock)_nanosleep/],
  ['a lock', /java\.util\.concurrent\.locks\.(Reentrant\w*|Stamped)Lock\b|ObjectMonitor::(enter|reenter)|complete_monitor_locking/],
  ['another thread', new RegExp([
    /java\.lang\.(Object\.wait|Thread\.join)|ObjectMonitor::wait/,
    /java\.util\.concurrent\.(CountDownLatch|CyclicBarrier|Phaser|Exchanger|Semaphore|FutureTask|ForkJoinTask|CompletableFuture|\w+Queue)\b/,
  ].map((part) => part.source).join('|'))],
  ['I/O', new RegExp([
    /sun\.nio\.(ch|fs)\./, /java\.net\.\w*Socket/, /java\.io\.(File|RandomAccessFile)\w*\.(read|write)/,
    /^(tcp|sock|unix_stream|inet_csk)_\w+$/, /^(do_sys_poll|ep_poll|do_epoll_wait|io_schedule\w*|pipe_read)$/,
  ].map((part) => part.source).join('|'))],
];

function waitKind({parent, frame, frames}, leaf) {
  for (let node = leaf; node > 0; node = parent[node]) {
    const kind = WAIT_KINDS.find(([, pattern]) => pattern.test(frames[frame[node]][0].replaceAll('/', '.')));
    if (kind) {
      return kind[0];
    }
  }
  return 'unknown';
}

function waitKinds(graph) {
  const sums = new Map([...WAIT_KINDS.map(([name]) => name), 'unknown'].map((name) => [name, 0]));
  ownOf(graph).waiting.forEach((nanos, node) => {
    if (nanos > 0) {
      const kind = waitKind(graph, node);
      sums.set(kind, sums.get(kind) + nanos);
    }
  });
  const parts = [...sums].filter(([, nanos]) => nanos > 0).map(([name, nanos]) => `${name} ${time(nanos)}`);
  return `Waiting ${time(graph.values.waiting[0])}: ${parts.join(', ')}. Virtual threads leave their carrier thread while they wait, so their waits are not included.`;
}

// The graph, and the reasons for its waits if there are any.
function graphWithWaits(graph, options) {
  return [...(graph.values.waiting?.[0] > 0 ? [paragraph(waitKinds(graph))] : []), graphPanel(graph, options)];
}
