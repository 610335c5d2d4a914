// Leaves out a method's package and types, which the details contain.
function shortName(name, kind) {
  const method = kind === 'jvm' && /^(?:\S+ )?([^\s()]+)\(/.exec(name);
  return method ? method[1].split('.').slice(-2).join('.') : name;
}

// What a frame is beside its name, which frames of another kind or file may have, too: an address has both.
function originText(frame) {
  const [, file, kind] = frame;
  return sumsUp(frame) ? '' : file ? `${kind} ${file}` : kind;
}

// The frames that an address means: all of the name in old links, else those of this origin. If the page has none, they may be of an
// unknown kind or file, or the library may be in another directory.
function framesMeant(frames, name, origin) {
  const named = [...frames.keys()].filter((frame) => plain(frames[frame][0]) === name);
  const [kind, file] = origin.split(/ (.*)/);
  const isSame = (one, other = '') => !one || !other || one === other;
  const base = (path = '') => path.split('/').at(-1);
  return origin === '' ? named : [
    (one) => plain(originText(one)) === origin,
    (one) => isSame(one[2], kind) && isSame(base(plain(one[1])), base(file)),
  ].map((is) => named.filter((frame) => is(frames[frame]))).find((some) => some.length > 0) ?? [];
}

// By frame, its short name, the whole one if others of these have the same, and with kind and file if these have the same name.
function distinctNames(frames, some) {
  const formsOf = ([name, file, kind]) => [shortName(name, kind), name, kind || file ? `${name} (${[kind, file].filter(Boolean).join(', ')})` : name];
  const forms = new Map(some.map((frame) => [frame, formsOf(frames[frame])]));
  const uses = new Map();
  forms.forEach((of) => new Set(of).forEach((form) => uses.set(form, (uses.get(form) ?? 0) + 1)));
  return new Map([...forms].map(([frame, of]) => [frame, of.find((form) => uses.get(form) === 1) ?? of.at(-1)]));
}

// The kinds of frames, with a mark after the name for readers who do not see the colour.
const KINDS = {
  root: ['the whole graph', ''],
  java: ['Java', ''],
  vm: ['JVM', ' [v]'],
  native: ['native', ' [n]'],
  kernel: ['kernel', ' [k]'],
  package: ['package', ' [p]'],
  class: ['class', ' [c]'],
  rest: ['smaller frames', ''],
};
const REST = '(smaller frames)';

function kindOf([name, file, kind]) {
  if (name === REST && !file && !kind) {
    return 'rest';
  }
  if (kind === 'kernel' || kind === 'native') {
    return /libjvm\.so/.test(file + name) ? 'vm' : kind;
  }
  return kind === 'jvm' ? 'java' : kind === 'package' || kind === 'class' ? kind : '';
}

// What a frame is collapsed to: the package of a method, the library of a native function, or nothing.
function packageOf([name, file, kind]) {
  if (kind === 'kernel') {
    return 'kernel';
  }
  if (kind === 'class') {
    return undefined;
  }
  const method = /^(?:\S+ )?([^\s()]+)/.exec(name)?.[1] ?? '';
  const parts = method.split(/[./]/);
  const outer = parts.slice(0, -2).join('.'); // without class and method
  if (kind === 'native') {
    return file || undefined;
  }
  return /^[a-z_][\w$]*(\.[\w$]+)*$/.test(outer) ? outer : undefined;
}

// What a reader searches for, as a function of names. Text that is no regular expression is searched for as it is.
function matcher(text) {
  if (text === '') {
    return {matches: () => false};
  }
  try {
    const pattern = new RegExp(text, 'i');
    return {matches: (name) => pattern.test(name)};
  } catch {
    const lower = text.toLowerCase();
    return {matches: (name) => name.toLowerCase().includes(lower), problem: 'no regular expression, so searched for as text'};
  }
}
