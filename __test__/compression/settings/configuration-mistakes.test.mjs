// @ts-check
/** Settings that are invalid, can't be read, or are misspelled: the default holds, and a warning is logged. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ContextView } from 'palimpsest';
import { configuration, managerWith, processed, session, summaryIn, WINDOW } from '../../support/compression.mjs';

const SECTION_KEY = 'conversation.autoCompression';

const nested = {
  threshold: 0.8,
  keepRecentCount: 3,
  summaryModel: 'nested-model',
  summaryContextTokens: 64_000,
  contextLimit: { maxTokens: WINDOW },
};

describe('R7.1 invalid and unreadable settings', () => {
  const refusals = (/** @type {any} */ { log }) =>
    log.entries.filter((/** @type {any} */ { fields }) => fields.event === 'setting_refused');

  it('R7.1 for an invalid value a warning names the setting, and the default holds', async () => {
    /** @type {[string, unknown][]} */
    const invalid = [
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
    for (const [key, value] of invalid) {
      const made = await processed(session(), { config: configuration({ [key]: value }) });
      const [refusal, ...otherRefusals] = refusals(made);
      assert.equal(refusal?.level, 'warn', `${key}: ${String(value)}`);
      assert.equal(refusal.fields.key, key);
      assert.deepEqual(otherRefusals, []);
      assert.ok(summaryIn(made.messages), `${key}: ${String(value)} keeps the default`);
    }
  });

  it('R7.1 for an invalid value in the section the warning names the flat key', async () => {
    const made = await processed(session(), { config: { [SECTION_KEY]: { ...nested, threshold: '80%' } } });
    assert.equal(refusals(made)[0].fields.key, 'autoCompressionThreshold');
    assert.ok(summaryIn(made.messages));
  });

  it('R7.1 with an invalid autoCompressionSummaryModel nothing is summarised', async () => {
    for (const autoCompressionSummaryModel of ['', '  ', 7, {}]) {
      const made = await processed(session(), { config: configuration({ autoCompressionSummaryModel }) });
      assert.equal(made.calls.length, 0);
      assert.equal(refusals(made).length, 1);
    }
  });

  it('R7.1 with an invalid maxContextTokens the window is the default, and nothing is summarised', async () => {
    const made = await processed(session(), { config: configuration({ maxContextTokens: -5 }) });
    assert.equal(made.calls.length, 0);
    assert.equal(refusals(made).length, 1);
  });

  it('R7.1 the same invalid value is logged once, and another invalid value again', async () => {
    const values = configuration({ autoCompressionThreshold: 7 });
    const made = managerWith({ config: values });
    await made.manager.process(session());
    await made.manager.process(session());
    assert.equal(refusals(made).length, 1);
    values.autoCompressionThreshold = 8;
    await made.manager.process(session());
    assert.equal(refusals(made).length, 2);
  });

  it('R9.2 an invalid value is never logged', async () => {
    const made = await processed(session(), { config: configuration({ autoCompressionThreshold: 'sk-MARK-1' }) });
    assert.ok(!JSON.stringify(made.log.entries).includes('MARK'));
  });

  const unreadable = (/** @type {any} */ { log }) =>
    log.entries.filter((/** @type {any} */ { fields }) => fields.event === 'setting_unreadable');

  it('R7.1 if get throws, the defaults hold and setting_unreadable is logged once', async () => {
    const get = () => {
      throw Object.assign(new Error('no database at MARK'), { code: 'ECONNREFUSED' });
    };
    const made = await processed(session(), { config: { get } });
    assert.deepEqual(made.messages, made.before);
    assert.equal(made.calls.length, 0);
    await made.manager.process(session());
    const [warning, ...otherWarnings] = unreadable(made);
    assert.deepEqual(otherWarnings, []);
    assert.equal(warning.level, 'warn');
    assert.deepEqual(warning.fields, {
      event: 'setting_unreadable',
      key: 'autoCompressionEnabled',
      came: 'ECONNREFUSED',
    });
    assert.equal(made.event('setting_unreadable').came, 'ECONNREFUSED');
    assert.ok(!JSON.stringify(made.log.entries).includes('MARK'));
  });

  it('R7.1 if a service returns promises, the defaults hold and setting_unreadable is logged once', async () => {
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
      assert.ok(!JSON.stringify(made.log.entries).includes('MARK'));
    }
  });

  it('R7.1 a get that throws for missing keys is logged as unreadable only without has', async () => {
    const values = new Map(Object.entries({ [SECTION_KEY]: nested }));
    const get = (/** @type {string} */ key) => values.get(key) ?? assert.fail(`no ${key}`);
    const has = (/** @type {string} */ key) => values.has(key);
    const withHas = await processed(session(), { config: { get, has } });
    assert.ok(summaryIn(withHas.messages));
    assert.deepEqual(unreadable(withHas), []);
    const withoutHas = await processed(session(), { config: { get } });
    assert.ok(summaryIn(withoutHas.messages));
    assert.equal(unreadable(withoutHas).length, 1);
  });

  it('R7.1 for a section of another type setting_unreadable names its key and type', async () => {
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

  it('R7.1 if one property throws, only its setting has the default', async () => {
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

describe('R7.1 misspelled settings', () => {
  const unknown = (/** @type {any} */ { log }) =>
    log.entries
      .filter((/** @type {any} */ { fields }) => fields.event === 'setting_unknown')
      .map((/** @type {any} */ { level, fields: { key, meant } }) => [level, key, meant]);

  it('R7.1 for a misspelled key of a section setting_unknown is logged once with the setting that was meant', async () => {
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
    for (const config of [{ autoCompression: section }, new Map([[SECTION_KEY, section]])]) {
      const made = await processed(session(), { config });
      await made.manager.process(session());
      assert.ok(summaryIn(made.messages));
      assert.deepEqual(unknown(made), expected);
    }
  });

  it('R7.1 for a flat key in a section setting_unknown is logged with the key of the section', async () => {
    const made = await processed(session(), { config: { autoCompression: { ...nested, maxContextTokens: 9 } } });
    assert.deepEqual(unknown(made), [['warn', 'maxContextTokens', 'contextLimit.maxTokens']]);
  });

  it('R7.1 of an object with flat settings only keys that begin like a setting are logged as misspelled', async () => {
    const otherFields = { enable: 1, model: 'x', threshold: 0.8, contextWindow: 5, autoSave: true, compression: {} };
    const made = await processed(session(), { config: { ...configuration(), ...otherFields } });
    assert.ok(summaryIn(made.messages));
    assert.deepEqual(unknown(made), []);
    const misspelled = await processed(session(), { config: configuration({ autoCompressionTreshold: 0.1 }) });
    assert.deepEqual(unknown(misspelled), [['warn', 'autoCompressionTreshold', 'autoCompressionThreshold']]);
  });

  it('R7.1 for a misspelled setting of a view setting_unknown is logged once in three prepare calls', async () => {
    /** @type {unknown[]} */
    const warnings = [];
    const warn = (/** @type {string} */ _, /** @type {any} */ { key, meant }) => warnings.push([key, meant]);
    const config = /** @type {any} */ ({ autoCompression: { enabled: true, treshold: 0.5 } });
    const view = new ContextView({ compression: { config, llmClient: async () => '', logger: { warn } } });
    for (let request = 0; request < 3; request++) await view.prepare([{ role: 'user', content: 'hi' }]);
    assert.deepEqual(warnings, [['treshold', 'threshold']]);
  });
});
