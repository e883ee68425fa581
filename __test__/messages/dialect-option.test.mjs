// @ts-check
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as palimpsest from 'palimpsest';
import { configuration, managerWith, NOW, scripted, summary } from '../support/compression.mjs';
import { convert } from '../support/dialects.mjs';
import { longSession } from '../support/neutral-sessions.mjs';

const product = /** @type {any} */ (palimpsest);
const { TokenCounter, AutoCompressionManager } = product;
const SESSION = longSession(3);

/** Everything that takes the option, called with it. @type {Record<string, (messages: any[], options: object) => unknown>} */
const TAKERS = {
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
  for (const [name, take] of Object.entries(TAKERS)) {
    test(`${name} refuses a dialect that there is not, and names those that there are`, () => {
      const { messages } = convert(SESSION, 'openai-chat');
      const before = structuredClone(messages);
      assert.throws(() => take(messages, { dialect: 'antropic' }), {
        name: 'RangeError',
        code: 'ERR_OUT_OF_RANGE',
        message: /openai-chat, .*anthropic.*got 'antropic'/,
      });
      assert.throws(() => take(messages, { dialect: 7 }), { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' });
      assert.deepEqual(messages, before);
      for (const dialect of [undefined, null, 'openai-chat']) take(messages, { dialect });
    });
  }

  test('what it names decides, whatever a message looks like', () => {
    // Blocks without a call or a result look like chat's, and a `toolCall` part like pi's.
    const pi = convert(SESSION, 'pi').messages;
    const options = { now: SESSION.end, unknownAge: 'old' };
    const plain = product.prepareMessages(pi, options).report;
    assert.ok(plain.changed > 0);
    assert.equal(plain.unrecognised, 0);
    const forced = product.prepareMessages(pi, { ...options, dialect: 'pi' }).report;
    assert.equal(forced.changed, plain.changed);
    const other = product.prepareMessages(pi, { ...options, dialect: 'gemini' }).report;
    assert.equal(other.changed, 0);
    assert.ok(other.unrecognisedForms.pi > 0);
    const counter = new TokenCounter({ dialect: 'pi' });
    assert.equal(counter.countMessages(pi), new TokenCounter().countMessages(pi));
  });

  test('an array of plain text, with nothing that tells its dialect, gets a summary in the one that is named', async () => {
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
