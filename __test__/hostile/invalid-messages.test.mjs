// @ts-check
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
  OLD_READ,
  OUTDATED,
  oldTerminalResult,
  SUCCESS,
  simplifiedContent,
} from '../support/old-results.mjs';

/** @typedef {any} Odd */

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
    'null content': { role: 'tool', tool_call_id: 'other', timestamp: NOW - HOUR, content: null },
    'content with a part that nobody knows': {
      role: 'tool',
      tool_call_id: 'other',
      timestamp: NOW - HOUR,
      content: [{ type: 'text', text: SUCCESS }, { type: 'hologram' }],
    },
    'a numeric id': { role: 'tool', tool_call_id: 5, timestamp: NOW - HOUR, content: 'x' },
    'null tool_calls': { role: 'assistant', tool_calls: null },
    'tool_calls that are no array': { role: 'assistant', tool_calls: { 0: { id: 'x' } } },
    'odd entries in tool_calls': {
      role: 'assistant',
      tool_calls: [null, 3, 'x', {}, { id: null }, { function: null }],
    },
    'a tool without an id': { role: 'tool', timestamp: NOW - HOUR, content: 'no id' },
    'an empty id': { role: 'tool', tool_call_id: '', timestamp: NOW - HOUR, content: 'empty id' },
  };
  for (const [what, message] of Object.entries(oddities)) {
    it(`${what} is left as it is by every function`, () => {
      const [call, result] = /** @type {Odd[]} */ (oldTerminalResult('odd'));
      // A second result for one call would be removed as a duplicate.
      const isOther = /** @type {any} */ (message)?.tool_call_id === 'other';
      const calls = isOther ? [...call.tool_calls, { ...call.tool_calls[0], id: 'other' }] : call.tool_calls;
      const messages = /** @type {Odd[]} */ ([{ ...call, tool_calls: calls }, result, message, ...fiveNewer()]);
      const api = [...messages];
      cleanOrphanedToolCalls(api);
      simplifyOutdatedTerminalResults(api, { now: NOW });
      simplifyHistoricalFileReads(api, { now: NOW });
      assert.equal(api[2], message);
      assert.equal(api[1].content, OUTDATED, 'and the result beside it is still simplified');
      assert.equal(prepareMessages(messages, { now: NOW }).messages[2], message);
    });
  }

  it('R11.2 a result that is a list of texts goes like a text, and keeps the mark up to which a provider caches', () => {
    const mark = { type: 'ephemeral' };
    for (const [part, content] of /** @type {[object, unknown][]} */ ([
      [{}, OUTDATED],
      [{ cache_control: mark }, [{ type: 'text', text: OUTDATED, cache_control: mark }]],
    ])) {
      const [call, result] = oldTerminalResult('list');
      const list = { ...result, content: [{ type: 'text', text: SUCCESS, ...part }] };
      const messages = /** @type {Odd[]} */ ([call, list, ...fiveNewer(), ANSWER]);
      const api = [...messages];
      simplifyOutdatedTerminalResults(api, { now: NOW });
      assert.deepEqual(api[1], { ...list, content });
      assert.deepEqual(prepareMessages(messages, IN_CHINESE).messages[1], { ...list, content });
      const failed = { ...result, content: [{ type: 'text', text: '{"stdout":"","stderr":"no","exitCode":1}' }] };
      assert.equal(prepareMessages([call, failed, ...fiveNewer(), ANSWER], { now: NOW }).messages[1], failed);
    }
  });

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
    new Date(Number.NaN),
    'an hour ago',
    { seconds: 1 },
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
    const view = new ContextView({ orphans: false, price: 'none', outdatedBy: 'age' });
    const others = /** @type {Odd[]} */ ([...oldTerminalResult('c'), call, closed, ...fiveNewer()]);
    assert.deepEqual(view.project(others, { now: NOW }).report.indices, [1]);
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

it('R10.7 a message that holds itself many times over is a fact at once, and known to be none of JSON', () => {
  /** @type {Odd} */
  const part = { type: 'text', text: 'x' };
  for (const key of 'abcdef') part[key] = part;
  const messages = /** @type {Odd[]} */ ([
    { role: 'user', content: 'hello' },
    { role: 'user', content: [part, part] },
  ]);
  const view = new ContextView({ price: 'openai' });
  const began = process.cpuUsage();
  view.project(messages.slice(0, 1), { now: NOW });
  view.project(messages, { now: NOW });
  const [first, second] = /** @type {Odd[]} */ (view.export());
  const { user, system } = process.cpuUsage(began);
  assert.ok(user + system < 5e6, `${user + system} µs of a core`);
  assert.equal(typeof first?.mark, 'number');
  assert.equal(second?.mark, null);
});
