// @ts-check
/** The two forms of the constructor's and of process's arguments, and errors for wrong arguments. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  AutoCompressionManager,
  configuration,
  managerWith,
  recordingLogger,
  scripted,
  session,
  summary,
  summaryIn,
} from '../../support/compression.mjs';

describe('arguments of AutoCompressionManager and process', () => {
  it('new AutoCompressionManager(client, logger) summarises without naming a model, in the window passed to process', async () => {
    const model = scripted(summary());
    const log = recordingLogger();
    /** @type {any[]} */
    const requests = [];
    const client = {
      call(/** @type {any} */ request) {
        requests.push(request);
        return model(request);
      },
    };
    const manager = new AutoCompressionManager(client, log);
    const conversation = { id: 7, messages: session() };
    await manager.process(conversation, 4_000);
    assert.ok(summaryIn(conversation.messages));
    assert.equal(requests.length > 0 && 'model' in requests[0], false);
    assert.ok(log.entries.some(({ fields }) => fields.event === 'compressed'));
    await manager.process(session(), 128_000);
    assert.equal(manager.stats().triggered, 1);
  });

  it('without a configuration the option model writes the summary, and with one autoCompressionSummaryModel does', async () => {
    for (const [options, expected] of /** @type {[any, string][]} */ ([
      [{ model: 'gpt-4o' }, 'gpt-4o'],
      [{ model: 'gpt-4o', config: { autoCompressionSummaryModel: 'small' } }, 'small'],
    ])) {
      const model = scripted(summary());
      await new AutoCompressionManager({ chat: model }, null, options).process(session(), { maxContextTokens: 4_000 });
      assert.equal(model.calls[0].model, expected);
    }
  });

  it('the constructor accepts (client), (client, logger) and (configService, client, logger)', async () => {
    const functionAsLogger = Object.assign(() => {}, { info() {}, warn() {} });
    const byKey = (/** @type {string} */ key) => configuration()[key];
    /** @type {any[][]} */
    const accepted = [
      [configuration(), scripted(summary()), recordingLogger()],
      [byKey, scripted(summary())],
      [{ get: byKey, call: () => 'no' }, { call: scripted(summary()) }, null],
      [{ call: scripted(summary()) }],
      [scripted(summary()), recordingLogger()],
      [{ chat: scripted(summary()) }, functionAsLogger],
    ];
    for (const given of accepted) {
      const messages = session();
      await new AutoCompressionManager(...given).process(messages, 4_000);
      assert.ok(summaryIn(messages));
    }
    for (const given of [[{}], [() => {}], [configuration(), {}], [undefined, scripted('')], [7, scripted('')]]) {
      assert.throws(() => new AutoCompressionManager(...given), { code: 'ERR_INVALID_ARG_TYPE' });
    }
  });

  it('R0.3 for a Promise as an argument the error names the argument and suggests await', () => {
    const promise = Promise.resolve({});
    for (const [given, name] of /** @type {[any[], string][]} */ ([
      [[promise, scripted('')], 'configService'],
      [[{}, promise], 'llmClient'],
      [[{}, scripted(''), promise], 'logger'],
      [[{}, scripted(''), null, promise], 'options'],
      [[{ call: scripted('') }, null, promise], 'options'],
    ])) {
      assert.throws(() => new AutoCompressionManager(...given), {
        code: 'ERR_INVALID_ARG_TYPE',
        message: new RegExp(`^${name}: .* got a Promise: is an await missing\\?$`),
      });
    }
  });

  it('R0.3 the event failed names the wrong argument of process', async () => {
    for (const [given, problem] of /** @type {[any[], RegExp][]} */ ([
      [[Promise.resolve([])], /^messages: expected an array, got a Promise: is an await missing\?$/],
      [[7], /^messages: expected an array, got a number$/],
      [[session(), Promise.resolve({})], /^options: .*got a Promise: is an await missing\?$/],
      [[session(), 7], /^maxContextTokens: expected an integer from 100 .* got 7$/],
      [[session(), { maxContextTokens: Promise.resolve(7) }], /^options.maxContextTokens: .* is an await missing\?$/],
    ])) {
      const { manager, event } = managerWith({ logger: null });
      await manager.process(...given);
      assert.match(event('failed').problem, problem);
    }
  });

  it("R9.2 for an error of the application's getter the event failed has its code and no message", async () => {
    const { manager, event } = managerWith();
    const options = {
      get signal() {
        throw Object.assign(new TypeError('secret'), { code: 'ERR_INVALID_ARG_TYPE' });
      },
    };
    await manager.process(session(), options);
    assert.deepEqual([event('failed').code, event('failed').problem], ['ERR_INVALID_ARG_TYPE', '']);
  });
});
