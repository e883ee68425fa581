// @ts-check
/** Where the settings come from, and what becomes of bad ones. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  AutoCompressionManager,
  configuration,
  FULL,
  managerWith,
  NOW,
  noticeIn,
  OVER,
  processed,
  scripted,
  session,
  summary,
  summaryIn,
  WINDOW,
} from './support/compression.mjs';

const NESTED_KEY = 'conversation.autoCompression';

const nested = {
  enabled: true,
  threshold: 0.8,
  keepRecentCount: 3,
  summaryMaxTokens: 777,
  summaryModel: 'nested-model',
  summaryTimeout: 20_000,
  totalTimeout: 60_000,
  summaryContextTokens: 64_000,
  contextLimit: { maxTokens: WINDOW, hardLimitThreshold: 0.95 },
};

/** What a configuration comes to. @param {any} config */
async function effect(config) {
  const { calls, messages } = await processed(session(), { config });
  return { model: calls[0]?.model, maxTokens: calls[0]?.maxTokens, left: messages.length };
}

describe('R7.1 the forms of a configuration', () => {
  const flat = configuration({ autoCompressionSummaryMaxTokens: 555 });
  const wanted = { model: 'small-model', maxTokens: 555, left: 6 };
  const wantedNested = { model: 'nested-model', maxTokens: 777, left: 6 };

  it('R7.1 an object with the properties', async () => {
    assert.deepEqual(await effect(flat), wanted);
  });

  it('R7.1 an object with get(key), called as its method', async () => {
    class Service {
      #values = flat;
      get(/** @type {string} */ key) {
        return this.#values[key];
      }
    }
    assert.deepEqual(await effect(new Service()), wanted);
    assert.deepEqual(await effect(new Map(Object.entries(flat))), wanted);
  });

  it('R7.1 a function of the key', async () => {
    assert.deepEqual(await effect((/** @type {string} */ key) => flat[key]), wanted);
  });

  it('R7.1 a function that gives the whole configuration', async () => {
    assert.deepEqual(await effect(() => flat), wanted);
    assert.deepEqual(await effect(() => ({ conversation: { autoCompression: nested } })), wantedNested);
  });

  it('R7.1 the nested form, by get, by function and as an object', async () => {
    const byKey = (/** @type {string} */ key) => (key === NESTED_KEY ? nested : undefined);
    assert.deepEqual(await effect({ get: byKey }), wantedNested);
    assert.deepEqual(await effect(byKey), wantedNested);
    assert.deepEqual(await effect({ [NESTED_KEY]: nested }), wantedNested);
    assert.deepEqual(await effect({ conversation: { autoCompression: nested } }), wantedNested);
  });

  it('R7.1 a key by itself wins over the nested form', async () => {
    const both = { ...nested, [NESTED_KEY]: nested, autoCompressionSummaryModel: 'flat-model' };
    assert.equal((await effect(both)).model, 'flat-model');
  });

  it('R7.1 a window in the nested form counts', async () => {
    const config = { [NESTED_KEY]: { ...nested, contextLimit: { maxTokens: WINDOW * 2 } } };
    assert.equal((await effect(config)).model, undefined);
    const small = { [NESTED_KEY]: { ...nested, summaryModel: null, contextLimit: { maxTokens: 1_000 } } };
    assert.ok(noticeIn((await processed(session(), { config: small })).messages));
  });

  it('R7.1 another kind of service is refused when the manager is made', () => {
    for (const service of [undefined, null, 'x', 7, true]) {
      assert.throws(() => new AutoCompressionManager(service, scripted('')), TypeError);
    }
  });

  it('R7.1 each call reads every value anew', async () => {
    const values = configuration();
    const { manager, calls } = managerWith({ config: values });
    await manager.process(session(), { now: NOW });
    values.autoCompressionSummaryModel = 'other-model';
    values.autoCompressionSummaryMaxTokens = 444;
    await manager.process(session(), { now: NOW });
    values.autoCompressionThreshold = 0.99;
    await manager.process(session(), { now: NOW });
    assert.deepEqual(
      calls.map((/** @type {any} */ call) => [call.model, call.maxTokens]),
      [
        ['small-model', 1_000],
        ['other-model', 444],
      ],
    );
  });
});

describe('R7.1 bad values', () => {
  const refusals = (/** @type {any} */ { log }) =>
    log.heard.filter((/** @type {any} */ { fields }) => fields.event === 'setting_refused');

  it('R7.1 a bad value is a warning with its key, and the default holds', async () => {
    /** @type {[string, unknown][]} */
    const bad = [
      ['autoCompressionEnabled', 'yes'],
      ['autoCompressionThreshold', 1.5],
      ['autoCompressionThreshold', 0],
      ['autoCompressionThreshold', Number.NaN],
      ['autoCompressionKeepRecentCount', -1],
      ['autoCompressionKeepRecentCount', 2.5],
      ['autoCompressionSummaryMaxTokens', 0],
      ['autoCompressionSummaryMaxTokens', Number.POSITIVE_INFINITY],
      ['autoCompressionSummaryTimeoutMs', '30s'],
      ['autoCompressionTotalTimeoutMs', 0],
      ['autoCompressionTotalTimeoutMs', Number.NaN],
      ['hardLimitThreshold', -0.1],
      ['hardLimitThreshold', {}],
    ];
    for (const [key, value] of bad) {
      const made = await processed(session(), { config: configuration({ [key]: value }) });
      const [refusal, ...more] = refusals(made);
      assert.equal(refusal?.level, 'warn', `${key}: ${String(value)}`);
      assert.equal(refusal.fields.key, key);
      assert.deepEqual(more, []);
      assert.ok(summaryIn(made.messages), `${key}: ${String(value)} keeps the default`);
    }
  });

  it('R7.1 a bad value of the nested form is named as well', async () => {
    const made = await processed(session(), { config: { [NESTED_KEY]: { ...nested, threshold: '80%' } } });
    assert.equal(refusals(made)[0].fields.key, 'autoCompressionThreshold');
    assert.ok(summaryIn(made.messages));
  });

  it('R7.1 a bad model is no model', async () => {
    for (const autoCompressionSummaryModel of ['', '  ', 7, {}]) {
      const made = await processed(session(), { config: configuration({ autoCompressionSummaryModel }) });
      assert.equal(made.calls.length, 0);
      assert.equal(refusals(made).length, 1);
    }
  });

  it('R7.1 a bad window is the default one: 128 000 tokens', async () => {
    const made = await processed(session(), { config: configuration({ maxContextTokens: -5 }) });
    assert.equal(made.calls.length, 0);
    assert.equal(refusals(made).length, 1);
  });

  it('R7.1 the same bad value is told once, a new one again', async () => {
    const values = configuration({ autoCompressionThreshold: 7 });
    const made = managerWith({ config: values });
    await made.manager.process(session());
    await made.manager.process(session());
    assert.equal(refusals(made).length, 1);
    values.autoCompressionThreshold = 8;
    await made.manager.process(session());
    assert.equal(refusals(made).length, 2);
  });

  it('R7.1 a value that is never told: what the bad one was', async () => {
    const made = await processed(session(), { config: configuration({ autoCompressionThreshold: 'sk-MARK-1' }) });
    assert.ok(!JSON.stringify(made.log.heard).includes('MARK'));
  });

  it('R7.1 a service that throws counts as one without values', async () => {
    const get = () => {
      throw new Error('no database');
    };
    const made = await processed(session(), { config: { get } });
    assert.deepEqual(made.messages, made.before);
    assert.equal(made.calls.length, 0);
  });

  it('R7.1 a service with a throwing property loses that one only', async () => {
    const config = Object.defineProperty(configuration(), 'autoCompressionThreshold', {
      get() {
        throw new Error('no');
      },
    });
    assert.ok(summaryIn((await processed(session(), { config })).messages));
  });
});

describe('R7.1 disabled', () => {
  const config = configuration({ autoCompressionEnabled: false });

  it('R7.1 means nothing at all: no summary, no truncation, no log, no figure', async () => {
    const made = await processed(session(OVER * 2), { config });
    assert.deepEqual(made.messages, made.before);
    assert.equal(made.calls.length, 0);
    assert.deepEqual([made.log.heard, made.events], [[], []]);
    assert.ok(Object.values(made.manager.stats()).every((figure) => figure === 0));
  });

  it('R7.1 the messages are not even read', async () => {
    const unreadable = new Proxy(
      { role: 'user', content: 'x' },
      {
        get() {
          throw new Error('read');
        },
        ownKeys() {
          throw new Error('read');
        },
      },
    );
    const made = managerWith({ config });
    await made.manager.process([unreadable]);
    assert.deepEqual(made.events, []);
  });

  it('R7.1 in the nested form as well', async () => {
    const made = await processed(session(FULL), { config: { [NESTED_KEY]: { ...nested, enabled: false } } });
    assert.equal(made.calls.length, 0);
  });

  it('R7.1 a model that answers nonsense is not asked', async () => {
    const model = scripted(summary());
    await processed(session(OVER), { config, model });
    assert.equal(model.calls.length, 0);
  });
});
