// @ts-check
/** Both forms of the constructor and of `process`, and arguments that are in the wrong place. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  AutoCompressionManager,
  configuration,
  listener,
  managerWith,
  scripted,
  session,
  summary,
  summaryIn,
} from '../../support/compression.mjs';

describe('B10 both forms of the agent server', () => {
  it('B10 a client and a logger: the client with its own model summarises, in the window of the call', async () => {
    const model = scripted(summary());
    const log = listener();
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
    assert.ok(log.heard.some(({ fields }) => fields.event === 'compressed'));
    await manager.process(session(), 128_000);
    assert.equal(manager.stats().triggered, 1);
  });

  it('B10 where a model is known, that one is asked; where a configuration is given, its model', async () => {
    for (const [options, expected] of /** @type {[any, string][]} */ ([
      [{ model: 'gpt-4o' }, 'gpt-4o'],
      [{ model: 'gpt-4o', config: { autoCompressionSummaryModel: 'small' } }, 'small'],
    ])) {
      const model = scripted(summary());
      await new AutoCompressionManager({ chat: model }, null, options).process(session(), { maxContextTokens: 4_000 });
      assert.equal(model.calls[0].model, expected);
    }
  });

  it('B10 the second argument tells the forms apart', async () => {
    const asLogger = Object.assign(() => {}, { info() {}, warn() {} });
    /** @type {[any[], number][]} */
    const forms = [
      [[configuration(), scripted(summary()), listener()], 1],
      [[(/** @type {string} */ key) => configuration()[key], scripted(summary())], 1],
      [
        [
          { get: (/** @type {string} */ key) => configuration()[key], call: () => 'no' },
          { call: scripted(summary()) },
          null,
        ],
        1,
      ],
      [[{ call: scripted(summary()) }], 1],
      [[scripted(summary()), console && listener()], 1],
      [[{ chat: scripted(summary()) }, asLogger], 1],
    ];
    for (const [given] of forms) {
      const messages = session();
      await new AutoCompressionManager(...given).process(messages, 4_000);
      assert.ok(summaryIn(messages));
    }
    for (const given of [[{}], [() => {}], [configuration(), {}], [undefined, scripted('')], [7, scripted('')]]) {
      assert.throws(() => new AutoCompressionManager(...given), { code: 'ERR_INVALID_ARG_TYPE' });
    }
  });

  it('B10 a promise in the place of an argument asks for its await', () => {
    const late = Promise.resolve({});
    for (const [given, name] of /** @type {[any[], string][]} */ ([
      [[late, scripted('')], 'configService'],
      [[{}, late], 'llmClient'],
      [[{}, scripted(''), late], 'logger'],
      [[{}, scripted(''), null, late], 'options'],
      [[{ call: scripted('') }, null, late], 'options'],
    ])) {
      assert.throws(() => new AutoCompressionManager(...given), {
        code: 'ERR_INVALID_ARG_TYPE',
        message: new RegExp(`^${name}: .* got a Promise: is an await missing\\?$`),
      });
    }
  });

  it('B10 process names the argument that is wrong, to a host without a logger', async () => {
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

  it("B10 a host's own error is named by its code alone", async () => {
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
