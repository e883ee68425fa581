// @ts-check
/** A request for a summary that is refused because of a parameter is sent again without it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configuration, NOW, processed, scripted, session, summary, summaryIn } from '../../support/compression.mjs';
import { completion, status } from '../../support/fault-server.mjs';
import { clientOf, withServer } from '../../support/http-llm.mjs';

const refusalError = (/** @type {string} */ message, code = 400) => Object.assign(new Error(message), { status: code });

/** @param {any} model @param {Record<string, unknown>} [settings] */
const processedBy = (model, settings) => processed(session(), { model, config: configuration(settings) });

describe('R7.2 parameters that the summary model refuses', () => {
  for (const wording of [
    'invalid temperature: only 1 is allowed for this model',
    "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
    'invalid params, temperature must be in (0, 1]',
    '该模型不支持 temperature 参数',
  ]) {
    it(`R7.2 after an error about the temperature no request has one: ${wording.slice(0, 40)}`, async () => {
      const model = scripted(refusalError(wording), summary());
      const { messages, events, manager } = await processedBy(model);
      assert.ok(summaryIn(messages), JSON.stringify(events));
      assert.deepEqual(
        model.calls.map((/** @type {any} */ { temperature }) => temperature),
        [0, undefined],
      );
      const refused = events.find(({ type }) => type === 'parameter_refused');
      assert.deepEqual([refused.parameter, refused.model], ['temperature', 'small-model']);
      assert.ok(!events.some(({ type }) => type === 'summary_failed'));
      await manager.process(session(), { now: NOW });
      assert.deepEqual([model.calls.length, 'temperature' in model.calls[2]], [3, false]);
    });
  }

  it('R7.2 a refused max_tokens is sent as max_completion_tokens, and left out if that is refused too', async () => {
    const model = scripted(
      refusalError("Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."),
      refusalError('Unrecognized request argument supplied: max_completion_tokens', 422),
      summary(),
    );
    const { messages } = await processedBy(model);
    assert.ok(summaryIn(messages));
    const limits = model.calls.map((/** @type {any} */ call) => Object.keys(call).filter((key) => /max/.test(key)));
    assert.deepEqual(limits, [['max_tokens'], ['max_completion_tokens'], []]);
    assert.equal(model.calls[2].maxTokens, undefined);
  });

  it('R7.2 after an error about anything else the request fails without a second try', async () => {
    for (const error of [
      refusalError('temperature of the server is high', 503),
      refusalError('messages: too few'),
      refusalError('x'),
    ]) {
      const model = scripted(error);
      const { types } = await processedBy(model);
      assert.equal(model.calls.length, 1);
      assert.ok(types().includes('summary_failed'));
    }
  });

  it('R7.2 a model that refuses all parameters is called at most five times', async () => {
    const model = scripted(refusalError('temperature and max_tokens are not supported'));
    const { types } = await processedBy(model);
    assert.ok(model.calls.length <= 5, String(model.calls.length));
    assert.ok(types().includes('summary_failed'));
  });

  it('R7.2 models that are known to refuse a temperature never get one', async () => {
    for (const name of ['kimi-k2-0905-preview', 'moonshotai/kimi-k3', 'MiniMax-M2', 'gpt-5-mini', 'o3']) {
      const model = scripted(summary());
      await processedBy(model, { autoCompressionSummaryModel: name });
      const [call] = model.calls;
      assert.deepEqual(['temperature' in call, call.temperature], [false, undefined], name);
    }
  });

  it('R7.2 HttpLlmClient sends a request with a refused temperature again without it', async () => {
    const complaint = {
      error: { message: 'invalid temperature: only 1 is allowed for this model', type: 'invalid_request_error' },
    };
    await withServer([status(400, {}, complaint), completion(summary())], async (server) => {
      const { messages } = await processedBy(clientOf(server));
      assert.ok(summaryIn(messages));
      const hasTemperature = server.requests.map(({ json }) => 'temperature' in /** @type {any} */ (json));
      assert.deepEqual(hasTemperature, [true, false]);
    });
  });
});
