// @ts-check
/** Messages of unexpected types, with throwing getters or as proxies, and what a replaced message shares with its original. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ContextView,
  cleanOrphanedToolCalls,
  prepareMessages,
  simplifyHistoricalFileReads,
  simplifyOutdatedTerminalResults,
} from 'palimpsest';
import {
  ANSWER,
  fiveNewer,
  HOUR,
  IN_CHINESE,
  NOW,
  oldTerminalResult,
  READ_PLACEHOLDER,
  SUCCESS,
  simplifiedMessage,
  TERMINAL_PLACEHOLDER,
} from '../support/old-results.mjs';

/** @typedef {any} Untyped */

describe('R0.3 invalid messages are data', () => {
  const invalidMessages = {
    undefined,
    null: null,
    'a number': 7,
    'a string': 'tool',
    'an empty object': {},
    'an array': ['tool'],
    'a function': () => 'tool',
    'a symbol role': { role: Symbol('tool') },
    'null content': { role: 'tool', tool_call_id: 'other', timestamp: NOW - HOUR, content: null },
    'content with a part of an unknown type': {
      role: 'tool',
      tool_call_id: 'other',
      timestamp: NOW - HOUR,
      content: [{ type: 'text', text: SUCCESS }, { type: 'hologram' }],
    },
    'a numeric id': { role: 'tool', tool_call_id: 5, timestamp: NOW - HOUR, content: 'x' },
    'null tool_calls': { role: 'assistant', tool_calls: null },
    'tool_calls that are no array': { role: 'assistant', tool_calls: { 0: { id: 'x' } } },
    'invalid entries in tool_calls': {
      role: 'assistant',
      tool_calls: [null, 3, 'x', {}, { id: null }, { function: null }],
    },
    'a tool without an id': { role: 'tool', timestamp: NOW - HOUR, content: 'no id' },
    'an empty id': { role: 'tool', tool_call_id: '', timestamp: NOW - HOUR, content: 'empty id' },
  };
  for (const [what, message] of Object.entries(invalidMessages)) {
    it(`every function keeps ${what} and processes the other messages`, () => {
      const [call, result] = /** @type {Untyped[]} */ (oldTerminalResult('tested'));
      // A second result for one call would be removed as a duplicate.
      const isOther = /** @type {any} */ (message)?.tool_call_id === 'other';
      const calls = isOther ? [...call.tool_calls, { ...call.tool_calls[0], id: 'other' }] : call.tool_calls;
      const messages = /** @type {Untyped[]} */ ([{ ...call, tool_calls: calls }, result, message, ...fiveNewer()]);
      const api = [...messages];
      cleanOrphanedToolCalls(api);
      simplifyOutdatedTerminalResults(api, { now: NOW });
      simplifyHistoricalFileReads(api, { now: NOW });
      assert.equal(api[2], message);
      assert.equal(api[1].content, TERMINAL_PLACEHOLDER, 'the result before it is replaced');
      assert.equal(prepareMessages(messages, { now: NOW }).messages[2], message);
    });
  }

  it('R11.2 a result that is a list of texts is replaced like a text, and keeps its cache_control', () => {
    const breakpoint = { type: 'ephemeral' };
    for (const [part, content] of /** @type {[object, unknown][]} */ ([
      [{}, TERMINAL_PLACEHOLDER],
      [{ cache_control: breakpoint }, [{ type: 'text', text: TERMINAL_PLACEHOLDER, cache_control: breakpoint }]],
    ])) {
      const [call, result] = oldTerminalResult('list');
      const list = { ...result, content: [{ type: 'text', text: SUCCESS, ...part }] };
      const messages = /** @type {Untyped[]} */ ([call, list, ...fiveNewer(), ANSWER]);
      const api = [...messages];
      simplifyOutdatedTerminalResults(api, { now: NOW });
      assert.deepEqual(api[1], { ...list, content });
      assert.deepEqual(prepareMessages(messages, IN_CHINESE).messages[1], { ...list, content });
      const failed = { ...result, content: [{ type: 'text', text: '{"stdout":"","stderr":"no","exitCode":1}' }] };
      assert.equal(prepareMessages([call, failed, ...fiveNewer(), ANSWER], { now: NOW }).messages[1], failed);
    }
  });

  it('holes in the array are skipped and stay', () => {
    const messages = /** @type {Untyped[]} */ ([...oldTerminalResult('a'), ...fiveNewer()]);
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
    new Date(Number.NaN),
    'an hour ago',
    { seconds: 1 },
  ]) {
    it(`R1.1 a result with the timestamp ${String(timestamp)} (${typeof timestamp}) is kept`, () => {
      const [, message] = oldTerminalResult('tested', { timestamp });
      assert.equal(simplifiedMessage(message), message);
    });
  }

  it('R1.2 results are ordered by time, and those of the same time by index', () => {
    const messages = Array.from({ length: 8 }, (_, index) =>
      oldTerminalResult(`c${index}`, { timestamp: NOW - HOUR - Math.floor(index / 2) }),
    ).flat();
    simplifyOutdatedTerminalResults(messages, { now: NOW });
    const kept = messages.flatMap((message, index) =>
      message.role === 'tool' && message.content !== TERMINAL_PLACEHOLDER ? [(index - 1) / 2] : [],
    );
    // Newest first: 1, 0, 3, 2 and 5 are kept. 4 has the time of 5 and a lower index.
    assert.deepEqual(kept, [0, 1, 2, 3, 5]);
  });

  it('a message whose getter throws is kept in each of several calls', () => {
    const message = {
      role: 'tool',
      tool_call_id: 'tested',
      timestamp: NOW - HOUR,
      get content() {
        throw new Error('no');
      },
    };
    const [call] = oldTerminalResult('tested');
    const stored = /** @type {Untyped[]} */ ([...oldTerminalResult('b'), call, message, ...fiveNewer()]);
    for (let turn = 0; turn < 3; turn++) {
      const api = [...stored];
      cleanOrphanedToolCalls(api);
      assert.equal(simplifyOutdatedTerminalResults(api, { now: NOW }).changed, 1);
      assert.equal(api[3], message);
      stored.push({ role: 'user', content: 'next' });
    }
  });

  it('a message whose getter throws from its second read on is kept, and other results are replaced', () => {
    let calls = 0;
    const message = {
      role: 'tool',
      tool_call_id: 'tested',
      timestamp: NOW - HOUR,
      get content() {
        if (calls++ > 0) throw new Error('no');
        return 'fine';
      },
    };
    const stored = /** @type {Untyped[]} */ ([...oldTerminalResult('b'), message, ...fiveNewer()]);
    assert.equal(simplifyOutdatedTerminalResults([...stored], { now: NOW }).changed, 1);
    assert.equal(simplifyOutdatedTerminalResults([...stored], { now: NOW }).changed, 1);
  });

  it('a getter that calls a cleanup function does not change the result of the outer call', () => {
    const stored = /** @type {Untyped[]} */ ([...oldTerminalResult('a'), ...fiveNewer()]);
    stored.push({
      get role() {
        simplifyOutdatedTerminalResults([...stored.slice(0, -1)], { now: NOW });
        return 'user';
      },
    });
    for (let turn = 0; turn < 3; turn++) {
      const api = [...stored];
      assert.equal(simplifyOutdatedTerminalResults(api, { now: NOW }).changed, 1);
      assert.equal(api[1].content, TERMINAL_PLACEHOLDER);
    }
  });

  it('a result in a proxy is replaced by a plain copy, and kept if the proxy can’t be copied', () => {
    const [, target] = oldTerminalResult('tested');
    const open = new Proxy(/** @type {object} */ (target), {});
    assert.equal(simplifiedMessage(open).content, TERMINAL_PLACEHOLDER);
    const closed = new Proxy(/** @type {object} */ (target), {
      ownKeys() {
        throw new Error('no');
      },
    });
    assert.equal(simplifiedMessage(closed), closed);
    assert.equal(target?.content, SUCCESS);
  });

  it('other results are replaced if a proxy among them can’t be copied', () => {
    const [call, target] = oldTerminalResult('tested');
    const closed = new Proxy(/** @type {object} */ (target), {
      getPrototypeOf() {
        throw new Error('no');
      },
    });
    const messages = /** @type {Untyped[]} */ ([
      ...oldTerminalResult('a'),
      call,
      closed,
      ...oldTerminalResult('b'),
      ...fiveNewer(),
    ]);
    const report = simplifyOutdatedTerminalResults(messages, { now: NOW });
    assert.deepEqual(report.indices, [1, 5]);
    assert.equal(messages[3], closed);
    const view = new ContextView({ orphans: false, price: 'none', outdatedBy: 'age' });
    const others = /** @type {Untyped[]} */ ([...oldTerminalResult('c'), call, closed, ...fiveNewer()]);
    assert.deepEqual(view.project(others, { now: NOW }).report.indices, [1]);
  });
});

describe('R0.1 a changed message is a shallow copy', () => {
  it('with the original’s prototype, symbol keys, accessors, non-enumerable and unknown properties', () => {
    class ToolMessage {
      role = 'tool';
      tool_call_id = 'tested';
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
    const copy = simplifiedMessage(message);
    assert.ok(copy instanceof ToolMessage);
    assert.notEqual(copy, message);
    assert.equal(copy.content, TERMINAL_PLACEHOLDER);
    assert.equal(copy.summary, `tool:${TERMINAL_PLACEHOLDER}`);
    assert.equal(copy[mark], 1);
    assert.equal(/** @type {Untyped} */ (copy).hidden, 2);
    assert.equal(typeof Object.getOwnPropertyDescriptor(copy, 'lazy')?.get, 'function');
    assert.equal(copy.extra, message.extra);
    assert.equal(message.content, SUCCESS);
  });

  it('with an own `__proto__` key, as JSON.parse makes it, which changes no prototype', () => {
    const message = JSON.parse(
      `{"__proto__":{"polluted":true},"role":"tool","tool_call_id":"tested","timestamp":${NOW - HOUR},"content":"{\\"stdout\\":\\"\\"}"}`,
    );
    const copy = simplifiedMessage(message);
    assert.equal(copy.content, TERMINAL_PLACEHOLDER);
    assert.equal(Object.getPrototypeOf(copy), Object.prototype);
    assert.deepEqual(Object.getOwnPropertyDescriptor(copy, '__proto__')?.value, { polluted: true });
    assert.equal(/** @type {Untyped} */ ({}).polluted, undefined);
  });

  it('without a prototype if the original has none', () => {
    const copy = simplifiedMessage(Object.assign(Object.create(null), oldTerminalResult('tested')[1]));
    assert.equal(Object.getPrototypeOf(copy), null);
    assert.equal(copy.content, TERMINAL_PLACEHOLDER);
  });

  it('with fields added to the original after an earlier copy, and without those added to that copy', () => {
    const stored = /** @type {Untyped[]} */ ([...oldTerminalResult('a'), ...fiveNewer()]);
    simplifyOutdatedTerminalResults([...stored], { now: NOW });
    stored[1].note = 'later';
    const api = [...stored];
    simplifyOutdatedTerminalResults(api, { now: NOW });
    assert.equal(api[1].note, 'later');
    api[1].note = 'mine';
    const next = [...stored];
    simplifyOutdatedTerminalResults(next, { now: NOW });
    assert.equal(next[1].note, 'later', 'a field written to a copy is not in the next copy');
  });
});

it('R0.4 a result whose call is declared later is read with its current content', () => {
  const result = { role: 'tool', tool_call_id: 'late', content: 'first', timestamp: 1 };
  const stored = /** @type {Untyped[]} */ ([result, { role: 'user', content: 'q' }]);
  const clean = () => {
    const api = [...stored];
    const report = simplifyHistoricalFileReads(api, { keepRecent: 0 });
    return { content: api[0].content, unitsRemoved: report.unitsRemoved };
  };
  assert.equal(clean().content, 'first');
  result.content = 'a text that was changed before its call was declared';
  stored.push({
    role: 'assistant',
    tool_calls: [{ id: 'late', function: { name: 'filesystem-read', arguments: '{"filePath":"a"}' } }],
  });
  assert.deepEqual(clean(), {
    content: READ_PLACEHOLDER,
    unitsRemoved: result.content.length - READ_PLACEHOLDER.length,
  });
  result.content = 'Error: gone';
  assert.deepEqual(clean(), { content: 'Error: gone', unitsRemoved: 0 });
});

it('R10.13 export() of a conversation with a cyclic message takes linear time, and that request has no mark', () => {
  /** @type {Untyped} */
  const part = { type: 'text', text: 'x' };
  for (const key of 'abcdef') part[key] = part;
  const messages = /** @type {Untyped[]} */ ([
    { role: 'user', content: 'hello' },
    { role: 'user', content: [part, part] },
  ]);
  const view = new ContextView({ price: 'openai' });
  const began = process.cpuUsage();
  view.project(messages.slice(0, 1), { now: NOW });
  view.project(messages, { now: NOW });
  const [first, second] = /** @type {Untyped[]} */ (view.export());
  const { user, system } = process.cpuUsage(began);
  assert.ok(user + system < 5e6, `${user + system} µs of a core`);
  assert.equal(typeof first?.mark, 'number');
  assert.equal(second?.mark, null);
});
