// @ts-check
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import {
  AutoCompressionManager,
  cleanOrphanedToolCalls,
  prepareMessages,
  setLogger,
  stripForApi,
  TokenCounter,
} from 'palimpsest';
import { testEachSession } from '../support/corpus.mjs';
import { anthropic, foreignForms, openAiChat } from '../support/message-forms.mjs';

/** @typedef {any} Untyped */
const STEPS = 20;
const real = new TokenCounter().countMessages(openAiChat(STEPS));
const forms = Object.entries(foreignForms(STEPS));
/** What is known by name and not read: UI messages of the AI SDK. */
const UNREAD = 'ui';
const LOOKS_LIKE = 'ai-sdk';
const unread = forms.filter(([form]) => form === UNREAD);

/** A logger that keeps what it is told. */
function listener() {
  /** @type {{ level: string, fields: Untyped, message: string }[]} */
  const heard = [];
  const on = (/** @type {string} */ level) => (/** @type {string} */ message, /** @type {Untyped} */ fields) =>
    void heard.push({ level, fields, message });
  return { heard, warn: on('warn'), error: on('error') };
}

describe('R11.1 what is not recognised is left alone and said', () => {
  afterEach(() => setLogger(null));

  for (const [form, { messages, unrecognised }] of unread) {
    it(`${form}: the report counts it`, () => {
      const { messages: sent, report } = prepareMessages(messages);
      assert.deepEqual(report.unrecognisedForms, { [LOOKS_LIKE]: unrecognised });
      assert.equal(report.unrecognised, unrecognised);
      assert.ok(sent.every((message, index) => message === messages[index]));
      assert.equal(cleanOrphanedToolCalls([...messages]).unrecognised, unrecognised);
      // As it grows, and as a copy: from a file, say.
      assert.equal(prepareMessages(messages.slice(0, 4)).report.unrecognised, 2);
      assert.equal(prepareMessages(structuredClone(messages)).report.unrecognised, unrecognised);
    });
  }

  it('what is read in another dialect is none of it', () => {
    const read = { ...foreignForms(STEPS), anthropic: { messages: anthropic(STEPS) } };
    for (const [form, { messages }] of Object.entries(read)) {
      if (form === UNREAD) continue;
      const counter = new TokenCounter();
      counter.countMessages(messages);
      assert.deepEqual([prepareMessages(messages).report.unrecognised, counter.unrecognised], [0, 0], form);
    }
  });

  it('LangChain’s messages of unknown kinds, and what is no message at all', () => {
    const odd = /** @type {Untyped[]} */ ([
      { type: 'remove', content: 'hello', data: {} },
      { type: 'human', data: { content: 7 } },
      'text',
      7,
      {},
      { role: 'critic', content: '' },
    ]);
    assert.deepEqual(prepareMessages(odd).report.unrecognisedForms, { langchain: 2, other: 4 });
  });

  it('chat messages are none of them, whatever their content and fields', () => {
    const chat = /** @type {Untyped[]} */ ([
      ...openAiChat(3),
      undefined,
      null,
      { role: 'developer', content: 'rules' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
        ],
      },
      { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }] },
      { role: 'user', content: [] },
      { role: 'assistant', content: null, refusal: 'no' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'x' },
          { type: 'text', text: 'a' },
        ],
      },
      { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'AAAA' }] },
      { role: 'assistant', content: 'x', parts: [{ type: 'text', text: 'x' }] },
      { role: 'tool', tool_call_id: 'call_0', content: [{ type: 'text', text: 'a' }] },
      { role: 'function', name: 'old', content: 'a' },
    ]);
    const { report } = prepareMessages(chat);
    assert.deepEqual([report.unrecognised, report.unrecognisedForms], [0, {}]);
    const counter = new TokenCounter();
    counter.countMessages(chat);
    assert.equal(counter.unrecognised, 0);
  });

  testEachSession('a recorded session of chat messages has none', ({ messages }) => {
    assert.equal(prepareMessages(messages).report.unrecognised, 0);
    const counter = new TokenCounter();
    counter.countMessages(messages);
    assert.equal(counter.unrecognised, 0);
  });

  it('a getter that throws, and a proxy, are counted and left alone', () => {
    const odd = /** @type {Untyped[]} */ ([
      new Proxy({}, { get: () => assert.fail('read') }),
      {
        role: 'user',
        get content() {
          throw new Error('no');
        },
      },
      ...openAiChat(1),
    ]);
    for (let round = 0; round < 2; round++) {
      const { messages, report } = prepareMessages(odd);
      assert.equal(report.unrecognised, 2);
      assert.ok(messages.every((message, index) => message === odd[index]));
      assert.ok(new TokenCounter().countMessages(odd) > 0);
    }
  });

  it('the log is told once per form, with figures and names, never with content', () => {
    const logger = listener();
    setLogger(logger);
    const { messages } = foreignForms(STEPS).ui;
    for (let end = 4; end < messages.length; end += 2) {
      prepareMessages(messages.slice(0, end));
      prepareMessages(structuredClone(messages.slice(0, end)));
      new TokenCounter().countMessages(messages.slice(0, end));
    }
    assert.deepEqual(
      logger.heard.map(({ level, fields }) => [level, fields]),
      [
        ['warn', { event: 'unrecognised', messages: 2, total: 4, forms: LOOKS_LIKE }],
        ['warn', { event: 'unrecognised', messages: 2, total: 4, forms: LOOKS_LIKE }],
      ],
    );
    assert.match(logger.heard[0]?.message ?? '', /unknown form: left unchanged/);
    assert.match(logger.heard[1]?.message ?? '', /counted as JSON text/);
  });

  it('of another request format only our own fields are stripped', () => {
    const message = {
      role: 'assistant',
      parts: [{ type: 'tool-f', toolCallId: 'a', state: 'input-available', input: {} }],
      anything: 1,
      isCompressed: true,
    };
    const { isCompressed: _, ...sent } = message;
    assert.deepEqual(stripForApi([message]), [sent]);
  });
});

describe('R6.2 what can’t be read is counted as text, not as nothing', () => {
  for (const [form, { messages, unrecognised }] of forms) {
    it(`${form}: between all of what it says and a ${form === UNREAD ? 'third' : 'hundredth'} more`, () => {
      const counter = new TokenCounter();
      const tokens = counter.countMessages(messages);
      assert.ok(tokens >= real && tokens <= real * (form === UNREAD ? 1.35 : 1.01), `${tokens} of ${real}`);
      const expected = form === UNREAD ? unrecognised : 0;
      assert.deepEqual(counter.unrecognisedForms, expected === 0 ? {} : { [LOOKS_LIKE]: expected });
      assert.equal(counter.countMessages(messages), tokens, 'again');
      counter.countMessages(openAiChat(1));
      assert.equal(counter.unrecognised, 0, 'it is of the last count');
    });
  }

  it('Anthropic’s blocks are read', () => {
    const counter = new TokenCounter();
    const tokens = counter.countMessages(anthropic(STEPS));
    assert.ok(Math.abs(tokens - real) < real * 0.1);
    assert.equal(counter.unrecognised, 0);
  });

  it('UI messages of the AI SDK, with the text once and the results counted', () => {
    const output = 'the port is 8443 '.repeat(100);
    const part = { type: 'tool-grep', toolCallId: 'a', state: 'output-available', input: { pattern: 'x' }, output };
    const count = (/** @type {Untyped} */ message) => new TokenCounter().countMessage(message);
    const text = 'I looked for the port. '.repeat(50);
    const textTokens = count({ role: 'assistant', content: text });
    const outputTokens = count({ role: 'assistant', content: output });
    const v5 = count({ id: 'm', role: 'assistant', parts: [{ type: 'text', text }, part] });
    const v4 = count({ id: 'm', role: 'assistant', content: text, parts: [{ type: 'text', text }, part] });
    for (const tokens of [v4, v5]) {
      assert.ok(tokens > textTokens + outputTokens - 10 && tokens < (textTokens + outputTokens) * 1.3, `${tokens}`);
    }
  });

  it('base64, bytes, signatures and what SDKs note for themselves are left out', () => {
    const count = (/** @type {Untyped} */ part) =>
      new TokenCounter().countMessage({ role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', ...part }] });
    const none = count({});
    const base64 = Buffer.from(Array.from({ length: 60_000 }, (_, at) => (at * 7919) % 251)).toString('base64');
    for (const part of [
      { output: { type: 'content', value: [{ type: 'media', mediaType: 'image/png', data: base64 }] } },
      { output: { type: 'content', value: [{ type: 'image', image: `data:image/png;base64,${base64}` }] } },
    ]) {
      const tokens = count(part) - none;
      assert.ok(tokens > 80 && tokens < 1000, `an image counts as one: ${tokens}`);
    }
    for (const part of [
      { output: { data: Buffer.from(base64, 'base64') } },
      { output: { data: new Uint8Array(50_000) } },
      { providerOptions: { anthropic: { note: 'word '.repeat(5000) } } },
    ]) {
      assert.ok(count(part) < none + 60, `${count(part)}`);
    }
    assert.ok(count({ output: 'a'.repeat(100_000) }) > 10_000, 'one letter is no base64');
    assert.ok(count({ output: 'word '.repeat(5000) }) > none + 5000);
  });

  it('cyclic, deep and hostile values don’t hang or throw', () => {
    const cyclic = /** @type {Untyped} */ ({ text: 'seen '.repeat(100) });
    cyclic.self = cyclic;
    let deep = /** @type {Untyped} */ ({ text: 'bottom' });
    for (let level = 0; level < 100_000; level++) deep = { deep };
    for (const value of [
      cyclic,
      deep,
      {
        get x() {
          throw new Error('no');
        },
      },
      { big: 1n },
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('no');
          },
        },
      ),
    ]) {
      const counter = new TokenCounter();
      assert.ok(counter.countMessage({ role: 'tool', content: [{ type: 'tool-result', value }] }) > 0);
    }
  });

  it('what changes in place is counted anew', () => {
    const message = /** @type {Untyped} */ ({
      role: 'tool',
      content: [{ type: 'tool-result', output: { value: 'short' } }],
    });
    const counter = new TokenCounter();
    const before = counter.countMessages([message]);
    message.content[0].output.value = 'long '.repeat(500);
    assert.ok(counter.countMessages([message]) > before + 400);
  });
});

describe('R7.3 the manager’s window is no 1 % of what is sent', () => {
  for (const [form, { messages }] of forms) {
    it(`${form}: it is found full, and its log is told once`, async () => {
      const logger = listener();
      const config = { maxContextTokens: Math.round(real / 2), autoCompressionEnabled: true };
      const manager = new AutoCompressionManager(config, async () => '', logger);
      /** @type {string[]} */
      const seen = [];
      manager.onEvent(({ type }) => seen.push(type));
      const history = /** @type {Untyped[]} */ ([...messages]);
      await manager.process(history);
      await manager.process([...messages]);
      assert.ok(seen.includes('triggered'));
      const said = logger.heard.filter(({ fields }) => fields.event === 'unrecognised');
      assert.deepEqual(
        said.map(({ level, fields }) => [level, fields.forms]),
        form === UNREAD ? [['warn', LOOKS_LIKE]] : [],
      );
      assert.ok(!JSON.stringify(logger.heard).includes('8443'), 'no content');
    });
  }
});
