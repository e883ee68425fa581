// @ts-check
/** Messages of a form that isn't recognised: UI messages of the AI SDK, unknown kinds, proxies. */
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
const tokensInChat = new TokenCounter().countMessages(openAiChat(STEPS));
const forms = Object.entries(foreignForms(STEPS));
/** UI messages of the AI SDK: recognised by name, but not read. */
const UNREAD = 'ui';
/** Their name in reports. */
const UNREAD_NAME = 'ai-sdk';

/** A logger that keeps its entries. */
function recordingLogger() {
  /** @type {{ level: string, fields: Untyped, message: string }[]} */
  const entries = [];
  const on = (/** @type {string} */ level) => (/** @type {string} */ message, /** @type {Untyped} */ fields) =>
    void entries.push({ level, fields, message });
  return { entries, warn: on('warn'), error: on('error') };
}

describe('R0.7 messages of an unknown form are left unchanged and counted', () => {
  afterEach(() => setLogger(null));

  it('reports count UI messages of the AI SDK', () => {
    const messages = foreignForms(STEPS).ui;
    const { messages: sent, report } = prepareMessages(messages);
    assert.deepEqual(report.unrecognisedForms, { [UNREAD_NAME]: STEPS });
    assert.equal(report.unrecognised, STEPS);
    assert.ok(sent.every((message, index) => message === messages[index]));
    assert.equal(cleanOrphanedToolCalls([...messages]).unrecognised, STEPS);
    // A shorter conversation, and a copy as from a file.
    assert.equal(prepareMessages(messages.slice(0, 4)).report.unrecognised, 2);
    assert.equal(prepareMessages(structuredClone(messages)).report.unrecognised, STEPS);
  });

  it('messages of supported dialects are not counted', () => {
    const read = { ...foreignForms(STEPS), anthropic: anthropic(STEPS) };
    for (const [form, messages] of Object.entries(read)) {
      if (form === UNREAD) continue;
      const counter = new TokenCounter();
      counter.countMessages(messages);
      assert.deepEqual([prepareMessages(messages).report.unrecognised, counter.unrecognised], [0, 0], form);
    }
  });

  it('LangChain messages of unknown types, and values that are no messages, are counted', () => {
    const unknown = /** @type {Untyped[]} */ ([
      { type: 'remove', content: 'hello', data: {} },
      { type: 'human', data: { content: 7 } },
      'text',
      7,
      {},
      { role: 'critic', content: '' },
    ]);
    assert.deepEqual(prepareMessages(unknown).report.unrecognisedForms, { langchain: 2, other: 4 });
  });

  it('chat messages with any content and fields are not counted', () => {
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

  testEachSession('a recorded session of chat messages has no unrecognised message', ({ messages }) => {
    assert.equal(prepareMessages(messages).report.unrecognised, 0);
    const counter = new TokenCounter();
    counter.countMessages(messages);
    assert.equal(counter.unrecognised, 0);
  });

  it('a message with a throwing getter, and a proxy, are counted and left unchanged', () => {
    const unreadable = /** @type {Untyped[]} */ ([
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
      const { messages, report } = prepareMessages(unreadable);
      assert.equal(report.unrecognised, 2);
      assert.ok(messages.every((message, index) => message === unreadable[index]));
      assert.ok(new TokenCounter().countMessages(unreadable) > 0);
    }
  });

  it('R9.2 the logger gets one entry for each function and form, with counts and names, without content', () => {
    const logger = recordingLogger();
    setLogger(logger);
    const messages = foreignForms(STEPS).ui;
    for (let end = 4; end < messages.length; end += 2) {
      prepareMessages(messages.slice(0, end));
      prepareMessages(structuredClone(messages.slice(0, end)));
      new TokenCounter().countMessages(messages.slice(0, end));
    }
    assert.deepEqual(
      logger.entries.map(({ level, fields }) => [level, fields]),
      [
        ['warn', { event: 'unrecognised', messages: 2, total: 4, forms: UNREAD_NAME }],
        ['warn', { event: 'unrecognised', messages: 2, total: 4, forms: UNREAD_NAME }],
      ],
    );
    assert.match(logger.entries[0]?.message ?? '', /unknown form: left unchanged/);
    assert.match(logger.entries[1]?.message ?? '', /counted as JSON text/);
  });

  it('R7.8 stripForApi removes only our own fields from a message of an unknown form', () => {
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

describe('R6.2 tokens of messages that can’t be read are counted as text', () => {
  for (const [form, messages] of forms) {
    it(`${form}: at least as many as in openai-chat, and at most ${form === UNREAD ? '35 %' : '1 %'} more`, () => {
      const counter = new TokenCounter();
      const tokens = counter.countMessages(messages);
      assert.ok(
        tokens >= tokensInChat && tokens <= tokensInChat * (form === UNREAD ? 1.35 : 1.01),
        `${tokens} of ${tokensInChat}`,
      );
      assert.deepEqual(counter.unrecognisedForms, form === UNREAD ? { [UNREAD_NAME]: STEPS } : {});
      assert.equal(counter.countMessages(messages), tokens, 'a second count');
      counter.countMessages(openAiChat(1));
      assert.equal(counter.unrecognised, 0, 'unrecognised is of the last count');
    });
  }

  it('Anthropic’s blocks count within 10 % of openai-chat', () => {
    const counter = new TokenCounter();
    const tokens = counter.countMessages(anthropic(STEPS));
    assert.ok(Math.abs(tokens - tokensInChat) < tokensInChat * 0.1);
    assert.equal(counter.unrecognised, 0);
  });

  it('a UI message of the AI SDK counts its text once, and its results', () => {
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

  it('base64 counts as an image, and bytes and providerOptions hardly count', () => {
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

  it('cyclic, deep and throwing values are counted without an error', () => {
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

  it('a message that changed in place is counted again', () => {
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

describe('R7.3 AutoCompressionManager counts messages of an unknown form', () => {
  for (const [form, messages] of forms) {
    it(`${form}: a compression is triggered, and the logger gets at most one entry about the form`, async () => {
      const logger = recordingLogger();
      const config = { maxContextTokens: Math.round(tokensInChat / 2), autoCompressionEnabled: true };
      const manager = new AutoCompressionManager(config, async () => '', logger);
      /** @type {string[]} */
      const seen = [];
      manager.onEvent(({ type }) => seen.push(type));
      const history = /** @type {Untyped[]} */ ([...messages]);
      await manager.process(history);
      await manager.process([...messages]);
      assert.ok(seen.includes('triggered'));
      const warnings = logger.entries.filter(({ fields }) => fields.event === 'unrecognised');
      assert.deepEqual(
        warnings.map(({ level, fields }) => [level, fields.forms]),
        form === UNREAD ? [['warn', UNREAD_NAME]] : [],
      );
      assert.ok(!JSON.stringify(logger.entries).includes('8443'), 'no content');
    });
  }
});
