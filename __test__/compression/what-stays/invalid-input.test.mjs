// @ts-check
/** Invalid arguments, arrays and messages: `process` never rejects. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  expandHistory,
  FULL,
  failingModel,
  hostileProxy,
  managerWith,
  NOW,
  OVER,
  processed,
  scripted,
  session,
  stripForApi,
  summary,
  summaryIn,
} from '../../support/compression.mjs';

const throwing = (/** @type {string} */ field) =>
  Object.defineProperty({ role: 'user', content: 'invalid' }, field, {
    enumerable: true,
    get() {
      throw new Error('a getter throws');
    },
  });

/** @type {[string, () => any][]} */
const INVALID_MESSAGES = [
  ['undefined', () => undefined],
  ['null', () => null],
  ['a number', () => 7],
  ['a string', () => 'hello'],
  ['a symbol', () => Symbol('message')],
  ['a function', () => () => {}],
  ['an empty object', () => ({})],
  ['null content', () => ({ role: 'assistant', content: null })],
  ['a throwing role', () => throwing('role')],
  ['a throwing content', () => throwing('content')],
  ['throwing calls', () => throwing('tool_calls')],
  ['a throwing usage', () => throwing('usage')],
  ['a throwing compression', () => throwing('compression')],
  ['a throwing isCompressed', () => throwing('isCompressed')],
  ['a proxy that throws', hostileProxy],
  [
    'a revoked proxy',
    () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    },
  ],
  ['a frozen message', () => Object.freeze({ role: 'user', content: 'frozen', tokens: 3 })],
  [
    'a message that contains itself',
    () => {
      /** @type {any} */
      const message = { role: 'user', content: 'self' };
      message.self = message;
      message.content = [{ type: 'text', text: 'x', message }];
      return message;
    },
  ],
  [
    'a cyclic tool input',
    () => {
      /** @type {any} */
      const input = {};
      input.input = input;
      return { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'x', input }] };
    },
  ],
  [
    'a big integer in a tool input',
    () => ({
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'b', name: 'x', input: { n: 1n } }],
    }),
  ],
  ['invalid calls', () => ({ role: 'assistant', content: '', tool_calls: [null, 7, {}, { function: 3 }] })],
  ['a lone surrogate', () => ({ role: 'user', content: '\ud800 and \udc00' })],
  ['a string as record', () => ({ role: 'user', content: 'x', isCompressed: true, compression: 'x' })],
  ['an empty record', () => ({ role: 'user', content: 'x', isCompressed: true, compression: {} })],
];

describe('R7.1 arguments and arrays', () => {
  it('R7.1 for a value that is no array, or an object whose messages throw, process resolves and logs one error', async () => {
    const holders = [throwing('messages'), hostileProxy()];
    for (const messages of [undefined, null, 7, 'x', {}, { length: 3 }, new Set(), () => {}, ...holders]) {
      const { manager, log } = managerWith();
      assert.equal(await manager.process(/** @type {any} */ (messages)), undefined);
      assert.deepEqual(
        log.entries.map((/** @type {any} */ { level }) => level),
        ['error'],
      );
    }
  });

  it('R7.1 for wrong options process logs an error, calls no model and changes nothing', async () => {
    for (const options of [7, 'x', { signal: 7 }, { now: 'x' }, { now: Number.NaN }]) {
      const messages = session();
      const { manager, log, calls } = managerWith();
      await manager.process(messages, /** @type {any} */ (options));
      assert.equal(log.entries[0].level, 'error');
      assert.equal(calls.length, 0);
      assert.deepEqual(messages, session());
    }
  });

  it('R7.1 for a frozen or sealed array process logs an error and calls no model', async () => {
    for (const lock of [Object.freeze, Object.seal]) {
      const { messages, before, calls, log } = await processed(lock(session()));
      assert.equal(calls.length, 0);
      assert.deepEqual(messages, before);
      assert.equal(log.entries[0].level, 'error');
    }
  });

  it('R7.1 if the array is frozen during the request, the summary is not applied', async () => {
    const messages = session();
    const model = scripted(() => {
      Object.freeze(messages);
      return summary();
    });
    const { log } = await processed(messages, { model });
    assert.deepEqual(messages, session());
    assert.ok(log.entries.some((/** @type {any} */ { fields }) => ['failed', 'discarded'].includes(fields.event)));
  });

  it('R7.1 for an empty array and one of system messages process calls no model', async () => {
    for (const messages of [[], [{ role: 'system', content: 'x'.repeat(10) }]]) {
      const { calls, before } = await processed(messages);
      assert.equal(calls.length, 0);
      assert.deepEqual(messages, before);
    }
  });

  it('R7.1 instances of subclasses of Array and arrays with holes are compressed', async () => {
    class History extends Array {}
    const history = History.from(session());
    await processed(history);
    assert.ok(history instanceof History && summaryIn([...history]));
    const holed = session();
    delete holed[7];
    await managerWith().manager.process(holed, { now: NOW });
    assert.ok(summaryIn([...holed]));
  });
});

describe('R7.1 invalid messages', () => {
  for (const [name, make] of INVALID_MESSAGES) {
    it(`R7.1 ${name} as a message doesn't prevent compression, and expandHistory returns it`, async () => {
      const messages = [...session(FULL / 2), make(), ...session(FULL * 0.6, { from: 300 }).slice(2)];
      const original = [...messages];
      const { manager } = managerWith();
      await manager.process(messages, { now: NOW });
      assert.ok(
        messages.some((message) => /^cmp_/.test(safeId(message))),
        'not compressed',
      );
      if (name === 'an empty record') return;
      const expanded = expandHistory(messages);
      assert.equal(expanded.length, original.length);
      assert.ok(original.every((message, index) => message === expanded[index]));
    });

    it(`R7.1 ${name} as the last message doesn't prevent a cut, and stripForApi doesn't throw`, async () => {
      const messages = [...session(OVER), make()];
      const count = messages.length;
      const { manager } = managerWith({ model: failingModel() });
      await manager.process(messages, { now: NOW });
      assert.ok(messages.length < count);
      assert.doesNotThrow(() => stripForApi(messages));
    });
  }

  /** @param {any} message */
  function safeId(message) {
    try {
      return message?.compression?.id ?? '';
    } catch {
      return '';
    }
  }
});

it('R7.8 stripForApi keeps the holes of an array', () => {
  const holed = [
    { role: 'user', content: 'x', timestamp: 1 },
    { role: 'assistant', content: 'y' },
  ];
  holed.length = 4;
  holed[3] = { role: 'user', content: 'z' };
  const sent = stripForApi(holed);
  assert.equal(sent.length, 4);
  assert.equal(2 in sent, false);
  assert.deepEqual(sent[0], { role: 'user', content: 'x' });
});
