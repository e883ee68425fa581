// @ts-check
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  cleanOrphanedToolCalls,
  createSession,
  prepareMessages,
  simplifyHistoricalFileReads,
  simplifyOutdatedTerminalResults,
  simplifyTextSearchResults,
  simplifyToolResults,
} from '../index.mjs';

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;
const OUTDATED = '此命令返回内容已过时';
const OLD_READ = '[该文件的历史读取内容已压缩,请参看最新读取结果]';
const SUCCESS = JSON.stringify({ stdout: 'built', stderr: '', exitCode: 0 });

/** @typedef {any} Odd */

/**
 * An old terminal result that would be simplified: its call, and itself with `fields` laid over.
 * @param {string} id
 * @param {object} [fields]
 */
function oldTerminalResult(id, fields) {
  return [
    { role: 'assistant', content: '', tool_calls: [{ id, function: { name: 'bash', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: id, content: SUCCESS, timestamp: NOW - HOUR, ...fields },
  ];
}

/** Five newer results, so that recency spares nothing older. */
function fiveNewer() {
  return Array.from({ length: 5 }, (_, index) => ({ role: 'tool', content: `newer ${index}`, timestamp: NOW - index }));
}

/** @param {Odd} message */
function simplifiedContent(message) {
  const [call] = oldTerminalResult('odd');
  const messages = [call, message, ...fiveNewer()];
  simplifyOutdatedTerminalResults(messages, { now: NOW });
  return messages[1];
}

describe('R0.3 wrong arguments throw before anything has changed', () => {
  const functions = {
    cleanOrphanedToolCalls,
    prepareMessages,
    simplifyHistoricalFileReads,
    simplifyOutdatedTerminalResults,
    simplifyTextSearchResults,
  };
  for (const [name, call] of Object.entries(functions)) {
    for (const [what, value] of Object.entries({
      undefined,
      null: null,
      number: 3,
      string: 'x',
      object: {},
      set: new Set(),
    })) {
      it(`${name} refuses ${what} for messages with a TypeError`, () => {
        assert.throws(() => call(/** @type {Odd} */ (value)), {
          name: 'TypeError',
          code: 'ERR_INVALID_ARG_TYPE',
          message: /^messages: expected an array, got /,
        });
      });
    }
  }

  /** @type {[string, Odd, string, RegExp][]} */
  const badOptions = [
    ['a string for options', 'x', 'TypeError', /^options: expected an object, got a string$/],
    ['a negative keepRecent', { keepRecent: -1 }, 'RangeError', /^options\.keepRecent: .* got -1$/],
    ['a fractional keepRecent', { keepRecent: 1.5 }, 'RangeError', /1\.5/],
    ['NaN for keepRecent', { keepRecent: Number.NaN }, 'RangeError', /NaN/],
    ['an unsafe keepRecent', { keepRecent: 2 ** 60 }, 'RangeError', /keepRecent/],
    ['text for keepRecent', { keepRecent: '5' }, 'TypeError', /got a string$/],
    ['a negative maxAgeMs', { maxAgeMs: -1 }, 'RangeError', /maxAgeMs/],
    ['NaN for maxAgeMs', { maxAgeMs: Number.NaN }, 'RangeError', /maxAgeMs/],
    ['a bigint for maxAgeMs', { maxAgeMs: 5n }, 'TypeError', /maxAgeMs/],
    ['NaN for now', { now: Number.NaN }, 'RangeError', /options\.now/],
    ['a Date for now', { now: new Date() }, 'TypeError', /options\.now/],
    ['a string for terminalTools', { terminalTools: 'bash' }, 'TypeError', /terminalTools: expected an array/],
    ['a number among terminalTools', { terminalTools: ['bash', 3] }, 'TypeError', /terminalTools\[1\]/],
    ['an unknown errors mode', { errors: 'none' }, 'RangeError', /'none'/],
    ['a number for placeholder', { placeholder: 5 }, 'TypeError', /placeholder/],
    ['a string for countErrors', { countErrors: 'yes' }, 'TypeError', /countErrors/],
  ];
  for (const [what, options, name, message] of badOptions) {
    it(`simplifyOutdatedTerminalResults refuses ${what} with a ${name}`, () => {
      const messages = [...oldTerminalResult('a'), ...fiveNewer()];
      const before = [...messages];
      assert.throws(() => simplifyOutdatedTerminalResults(messages, options), { name, message });
      assert.ok(messages.every((slot, index) => slot === before[index]));
    });
  }

  it('a relative projectRoot is refused with a RangeError', () => {
    assert.throws(() => simplifyHistoricalFileReads([], { projectRoot: 'src' }), {
      name: 'RangeError',
      message: /absolute/,
    });
  });

  it('rules without name or placeholder, and two rules of one name, are refused', () => {
    const rules =
      (/** @type {Odd} */ ...given) =>
      () =>
        simplifyToolResults([], given);
    assert.throws(rules({ placeholder: 'x' }), { name: 'TypeError', message: /rules\[0\]\.name/ });
    assert.throws(rules({ name: 'x' }), { name: 'TypeError', message: /rules\[0\]\.placeholder/ });
    assert.throws(rules({ name: 'x', placeholder: '' }, { name: 'x', placeholder: '' }), {
      name: 'RangeError',
      message: /rules\[1\]\.name/,
    });
    assert.throws(rules(7), { name: 'TypeError', message: /rules\[0\]/ });
    assert.throws(rules({ name: 'x', placeholder: '', groupBy: 'file' }), { name: 'RangeError', message: /groupBy/ });
    assert.throws(() => simplifyToolResults([], /** @type {Odd} */ (null)), { name: 'TypeError', message: /^rules/ });
  });

  it('null options and null fields mean the defaults', () => {
    const messages = [...oldTerminalResult('a'), ...fiveNewer()];
    simplifyOutdatedTerminalResults([...messages], /** @type {Odd} */ (null));
    const report = simplifyOutdatedTerminalResults(
      messages,
      /** @type {Odd} */ ({ keepRecent: null, terminalTools: null, now: NOW }),
    );
    assert.equal(report.changed, 1);
  });

  it('a frozen array is a TypeError, a frozen message is not', () => {
    const messages = Object.freeze(
      [...oldTerminalResult('a'), ...fiveNewer()].map((message) => Object.freeze(message)),
    );
    for (const call of [cleanOrphanedToolCalls, simplifyOutdatedTerminalResults, simplifyHistoricalFileReads]) {
      assert.throws(() => call(/** @type {Odd} */ (messages)), { name: 'TypeError', message: /frozen/ });
    }
    assert.equal(prepareMessages(messages, { now: NOW }).messages[1]?.content, OUTDATED);
    assert.equal(messages[1]?.content, SUCCESS);
  });

  it('a sealed array is refused where messages may have to be removed', () => {
    assert.throws(() => cleanOrphanedToolCalls(Object.seal([])), { name: 'TypeError', message: /sealed/ });
    assert.equal(simplifyOutdatedTerminalResults(Object.seal([{ role: 'user', content: 'x' }])).changed, 0);
  });
});

describe('R0.3 odd messages are data', () => {
  const oddities = {
    undefined,
    null: null,
    'a number': 7,
    'a string': 'tool',
    'an empty object': {},
    'an array': ['tool'],
    'a function': () => 'tool',
    'a symbol role': { role: Symbol('tool') },
    'null content': { role: 'tool', tool_call_id: 'odd', timestamp: NOW - HOUR, content: null },
    'content in parts': {
      role: 'tool',
      tool_call_id: 'odd',
      timestamp: NOW - HOUR,
      content: [{ type: 'text', text: SUCCESS }],
    },
    'a numeric id': { role: 'tool', tool_call_id: 5, timestamp: NOW - HOUR, content: 'x' },
    'null tool_calls': { role: 'assistant', tool_calls: null },
    'tool_calls that are no array': { role: 'assistant', tool_calls: { 0: { id: 'x' } } },
    'odd entries in tool_calls': {
      role: 'assistant',
      tool_calls: [null, 3, 'x', {}, { id: null }, { id: 'odd', function: null }],
    },
    'a tool without an id': { role: 'tool', timestamp: NOW - HOUR, content: 'no id' },
    'an empty id': { role: 'tool', tool_call_id: '', timestamp: NOW - HOUR, content: 'empty id' },
  };
  for (const [what, message] of Object.entries(oddities)) {
    it(`${what} is left as it is by every function`, () => {
      const messages = /** @type {Odd[]} */ ([...oldTerminalResult('odd'), message, ...fiveNewer()]);
      const api = [...messages];
      cleanOrphanedToolCalls(api);
      simplifyOutdatedTerminalResults(api, { now: NOW });
      simplifyHistoricalFileReads(api, { now: NOW });
      assert.equal(api[2], message);
      assert.equal(api[1].content, OUTDATED, 'and the result beside it is still simplified');
      assert.equal(prepareMessages(messages, { now: NOW }).messages[2], message);
    });
  }

  it('holes in the array are undefined slots', () => {
    const messages = /** @type {Odd[]} */ ([...oldTerminalResult('a'), ...fiveNewer()]);
    messages.length += 3;
    assert.equal(simplifyOutdatedTerminalResults(messages, { now: NOW }).changed, 1);
    assert.equal(messages.length, 10);
  });

  for (const timestamp of [
    Number.NaN,
    Number.POSITIVE_INFINITY,
    String(NOW - HOUR),
    null,
    undefined,
    new Date(NOW - HOUR),
  ]) {
    it(`R1.1 a timestamp of ${String(timestamp)} (${typeof timestamp}) makes no candidate`, () => {
      const [, message] = oldTerminalResult('odd', { timestamp });
      assert.equal(simplifiedContent(message), message);
    });
  }

  it('timestamps that run backwards are ordered by time, equal ones by place', () => {
    const messages = Array.from({ length: 8 }, (_, index) =>
      oldTerminalResult(`c${index}`, { timestamp: NOW - HOUR - Math.floor(index / 2) }),
    ).flat();
    simplifyOutdatedTerminalResults(messages, { now: NOW });
    const kept = messages.flatMap((message, index) =>
      message.role === 'tool' && message.content !== OUTDATED ? [(index - 1) / 2] : [],
    );
    // Newest first: 1 0 | 3 2 | 5 stay; 4 has 5's time and stands before it.
    assert.deepEqual(kept, [0, 1, 2, 3, 5]);
  });

  it('a message whose getter throws is left alone, every time', () => {
    const message = {
      role: 'tool',
      tool_call_id: 'odd',
      timestamp: NOW - HOUR,
      get content() {
        throw new Error('no');
      },
    };
    const [call] = oldTerminalResult('odd');
    const stored = /** @type {Odd[]} */ ([...oldTerminalResult('b'), call, message, ...fiveNewer()]);
    for (let turn = 0; turn < 3; turn++) {
      const api = [...stored];
      cleanOrphanedToolCalls(api);
      assert.equal(simplifyOutdatedTerminalResults(api, { now: NOW }).changed, 1);
      assert.equal(api[3], message);
      stored.push({ role: 'user', content: 'next' });
    }
  });

  it('a getter that throws from the second call on is left alone then', () => {
    let calls = 0;
    const message = {
      role: 'tool',
      tool_call_id: 'odd',
      timestamp: NOW - HOUR,
      get content() {
        if (calls++ > 0) throw new Error('no');
        return 'fine';
      },
    };
    const stored = /** @type {Odd[]} */ ([...oldTerminalResult('b'), message, ...fiveNewer()]);
    assert.equal(simplifyOutdatedTerminalResults([...stored], { now: NOW }).changed, 1);
    assert.equal(simplifyOutdatedTerminalResults([...stored], { now: NOW }).changed, 1);
  });

  it('a getter that calls back into the package neither breaks nor confuses it', () => {
    const stored = /** @type {Odd[]} */ ([...oldTerminalResult('a'), ...fiveNewer()]);
    stored.push({
      get role() {
        simplifyOutdatedTerminalResults([...stored.slice(0, -1)], { now: NOW });
        return 'user';
      },
    });
    for (let turn = 0; turn < 3; turn++) {
      const api = [...stored];
      assert.equal(simplifyOutdatedTerminalResults(api, { now: NOW }).changed, 1);
      assert.equal(api[1].content, OUTDATED);
    }
  });

  it('a proxy is simplified into a plain copy; one that refuses to be copied is left alone', () => {
    const [, target] = oldTerminalResult('odd');
    const open = new Proxy(/** @type {object} */ (target), {});
    assert.equal(simplifiedContent(open).content, OUTDATED);
    const closed = new Proxy(/** @type {object} */ (target), {
      ownKeys() {
        throw new Error('no');
      },
    });
    assert.equal(simplifiedContent(closed), closed);
    assert.equal(target?.content, SUCCESS);
  });

  it('what refuses to be copied takes nothing else down with it', () => {
    const [call, target] = oldTerminalResult('odd');
    const closed = new Proxy(/** @type {object} */ (target), {
      getPrototypeOf() {
        throw new Error('no');
      },
    });
    const messages = /** @type {Odd[]} */ ([
      ...oldTerminalResult('a'),
      call,
      closed,
      ...oldTerminalResult('b'),
      ...fiveNewer(),
    ]);
    const report = simplifyOutdatedTerminalResults(messages, { now: NOW });
    assert.deepEqual(report.indices, [1, 5]);
    assert.equal(messages[3], closed);
    const session = createSession({ orphans: false });
    const others = /** @type {Odd[]} */ ([...oldTerminalResult('c'), call, closed, ...fiveNewer()]);
    assert.deepEqual(session.prepare(others, { now: NOW }).report.indices, [1]);
  });
});

describe('R0.1 a changed message is a faithful shallow copy', () => {
  it('keeps prototype, symbols, accessors, hidden and unknown properties', () => {
    class ToolMessage {
      role = 'tool';
      tool_call_id = 'odd';
      timestamp = NOW - HOUR;
      content = SUCCESS;
      extra = { nested: true };
      get summary() {
        return `${this.role}:${this.content}`;
      }
    }
    const mark = Symbol('mark');
    const message = Object.assign(new ToolMessage(), { [mark]: 1 });
    Object.defineProperty(message, 'hidden', { value: 2, enumerable: false });
    Object.defineProperty(message, 'lazy', { get: () => 3, enumerable: true });
    const copy = simplifiedContent(message);
    assert.ok(copy instanceof ToolMessage);
    assert.notEqual(copy, message);
    assert.equal(copy.content, OUTDATED);
    assert.equal(copy.summary, `tool:${OUTDATED}`);
    assert.equal(copy[mark], 1);
    assert.equal(/** @type {Odd} */ (copy).hidden, 2);
    assert.equal(typeof Object.getOwnPropertyDescriptor(copy, 'lazy')?.get, 'function');
    assert.equal(copy.extra, message.extra);
    assert.equal(message.content, SUCCESS);
  });

  it('an own `__proto__` key, as JSON.parse makes it, comes along and changes no prototype', () => {
    const message = JSON.parse(
      `{"__proto__":{"polluted":true},"role":"tool","tool_call_id":"odd","timestamp":${NOW - HOUR},"content":"{\\"stdout\\":\\"\\"}"}`,
    );
    const copy = simplifiedContent(message);
    assert.equal(copy.content, OUTDATED);
    assert.equal(Object.getPrototypeOf(copy), Object.prototype);
    assert.deepEqual(Object.getOwnPropertyDescriptor(copy, '__proto__')?.value, { polluted: true });
    assert.equal(/** @type {Odd} */ ({}).polluted, undefined);
  });

  it('a message without a prototype stays without one', () => {
    const copy = simplifiedContent(Object.assign(Object.create(null), oldTerminalResult('odd')[1]));
    assert.equal(Object.getPrototypeOf(copy), null);
    assert.equal(copy.content, OUTDATED);
  });

  it('a field added to a stored message after its first simplification is in the next copy', () => {
    const stored = /** @type {Odd[]} */ ([...oldTerminalResult('a'), ...fiveNewer()]);
    simplifyOutdatedTerminalResults([...stored], { now: NOW });
    stored[1].note = 'later';
    const api = [...stored];
    simplifyOutdatedTerminalResults(api, { now: NOW });
    assert.equal(api[1].note, 'later');
    api[1].note = 'mine';
    const next = [...stored];
    simplifyOutdatedTerminalResults(next, { now: NOW });
    assert.equal(next[1].note, 'later', 'what a host writes on a copy stays on that copy');
  });
});

describe('R0.2 strings are JavaScript strings', () => {
  /** @param {string} args @param {Odd} [fields] */
  function reads(args, fields) {
    return Array.from({ length: 7 }, (_, index) => [
      { role: 'assistant', tool_calls: [{ id: `r${index}`, function: { name: 'filesystem-read', arguments: args } }] },
      { role: 'tool', tool_call_id: `r${index}`, content: `read ${index}`, timestamp: NOW + index, ...fields },
    ]).flat();
  }
  const replaced = (/** @type {Odd[]} */ messages) => {
    simplifyHistoricalFileReads(messages);
    return messages.filter(({ content }) => content === OLD_READ).length;
  };

  it('a path with a lone surrogate names a file', () => {
    assert.equal(replaced(reads(JSON.stringify({ filePath: 'a\ud800.ts' }))), 2);
    assert.equal(replaced(reads('{"filePath":"a\ud800.ts"}')), 2);
  });

  it('a path called __proto__ is a path, also in the report', () => {
    const report = simplifyHistoricalFileReads(reads(JSON.stringify({ filePath: '__proto__' })));
    assert.equal(Object.getOwnPropertyDescriptor(report.byRule.fileReads?.byPath, '__proto__')?.value.changed, 2);
  });

  for (const args of ['', '   ', '{', 'null', '7', '[]', '{"filePath":7}', '{"filePath":[[]]}', '{"filePath":"  "}']) {
    it(`R2.2 arguments ${JSON.stringify(args)} leave the read alone`, () => assert.equal(replaced(reads(args)), 0));
  }
  for (const args of [undefined, null, 7, { filePath: 'a' }, ['a'], () => 'a']) {
    it(`R2.2 arguments that are ${typeof args} leave the read alone`, () =>
      assert.equal(replaced(reads(/** @type {Odd} */ (args))), 0));
  }

  it('NUL, ANSI and two-byte contents pass through unharmed', () => {
    const content = `${'\u0000\u001b[31m你好😀\ud800'.repeat(1000)}`;
    const [call, message] = oldTerminalResult('a', { content, timestamp: NOW });
    const { messages } = prepareMessages([call, message], { now: NOW });
    assert.equal(messages[1], message);
    assert.equal(/** @type {Odd} */ (message).content.length, content.length);
  });

  it('a rope is read like a flat string', () => {
    let rope = '{"stdout":"';
    for (let index = 0; index < 5000; index++) rope += `line ${index} `;
    rope += '","stderr":"boom","exitCode":1}';
    assert.equal(simplifiedContent(oldTerminalResult('odd', { content: rope })[1]).content, rope);
    assert.equal(
      simplifiedContent(oldTerminalResult('odd', { content: rope.replace('boom', '').replace(':1}', ':0}') })[1])
        .content,
      OUTDATED,
    );
  });
});

describe('R0.3 size is no excuse', () => {
  it('50 MB of content are simplified, and kept where they say that the command failed', () => {
    const huge = 'x'.repeat(50_000_000);
    assert.equal(
      simplifiedContent(oldTerminalResult('odd', { content: `{"stdout":"${huge}","stderr":"","exitCode":0}` })[1])
        .content,
      OUTDATED,
    );
    const failed = `{"exitCode":3,"stdout":"${huge}"}`;
    assert.equal(simplifiedContent(oldTerminalResult('odd', { content: failed })[1]).content, failed);
  });

  it('JSON 100,000 levels deep is looked into', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const failed = `{"stderr":"x","stdout":${deep}}`;
    assert.equal(simplifiedContent(oldTerminalResult('odd', { content: failed })[1]).content, failed);
    assert.equal(
      simplifiedContent(oldTerminalResult('odd', { content: `{"stderr":"","stdout":${deep}}` })[1]).content,
      OUTDATED,
    );
    const args = `{"filePath":"a","deep":${deep}}`;
    const reads = Array.from({ length: 6 }, (_, index) => [
      { role: 'assistant', tool_calls: [{ id: `d${index}`, function: { name: 'filesystem-read', arguments: args } }] },
      { role: 'tool', tool_call_id: `d${index}`, content: 'x', timestamp: index },
    ]).flat();
    assert.equal(simplifyHistoricalFileReads(reads).changed, 1);
  });

  it('100,000 messages, also in reverse order of time, are one call', () => {
    for (const step of [1, -1]) {
      const messages = Array.from({ length: 50_000 }, (_, index) =>
        oldTerminalResult(`m${index}`, { timestamp: NOW - 2 * HOUR + step * index }),
      ).flat();
      assert.equal(simplifyOutdatedTerminalResults(messages, { now: NOW }).changed, 49_995);
    }
  });

  it('one call that names 20,000 files does not take quadratic time or room', () => {
    const filePath = Array.from({ length: 20_000 }, (_, index) => `src/${index}.ts`);
    const args = JSON.stringify({ filePath });
    const reads = Array.from({ length: 7 }, (_, index) => [
      { role: 'assistant', tool_calls: [{ id: `b${index}`, function: { name: 'filesystem-read', arguments: args } }] },
      { role: 'tool', tool_call_id: `b${index}`, content: 'x', timestamp: index },
    ]).flat();
    const report = simplifyHistoricalFileReads(reads);
    assert.equal(report.changed, 2);
    assert.equal(Object.keys(report.byRule.fileReads?.byPath ?? {}).length, 20_000);
  });
});

describe('what was remembered', () => {
  it('a result that was not worth watching until its call was declared is read as it is now', () => {
    const result = { role: 'tool', tool_call_id: 'late', content: 'first', timestamp: 1 };
    const stored = /** @type {Odd[]} */ ([result, { role: 'user', content: 'q' }]);
    const clean = () => {
      const api = [...stored];
      const report = simplifyHistoricalFileReads(api, { keepRecent: 0 });
      return { content: api[0].content, unitsRemoved: report.unitsRemoved };
    };
    assert.equal(clean().content, 'first');
    result.content = 'a text that was changed while nobody watched';
    stored.push({
      role: 'assistant',
      tool_calls: [{ id: 'late', function: { name: 'filesystem-read', arguments: '{"filePath":"a"}' } }],
    });
    assert.deepEqual(clean(), { content: OLD_READ, unitsRemoved: result.content.length - OLD_READ.length });
    result.content = 'Error: gone';
    assert.deepEqual(clean(), { content: 'Error: gone', unitsRemoved: 0 });
  });
});
