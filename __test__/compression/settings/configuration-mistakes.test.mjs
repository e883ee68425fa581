// @ts-check
/** Settings that are invalid, can't be read, or are misspelled: the default holds, and a warning is logged. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ContextView } from 'palimpsest';
import {
  configuration,
  managerWith,
  processed,
  SECTION_KEY,
  sectionSettings,
  session,
  summaryIn,
  WINDOW,
} from '../../support/compression.mjs';

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
      const result = await processed(session(), { config: configuration({ [key]: value }) });
      const [refusal, ...otherRefusals] = refusals(result);
      assert.equal(refusal?.level, 'warn', `${key}: ${String(value)}`);
      assert.equal(refusal.fields.key, key);
      assert.deepEqual(otherRefusals, []);
      assert.ok(summaryIn(result.messages), `${key}: ${String(value)} keeps the default`);
    }
  });

  it('R7.1 for an invalid value in the section the warning names the flat key', async () => {
    const result = await processed(session(), { config: { [SECTION_KEY]: { ...sectionSettings, threshold: '80%' } } });
    assert.equal(refusals(result)[0].fields.key, 'autoCompressionThreshold');
    assert.ok(summaryIn(result.messages));
  });

  it('R7.1 with an invalid autoCompressionSummaryModel nothing is summarised', async () => {
    for (const autoCompressionSummaryModel of ['', '  ', 7, {}]) {
      const result = await processed(session(), { config: configuration({ autoCompressionSummaryModel }) });
      assert.equal(result.calls.length, 0);
      assert.equal(refusals(result).length, 1);
    }
  });

  it('R7.1 with an invalid maxContextTokens the window is the default, and nothing is summarised', async () => {
    const result = await processed(session(), { config: configuration({ maxContextTokens: -5 }) });
    assert.equal(result.calls.length, 0);
    assert.equal(refusals(result).length, 1);
  });

  it('R7.1 the same invalid value is logged once, and another invalid value again', async () => {
    const values = configuration({ autoCompressionThreshold: 7 });
    const result = managerWith({ config: values });
    await result.manager.process(session());
    await result.manager.process(session());
    assert.equal(refusals(result).length, 1);
    values.autoCompressionThreshold = 8;
    await result.manager.process(session());
    assert.equal(refusals(result).length, 2);
  });

  it('R9.2 an invalid value is never logged', async () => {
    const result = await processed(session(), { config: configuration({ autoCompressionThreshold: 'sk-MARK-1' }) });
    assert.ok(!JSON.stringify(result.log.entries).includes('MARK'));
  });

  const unreadable = (/** @type {any} */ { log }) =>
    log.entries.filter((/** @type {any} */ { fields }) => fields.event === 'setting_unreadable');

  it('R7.1 if get throws, the defaults hold and setting_unreadable is logged once', async () => {
    const get = () => {
      throw Object.assign(new Error('no database at MARK'), { code: 'ECONNREFUSED' });
    };
    const result = await processed(session(), { config: { get } });
    assert.deepEqual(result.messages, result.before);
    assert.equal(result.calls.length, 0);
    await result.manager.process(session());
    const [warning, ...otherWarnings] = unreadable(result);
    assert.deepEqual(otherWarnings, []);
    assert.equal(warning.level, 'warn');
    assert.deepEqual(warning.fields, {
      event: 'setting_unreadable',
      key: 'autoCompressionEnabled',
      came: 'ECONNREFUSED',
    });
    assert.equal(result.event('setting_unreadable').came, 'ECONNREFUSED');
    assert.ok(!JSON.stringify(result.log.entries).includes('MARK'));
  });

  it('R7.1 if a service returns promises, the defaults hold and setting_unreadable is logged once', async () => {
    const values = configuration({ autoCompressionSummaryModel: 'MARK' });
    const services = [
      { get: async (/** @type {string} */ key) => values[key] },
      async (/** @type {string} */ key) => values[key],
      async () => values,
      { get: () => Promise.reject(new Error('MARK')) },
      Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Promise.resolve(value)])),
      { autoCompression: Promise.resolve(sectionSettings) },
      { autoCompression: { ...sectionSettings, summaryModel: Promise.resolve('MARK') } },
    ];
    for (const [at, config] of services.entries()) {
      const result = await processed(session(), { config });
      await result.manager.process(session());
      assert.deepEqual(
        unreadable(result).map(({ level, fields }) => [level, fields.came]),
        [['warn', 'promise']],
        `service ${at}`,
      );
      assert.deepEqual(refusals(result), [], `service ${at}`);
      assert.equal(result.calls.length, 0);
      assert.ok(!JSON.stringify(result.log.entries).includes('MARK'));
    }
  });

  it('R7.1 a get that throws for missing keys is logged as unreadable only without has', async () => {
    const values = new Map(Object.entries({ [SECTION_KEY]: sectionSettings }));
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
      const result = await processed(session(), { config: { ...configuration(), ...config } });
      assert.ok(summaryIn(result.messages));
      const [key] = Object.keys(config);
      assert.deepEqual(
        unreadable(result).map(({ fields }) => [fields.key, fields.came]),
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
    const result = await processed(session(), { config });
    assert.ok(summaryIn(result.messages));
    assert.deepEqual(
      unreadable(result).map(({ fields }) => fields.key),
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
      ...sectionSettings,
      treshold: 0.5,
      keepRecent: 4,
      strategy: 'own',
      contextLimit: { maxToken: 9, ...sectionSettings.contextLimit },
    };
    const expected = [
      ['warn', 'treshold', 'threshold'],
      ['warn', 'keepRecent', 'keepRecentCount'],
      ['warn', 'contextLimit.maxToken', 'contextLimit.maxTokens'],
    ];
    for (const config of [{ autoCompression: section }, new Map([[SECTION_KEY, section]])]) {
      const result = await processed(session(), { config });
      await result.manager.process(session());
      assert.ok(summaryIn(result.messages));
      assert.deepEqual(unknown(result), expected);
    }
  });

  it('R7.1 for a flat key in a section setting_unknown is logged with the key of the section', async () => {
    const result = await processed(session(), {
      config: { autoCompression: { ...sectionSettings, maxContextTokens: 9 } },
    });
    assert.deepEqual(unknown(result), [['warn', 'maxContextTokens', 'contextLimit.maxTokens']]);
  });

  it('R7.1 among flat settings only a key that begins like a setting is logged as misspelled', async () => {
    const otherFields = { enable: 1, model: 'x', threshold: 0.8, contextWindow: 5, autoSave: true, compression: {} };
    const result = await processed(session(), { config: { ...configuration(), ...otherFields } });
    assert.ok(summaryIn(result.messages));
    assert.deepEqual(unknown(result), []);
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
