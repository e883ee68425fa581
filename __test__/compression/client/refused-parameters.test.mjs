// @ts-check
/** An endpoint that refuses a parameter of the question is asked again without it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configuration, managerWith, NOW, scripted, session, summary, summaryIn } from '../../support/compression.mjs';
import { completion, status } from '../../support/fault-server.mjs';
import { clientOf, withServer } from '../../support/http-llm.mjs';

const refusal = (/** @type {string} */ message, code = 400) => Object.assign(new Error(message), { status: code });

/** @param {any} model @param {Record<string, unknown>} [settings] */
async function compressed(model, settings) {
  const made = managerWith({ model, config: configuration(settings) });
  const messages = session();
  await made.manager.process(messages, { now: NOW });
  return { ...made, messages };
}

describe('R7.2 parameters that the summary model refuses', () => {
  for (const wording of [
    'invalid temperature: only 1 is allowed for this model',
    "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
    'invalid params, temperature must be in (0, 1]',
    '该模型不支持 temperature 参数',
  ]) {
    it(`R7.2 a temperature is left out on the second try: ${wording.slice(0, 40)}`, async () => {
      const model = scripted(refusal(wording), summary());
      const { messages, events, manager } = await compressed(model);
      assert.ok(summaryIn(messages), JSON.stringify(events));
      assert.deepEqual(
        model.calls.map((/** @type {any} */ { temperature }) => temperature),
        [0, undefined],
      );
      const refused = events.find(({ type }) => type === 'parameter_refused');
      assert.deepEqual([refused.parameter, refused.model], ['temperature', 'small-model']);
      assert.ok(!events.some(({ type }) => type === 'summary_failed'));
      await manager.process(session(), { now: NOW });
      assert.deepEqual([model.calls.length, 'temperature' in model.calls[2]], [3, false], 'and never sent again');
    });
  }

  it('R7.2 a limit goes by its other name, and is left out where that is refused, too', async () => {
    const model = scripted(
      refusal("Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."),
      refusal('Unrecognized request argument supplied: max_completion_tokens', 422),
      summary(),
    );
    const { messages } = await compressed(model);
    assert.ok(summaryIn(messages));
    const limits = model.calls.map((/** @type {any} */ call) => Object.keys(call).filter((key) => /max/.test(key)));
    assert.deepEqual(limits, [['max_tokens'], ['max_completion_tokens'], []]);
    assert.equal(model.calls[2].maxTokens, undefined);
  });

  it('R7.2 other errors are none of this: they are told as they are, and nothing is asked twice', async () => {
    for (const error of [
      refusal('temperature of the server is high', 503),
      refusal('messages: too few'),
      refusal('x'),
    ]) {
      const model = scripted(error);
      const { types } = await compressed(model);
      assert.equal(model.calls.length, 1);
      assert.ok(types().includes('summary_failed'));
    }
  });

  it('R7.2 a model that refuses whatever it is asked with is not asked for ever', async () => {
    const model = scripted(refusal('temperature and max_tokens are not supported'));
    const { types } = await compressed(model);
    assert.ok(model.calls.length <= 5, String(model.calls.length));
    assert.ok(types().includes('summary_failed'));
  });

  it('R7.2 Kimi and other models that are known to refuse a temperature do not get it at all', async () => {
    for (const name of ['kimi-k2-0905-preview', 'moonshotai/kimi-k3', 'MiniMax-M2', 'gpt-5-mini', 'o3']) {
      const model = scripted(summary());
      await compressed(model, { autoCompressionSummaryModel: name });
      const [call] = model.calls;
      assert.deepEqual(['temperature' in call, call.temperature], [false, undefined], name);
    }
  });

  it('R7.2 through the built-in client, which asks again by itself', async () => {
    const complaint = {
      error: { message: 'invalid temperature: only 1 is allowed for this model', type: 'invalid_request_error' },
    };
    await withServer([status(400, {}, complaint), completion(summary())], async (server) => {
      const { messages } = await compressed(clientOf(server));
      assert.ok(summaryIn(messages));
      const sent = server.requests.map(({ json }) => 'temperature' in /** @type {any} */ (json));
      assert.deepEqual(sent, [true, false]);
    });
  });
});
