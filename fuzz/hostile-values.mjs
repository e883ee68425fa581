// @ts-check
/** Values that no caller should pass, and some that are allowed. */
import { MARK } from './forms.mjs';

/** @typedef {import('./random.mjs').Random} Random */

/** The error that a hostile getter throws. */
export const HOSTILE = Object.assign(new Error('a getter of the fuzzer threw'), { code: 'ERR_FUZZ_HOSTILE' });

const refuse = () => {
  throw HOSTILE;
};

const READS = ['get', 'has', 'ownKeys', 'getOwnPropertyDescriptor', 'getPrototypeOf', 'isExtensible'];
const WRITES = ['set', 'defineProperty', 'deleteProperty'];
const TRAPS = Object.fromEntries([...READS, ...WRITES].map((trap) => [trap, refuse]));

/** A proxy whose traps throw. @param {object} target */
const throwing = (target) => new Proxy(target, TRAPS);

/** @param {object} target */
export const revoked = (target) => {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
};

/** Returns another value at each read. @param {readonly unknown[]} answers */
const changing = (answers) => {
  let readCount = 0;
  return new Proxy(
    {},
    { get: () => answers[readCount++ % answers.length], has: () => true, ownKeys: () => [`k${readCount++}`] },
  );
};

const cyclicArray = () => {
  /** @type {any[]} */
  const array = [];
  array.push(array, { array });
  return array;
};

const cyclicObject = () => {
  /** @type {any} */
  const object = { role: 'user', content: MARK };
  object.content = [object];
  object.cause = object;
  object.properties = { object };
  object.items = object;
  return object;
};

/** A structure that takes exponential time if each path is visited. @param {number} depth */
const shared = (depth) => {
  /** @type {any} */
  let value = { message: MARK, type: 'object' };
  for (; depth > 0; depth--) {
    const inner = value;
    value = {
      error: inner,
      data: inner,
      detail: inner,
      body: inner,
      properties: { a: inner, b: inner },
      anyOf: [inner, inner],
    };
  }
  return value;
};

/** @param {number} depth */
const nested = (depth) => {
  /** @type {any} */
  let value = [];
  for (; depth > 0; depth--) value = depth % 2 === 0 ? [value] : { content: value, properties: { a: value } };
  return value;
};

/** A real array whose methods throw. @extends {Array<any>} */
class Refusing extends Array {}
for (const name of ['slice', 'splice', 'map', 'forEach', 'filter', 'flatMap', 'findLast', 'push', Symbol.iterator]) {
  Object.defineProperty(Refusing.prototype, name, { value: refuse });
}
Object.defineProperty(Refusing, Symbol.species, { get: refuse });

/** @type {((random: Random) => unknown)[]} */
const MAKERS = [
  () => undefined,
  () => null,
  () => true,
  () => 0,
  () => -0,
  () => -1,
  () => Number.NaN,
  () => Number.POSITIVE_INFINITY,
  () => 2 ** 32,
  () => 2 ** 53,
  () => 1e308,
  () => 7n,
  () => '',
  () => '__proto__',
  () => 'constructor',
  () => MARK,
  () => '\0',
  () => '\ud800',
  () => '\udfff\ud800',
  (random) => 'x'.repeat(random.pick([1_000, 200_000, 3_000_000])),
  (random) => `${'('.repeat(random.int(1, 5_000))}${MARK}`,
  () => Symbol('symbol'),
  () => Symbol.iterator,
  () => () => {},
  () => async () => {
    throw HOSTILE;
  },
  () => [],
  () => [null, undefined, Symbol('s'), 7n, () => {}],
  () => new Array(2 ** 32 - 1),
  () => new Array(5_000),
  () => Object.assign([1, 2], { '-1': 3, length: 7 }),
  cyclicArray,
  cyclicObject,
  () => shared(30),
  () => nested(5_000),
  () => Object.create(null),
  () => JSON.parse('{"__proto__": {"role": "tool"}, "constructor": null}'),
  () => throwing({}),
  () => throwing([]),
  () => throwing(() => {}),
  () => revoked({}),
  () => revoked([]),
  () => changing([undefined, null, 'x', 7, {}]),
  () => changing([[], 'terminal', true]),
  () => new Proxy([1, 2, 3], {}),
  () => new Proxy([], { get: (target, key) => (key === 'length' ? 2 ** 32 - 1 : Reflect.get(target, key)) }),
  () => ({ length: 2 ** 53 }),
  () => ({ toString: refuse, valueOf: refuse, toJSON: refuse }),
  () => ({ [Symbol.toPrimitive]: refuse, [Symbol.iterator]: refuse }),
  () => ({ [Symbol.toPrimitive]: () => MARK }),
  // biome-ignore lint/suspicious/noThenProperty: a thenable that fails
  () => ({ then: refuse }),
  () => Object.freeze([]),
  () => Object.freeze({}),
  () => Object.seal([{ role: 'user', content: MARK }]),
  () => new Date(Number.NaN),
  () => new Map([['role', 'user']]),
  () => new Set([1]),
  () => new WeakMap(),
  () => /x/,
  () => Buffer.from(MARK),
  () => new Uint8Array(100_000),
  () => new SharedArrayBuffer(8),
  () => new Float64Array(3),
  () => Promise.resolve(MARK),
  () => Object.assign(new Refusing(1), { 0: { role: 'user', content: MARK } }),
  () => new Error(MARK),
  () => new Proxy(new Error(MARK), {}),
  () => new AbortController().signal,
  () => AbortSignal.abort(),
  () => new String(MARK),
  () => new Number(7),
  () => (function* generate() {})(),
];

/** @param {Random} random @returns {any} */
export function hostileValue(random) {
  return random.pick(MAKERS)(random);
}

/** @param {Random} random */
const text = (random) => random.pick([MARK, '', '\ud800', 'x'.repeat(20_000), '{"stdout":"","exitCode":0}', 'ok']);

/** A message with some invalid fields. @param {Random} random @returns {any} */
export function hostileMessage(random) {
  if (random.chance(0.1)) return hostileValue(random);
  const id = random.pick(['call_0', 'call_1', '__proto__', '', 7]);
  const name = random.pick(['terminal-execute', 'filesystem-read', 'ace-text_search', '__proto__']);
  /** @type {any} */
  const message = random.pick([
    () => ({ role: 'user', content: text(random) }),
    () => ({ role: 'tool', tool_call_id: id, content: text(random), timestamp: random.int(0, 1e12) }),
    () => ({
      role: 'assistant',
      content: '',
      tool_calls: random.list(0, 3, () => ({
        id,
        type: 'function',
        function: { name, arguments: random.pick(['{"filePath":"/a"}', '{', '']) },
      })),
    }),
    () => ({ role: 'user', content: random.list(0, 3, () => ({ type: 'text', text: text(random) })) }),
    () => ({ role: 'user', content: '', isCompressed: true, compression: { originalMessages: [], level: 1 } }),
    () => ({ role: 'user', content: text(random), beforeCompression: { fields: { content: 'was' } } }),
    () => ({
      role: 'assistant',
      content: null,
      toolCalls: [{ id, toolName: name, args: hostileValue(random) }],
    }),
    () => ({ role: 'tool', toolCallId: id, toolName: name, content: text(random), createdAt: hostileValue(random) }),
    () => ({ role: 'model', parts: [{ functionCall: { name, args: hostileValue(random) } }] }),
    () => ({ type: 'function_call_output', call_id: id, output: hostileValue(random) }),
    () => ({
      role: 'user',
      content: '',
      isCompressed: true,
      compressedAt: hostileValue(random),
      compression: {
        id: 'x',
        level: hostileValue(random),
        originalsBack: random.pick([1, -1, Number.NaN]),
        earlier: hostileValue(random),
        messageCount: 1,
      },
    }),
    () => ({ role: 'assistant', content: text(random), usage: { prompt_tokens: random.int(-5, 1e6) } }),
  ])();
  if (random.chance(0.3)) insertHostileValue(random, message);
  if (random.chance(0.05)) return throwing(message);
  return random.chance(0.05) ? Object.freeze(message) : message;
}

/** Keys whose value can be replaced: neither unreadable nor read-only ones. @param {any} target */
function keysOf(target) {
  try {
    const isWritable = (/** @type {string} */ key) => {
      const property = Object.getOwnPropertyDescriptor(target, key);
      return property?.writable === true && property.configurable === true;
    };
    return Object.keys(target).filter(isWritable);
  } catch {
    return [];
  }
}

/** Puts an invalid value somewhere into `target`, at any depth. @param {Random} random @param {any} target */
export function insertHostileValue(random, target) {
  const keys = keysOf(target);
  if (keys.length === 0 || ArrayBuffer.isView(target)) return;
  const key = random.pick(keys);
  const inner = target[key];
  if (inner !== null && typeof inner === 'object' && random.chance(0.6)) insertHostileValue(random, inner);
  else if (random.chance(0.3))
    Object.defineProperty(target, key, { get: refuse, enumerable: true, configurable: true });
  else target[key] = hostileValue(random);
}

/** An array that rejects writes at some index. @param {Random} random @param {any[]} messages */
export function partlyReadOnly(random, messages) {
  if (messages.length === 0) return messages;
  const at = random.int(0, messages.length - 1);
  let sets = random.int(0, 4);
  return random.pick([
    () => Object.freeze(messages),
    () => Object.seal(messages),
    () => Object.preventExtensions(messages),
    () => Object.defineProperty(messages, at, { writable: false }),
    () => Object.defineProperty(messages, at, { writable: false, configurable: false }),
    () => Object.defineProperty(messages, at, { get: () => MARK, configurable: true }),
    () => Object.defineProperty(messages, 'length', { writable: false }),
    () =>
      new Proxy(messages, {
        set(target, key, value) {
          sets -= 1;
          return sets < 0 ? refuse() : Reflect.set(target, key, value);
        },
      }),
  ])();
}
