// Leaves out a method's package and types, which the details contain.
function shortName(name, kind) {
  const method = kind === 'jvm' && /^(?:\S+ )?([^\s()]+)\(/.exec(name);
  return method ? method[1].split('.').slice(-2).join('.') : name;
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
