// @ts-check
/** What becomes of settings that can't be used, can't be read, or are none. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ContextView } from 'palimpsest';
import { configuration, managerWith, processed, session, summaryIn, WINDOW } from '../../support/compression.mjs';

const NESTED_KEY = 'conversation.autoCompression';

const nested = {
  threshold: 0.8,
  keepRecentCount: 3,
  summaryModel: 'nested-model',
  summaryContextTokens: 64_000,
  contextLimit: { maxTokens: WINDOW },
};

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

  const unreadable = (/** @type {any} */ { log }) =>
    log.heard.filter((/** @type {any} */ { fields }) => fields.event === 'setting_unreadable');

  it('R7.1 a service that throws counts as one without values, and says so once', async () => {
    const get = () => {
      throw Object.assign(new Error('no database at MARK'), { code: 'ECONNREFUSED' });
    };
    const made = await processed(session(), { config: { get } });
    assert.deepEqual(made.messages, made.before);
    assert.equal(made.calls.length, 0);
    await made.manager.process(session());
    const [warning, ...more] = unreadable(made);
    assert.deepEqual(more, []);
    assert.equal(warning.level, 'warn');
    assert.deepEqual(warning.fields, {
      event: 'setting_unreadable',
      key: 'autoCompressionEnabled',
      came: 'ECONNREFUSED',
    });
    assert.equal(made.event('setting_unreadable').came, 'ECONNREFUSED');
    assert.ok(!JSON.stringify(made.log.heard).includes('MARK'));
  });

  it('R7.1 a service that is asynchronous counts as one without values, and says so once, not key by key', async () => {
    const values = configuration({ autoCompressionSummaryModel: 'MARK' });
    const services = [
      { get: async (/** @type {string} */ key) => values[key] },
      async (/** @type {string} */ key) => values[key],
      async () => values,
      { get: () => Promise.reject(new Error('MARK')) },
      Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Promise.resolve(value)])),
      { autoCompression: Promise.resolve(nested) },
      { autoCompression: { ...nested, summaryModel: Promise.resolve('MARK') } },
    ];
    for (const [at, config] of services.entries()) {
      const made = await processed(session(), { config });
      await made.manager.process(session());
      assert.deepEqual(
        unreadable(made).map(({ level, fields }) => [level, fields.came]),
        [['warn', 'promise']],
        `service ${at}`,
      );
      assert.deepEqual(refusals(made), [], `service ${at}`);
      assert.equal(made.calls.length, 0);
      assert.ok(!JSON.stringify(made.log.heard).includes('MARK'));
    }
  });

  it('R7.1 a service that throws for what it does not have, and says that it has not, is not complained of', async () => {
    const values = new Map(Object.entries({ [NESTED_KEY]: nested }));
    const get = (/** @type {string} */ key) => values.get(key) ?? assert.fail(`no ${key}`);
    const has = (/** @type {string} */ key) => values.has(key);
    const quiet = await processed(session(), { config: { get, has } });
    assert.ok(summaryIn(quiet.messages));
    assert.deepEqual(unreadable(quiet), []);
    const told = await processed(session(), { config: { get } });
    assert.ok(summaryIn(told.messages));
    assert.equal(unreadable(told).length, 1);
  });

  it('R7.1 what stands in place of a section and is none is said', async () => {
    const services = [
      { autoCompression: 'on' },
      { conversation: 7 },
      { contextLimit: [WINDOW] },
      { contextLimit: true },
    ];
    for (const [at, config] of services.entries()) {
      const made = await processed(session(), { config: { ...configuration(), ...config } });
      assert.ok(summaryIn(made.messages));
      const [key] = Object.keys(config);
      assert.deepEqual(
        unreadable(made).map(({ fields }) => [fields.key, fields.came]),
        [[key, ['string', 'number', 'array', 'boolean'][at]]],
      );
    }
  });

  it('R7.1 a service with a throwing property loses that one only', async () => {
    const config = Object.defineProperty(configuration(), 'autoCompressionThreshold', {
      get() {
        throw new Error('no');
      },
    });
    const made = await processed(session(), { config });
    assert.ok(summaryIn(made.messages));
    assert.deepEqual(
      unreadable(made).map(({ fields }) => fields.key),
      ['autoCompressionThreshold'],
    );
  });
});

describe('R7.1 typing errors', () => {
  const unknown = (/** @type {any} */ { log }) =>
    log.heard
      .filter((/** @type {any} */ { fields }) => fields.event === 'setting_unknown')
      .map((/** @type {any} */ { level, fields: { key, meant } }) => [level, key, meant]);

  it('R7.1 a key of a section that looks like a setting is told once, with the setting that it looks like', async () => {
    const section = {
      ...nested,
      treshold: 0.5,
      keepRecent: 4,
      strategy: 'own',
      contextLimit: { maxToken: 9, ...nested.contextLimit },
    };
    const expected = [
      ['warn', 'treshold', 'threshold'],
      ['warn', 'keepRecent', 'keepRecentCount'],
      ['warn', 'contextLimit.maxToken', 'contextLimit.maxTokens'],
    ];
    for (const config of [{ autoCompression: section }, new Map([[NESTED_KEY, section]])]) {
      const made = await processed(session(), { config });
      await made.manager.process(session());
      assert.ok(summaryIn(made.messages));
      assert.deepEqual(unknown(made), expected);
    }
  });

  it('R7.1 a flat name in a section is told, since it is not looked for there', async () => {
    const made = await processed(session(), { config: { autoCompression: { ...nested, maxContextTokens: 9 } } });
    assert.deepEqual(unknown(made), [['warn', 'maxContextTokens', 'contextLimit.maxTokens']]);
  });

  it('R7.1 an object with the settings may hold whatever else a host has', async () => {
    const own = { enable: 1, model: 'x', threshold: 0.8, contextWindow: 5, autoSave: true, compression: {} };
    const made = await processed(session(), { config: { ...configuration(), ...own } });
    assert.ok(summaryIn(made.messages));
    assert.deepEqual(unknown(made), []);
    const mistaken = await processed(session(), { config: configuration({ autoCompressionTreshold: 0.1 }) });
    assert.deepEqual(unknown(mistaken), [['warn', 'autoCompressionTreshold', 'autoCompressionThreshold']]);
  });
});

it('ISSUE 20.6 what a host’s configuration misspells is said once, also where a view prepares', async () => {
  /** @type {unknown[]} */
  const told = [];
  const logger = { warn: (/** @type {string} */ _, /** @type {any} */ { key, meant }) => told.push([key, meant]) };
  const config = /** @type {any} */ ({ autoCompression: { enabled: true, treshold: 0.5 } });
  const view = new ContextView({ compression: { config, llmClient: async () => '', logger } });
  for (let request = 0; request < 3; request++) await view.prepare([{ role: 'user', content: 'hi' }]);
  assert.deepEqual(told, [['treshold', 'threshold']]);
});
