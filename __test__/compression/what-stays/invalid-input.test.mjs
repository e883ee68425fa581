// @ts-check
/** Arrays and messages that are odd: `process` never rejects, and the array stays as it was. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  expandHistory,
  FULL,
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
  Object.defineProperty({ role: 'user', content: 'odd' }, field, {
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
  ['a text', () => 'hello'],
  ['a symbol', () => Symbol('message')],
  ['a function', () => () => {}],
  ['an empty object', () => ({})],
  ['null content', () => ({ role: 'assistant', content: null })],
  ['a throwing role', () => throwing('role')],
  ['a throwing content', () => throwing('content')],
  ['throwing calls', () => throwing('tool_calls')],
  ['a throwing usage', () => throwing('usage')],
  ['a throwing compression', () => throwing('compression')],
  ['a throwing mark', () => throwing('isCompressed')],
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
    'a message that holds itself',
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
  ['calls that are none', () => ({ role: 'assistant', content: '', tool_calls: [null, 7, {}, { function: 3 }] })],
  ['a lone surrogate', () => ({ role: 'user', content: '\ud800 and \udc00' })],
  ['a record that is none', () => ({ role: 'user', content: 'x', isCompressed: true, compression: 'x' })],
  ['a record without anything', () => ({ role: 'user', content: 'x', isCompressed: true, compression: {} })],
];

describe('R7.1 process never rejects: arguments', () => {
  it('R7.1 something else than an array is an error in the log and nothing else', async () => {
    for (const messages of [undefined, null, 7, 'x', {}, { length: 3 }, new Set(), () => {}]) {
      const { manager, log } = managerWith();
      assert.equal(await manager.process(/** @type {any} */ (messages)), undefined);
      assert.deepEqual(
        log.heard.map((/** @type {any} */ { level }) => level),
        ['error'],
      );
    }
  });

  it('R7.1 an object whose messages can’t be read is an error in the log and nothing else', async () => {
    for (const holder of [throwing('messages'), hostileProxy()]) {
      const { manager, log } = managerWith();
      assert.equal(await manager.process(/** @type {any} */ (holder)), undefined);
      assert.deepEqual(
        log.heard.map((/** @type {any} */ { level }) => level),
        ['error'],
      );
    }
  });

  it('R7.1 options that are wrong are an error in the log and change nothing', async () => {
    for (const options of [7, 'x', { signal: 7 }, { now: 'x' }, { now: Number.NaN }]) {
      const messages = session();
      const { manager, log, calls } = managerWith();
      await manager.process(messages, /** @type {any} */ (options));
      assert.equal(log.heard[0].level, 'error');
      assert.equal(calls.length, 0);
      assert.deepEqual(messages, session());
    }
  });

  it('R7.1 a frozen or sealed array is refused before a model is asked', async () => {
    for (const lock of [Object.freeze, Object.seal]) {
      const { messages, before, calls, log } = await processed(lock(session()));
      assert.equal(calls.length, 0);
      assert.deepEqual(messages, before);
      assert.equal(log.heard[0].level, 'error');
    }
  });

  it('R7.1 an array that is frozen while the model writes stays as it is', async () => {
    const messages = session();
    const model = scripted(() => {
      Object.freeze(messages);
      return summary();
    });
    const { log } = await processed(messages, { model });
    assert.deepEqual(messages, session());
    assert.ok(log.heard.some((/** @type {any} */ { fields }) => ['failed', 'discarded'].includes(fields.event)));
  });

  it('R7.1 an empty array and one of system messages are nothing to do', async () => {
    for (const messages of [[], [{ role: 'system', content: 'x'.repeat(10) }]]) {
      const { calls, before } = await processed(messages);
      assert.equal(calls.length, 0);
      assert.deepEqual(messages, before);
    }
  });

  it('R7.1 an array with a subclass or holes is taken as it is', async () => {
    class History extends Array {}
    const own = History.from(session());
    await processed(own);
    assert.ok(own instanceof History && summaryIn([...own]));
    const holed = session();
    delete holed[7];
    const made = managerWith();
    await made.manager.process(holed, { now: NOW });
    assert.ok(summaryIn([...holed]));
  });
});

describe('R7.1 process never rejects: odd messages', () => {
  for (const [name, make] of INVALID_MESSAGES) {
    it(`R7.1 ${name} in the middle neither stops compression nor is lost`, async () => {
      const odd = make();
      const messages = [...session(FULL / 2), odd, ...session(FULL * 0.6, { from: 300 }).slice(2)];
      const original = [...messages];
      const { manager } = managerWith();
      await manager.process(messages, { now: NOW });
      assert.ok(
        messages.some((message) => /^cmp_/.test(safeId(message))),
        'compressed',
      );
      if (name === 'a record without anything') return;
      const back = expandHistory(messages);
      assert.equal(back.length, original.length);
      assert.ok(original.every((message, index) => message === back[index]));
    });

    it(`R7.1 ${name} at the end stays, or is cut like any other message`, async () => {
      const messages = [...session(OVER), make()];
      const count = messages.length;
      const { manager } = managerWith({ model: scripted(new Error('away')) });
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

it('R7.8 stripForApi leaves the holes of an array where they are', () => {
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
