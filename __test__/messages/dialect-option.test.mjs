// @ts-check
/** The option `dialect` of every function and class that takes messages. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as palimpsest from 'palimpsest';
import { configuration, managerWith, NOW, scripted, summary } from '../support/compression.mjs';
import { convert } from '../support/dialects.mjs';
import { longSession } from '../support/neutral-sessions.mjs';

const product = /** @type {any} */ (palimpsest);
const { TokenCounter, AutoCompressionManager } = product;
const SESSION = longSession(3);

/** A call of every function and class with the option. @type {Record<string, (messages: any[], options: object) => unknown>} */
const CALLS = {
  cleanOrphanedToolCalls: (messages, options) => product.cleanOrphanedToolCalls(messages, options),
  simplifyOutdatedTerminalResults: (messages, options) => product.simplifyOutdatedTerminalResults(messages, options),
  simplifyHistoricalFileReads: (messages, options) => product.simplifyHistoricalFileReads(messages, options),
  simplifyTextSearchResults: (messages, options) => product.simplifyTextSearchResults(messages, options),
  simplifyToolResults: (messages, options) => product.simplifyToolResults(messages, [], options),
  prepareMessages: (messages, options) => product.prepareMessages(messages, options),
  ContextView: (messages, options) => new product.ContextView(options).project(messages),
  TokenCounter: (messages, options) => new TokenCounter(options).countMessages(messages),
  AutoCompressionManager: (_, options) => new AutoCompressionManager({}, () => '', null, options),
  stripForApi: (messages, options) => product.stripForApi(messages, options),
  expandHistory: (messages, options) => product.expandHistory(messages, options),
};

describe('R11.1 the option dialect', () => {
  for (const [name, call] of Object.entries(CALLS)) {
    test(`${name} refuses an unknown dialect with an error that lists the known ones`, () => {
      const { messages } = convert(SESSION, 'openai-chat');
      const before = structuredClone(messages);
      assert.throws(() => call(messages, { dialect: 'antropic' }), {
        name: 'RangeError',
        code: 'ERR_OUT_OF_RANGE',
        message: /openai-chat, .*anthropic.*got 'antropic'/,
      });
      assert.throws(() => call(messages, { dialect: 7 }), { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' });
      assert.deepEqual(messages, before);
      for (const dialect of [undefined, null, 'openai-chat']) call(messages, { dialect });
    });
  }

  test('messages are read in the named dialect, and those of another dialect are unrecognised', () => {
    // Without the option, pi is recognised by its `toolCall` parts.
    const pi = convert(SESSION, 'pi').messages;
    const options = { now: SESSION.end, unknownAge: 'old' };
    const detected = product.prepareMessages(pi, options).report;
    assert.ok(detected.changed > 0);
    assert.equal(detected.unrecognised, 0);
    const named = product.prepareMessages(pi, { ...options, dialect: 'pi' }).report;
    assert.equal(named.changed, detected.changed);
    const other = product.prepareMessages(pi, { ...options, dialect: 'gemini' }).report;
    assert.equal(other.changed, 0);
    assert.ok(other.unrecognisedForms.pi > 0);
    const counter = new TokenCounter({ dialect: 'pi' });
    assert.equal(counter.countMessages(pi), new TokenCounter().countMessages(pi));
  });

  test('plain text messages, which don’t show their dialect, get a summary in the named dialect', async () => {
    const text = 'word '.repeat(200);
    const contents = Array.from({ length: 20 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'model',
      parts: [{ text }],
    }));
    const model = scripted(summary());
    const { manager } = managerWith({ config: configuration(), model, options: { dialect: 'gemini' } });
    await manager.process(contents, { now: NOW });
    assert.equal(/** @type {any} */ (contents[0]).isCompressed, true);
    assert.ok(contents.every(({ parts }) => parts.length === 1));
  });
});
