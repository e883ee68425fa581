// @ts-check
/** The forms of `configService`, their precedence, and `enabled: false`. */
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
  SECTION_KEY,
  scripted,
  sectionSettings,
  session,
  WINDOW,
} from '../../support/compression.mjs';

/** The effect of a configuration: the parameters of the request, and how many messages remain. @param {any} config */
async function effectOf(config) {
  const { calls, messages } = await processed(session(), { config });
  return { model: calls[0]?.model, maxTokens: calls[0]?.maxTokens, messageCount: messages.length };
}

describe('R7.1 forms of a configuration', () => {
  const flat = configuration({ autoCompressionSummaryMaxTokens: 555 });
  const expected = { model: 'small-model', maxTokens: 555, messageCount: 6 };
  const expectedOfSection = { model: 'section-model', maxTokens: 777, messageCount: 6 };

  class Service {
    #values = flat;
    get(/** @type {string} */ key) {
      return this.#values[key];
    }
  }
  for (const [form, config] of /** @type {[string, any][]} */ ([
    ['an object with the settings', flat],
    ['an object with get(key), which is called as its method', new Service()],
    ['a Map', new Map(Object.entries(flat))],
    ['a function (key) => value', (/** @type {string} */ key) => flat[key]],
    ['a function that returns all settings', () => flat],
  ])) {
    it(`R7.1 settings are read from ${form}`, async () => assert.deepEqual(await effectOf(config), expected));
  }

  it('R7.1 settings are read from a function that returns all settings in a section', async () => {
    assert.deepEqual(await effectOf(() => ({ conversation: { autoCompression: sectionSettings } })), expectedOfSection);
  });

  it('R7.1 the section conversation.autoCompression is read by get, by function and from an object', async () => {
    const byKey = (/** @type {string} */ key) => (key === SECTION_KEY ? sectionSettings : undefined);
    assert.deepEqual(await effectOf({ get: byKey }), expectedOfSection);
    assert.deepEqual(await effectOf(byKey), expectedOfSection);
    assert.deepEqual(await effectOf({ [SECTION_KEY]: sectionSettings }), expectedOfSection);
    assert.deepEqual(await effectOf({ conversation: { autoCompression: sectionSettings } }), expectedOfSection);
  });

  it('R7.1 the section can be the whole configuration, or below the key autoCompression or conversation', async () => {
    assert.deepEqual(await effectOf(sectionSettings), expectedOfSection);
    assert.deepEqual(await effectOf(() => sectionSettings), expectedOfSection);
    assert.deepEqual(await effectOf({ autoCompression: sectionSettings }), expectedOfSection);
    assert.deepEqual(await effectOf(new Map([['autoCompression', sectionSettings]])), expectedOfSection);
    assert.deepEqual(
      await effectOf((key) => (key === 'autoCompression' ? sectionSettings : undefined)),
      expectedOfSection,
    );
    assert.deepEqual(
      await effectOf(new Map([['conversation', { autoCompression: sectionSettings }]])),
      expectedOfSection,
    );
    assert.deepEqual(await effectOf({ get: () => ({ autoCompression: sectionSettings }) }), expectedOfSection);
  });

  it('R7.1 contextLimit is read next to the section, at the top level or below conversation', async () => {
    const { contextLimit, ...section } = sectionSettings;
    const services = [
      { contextLimit, autoCompression: section },
      { contextLimit, conversation: { autoCompression: section } },
      { conversation: { contextLimit, autoCompression: section } },
      { contextLimit, ...section },
      { contextLimit, ...flat, maxContextTokens: undefined },
      new Map(Object.entries({ contextLimit, autoCompression: section })),
      new Map(Object.entries({ contextLimit, [SECTION_KEY]: section })),
      new Map([['conversation', { contextLimit, autoCompression: section }]]),
      () => ({ contextLimit, conversation: { autoCompression: section } }),
    ];
    for (const [at, service] of services.entries())
      assert.equal((await effectOf(service)).messageCount, 6, `service ${at}`);
    const lower = {
      contextLimit: { maxTokens: 1_000_000, hardLimitThreshold: 0.003 },
      autoCompression: { ...section, summaryModel: null },
    };
    assert.ok(noticeIn((await processed(session(), { config: lower })).messages));
  });

  it('R7.1 flat keys precede conversation.autoCompression, then autoCompression; contextLimit in the section precedes others', async () => {
    const model = (/** @type {string} */ summaryModel) => ({ ...sectionSettings, summaryModel });
    const all = {
      autoCompressionSummaryModel: 'flat',
      conversation: { autoCompression: model('below'), contextLimit: { maxTokens: WINDOW } },
      autoCompression: model('top level'),
      contextLimit: { maxTokens: 1e6 },
      summaryModel: 'bare',
    };
    assert.equal((await effectOf(all)).model, 'flat');
    assert.equal((await effectOf({ ...all, autoCompressionSummaryModel: null })).model, 'below');
    const { conversation, ...withoutBelow } = { ...all, autoCompressionSummaryModel: null };
    assert.equal((await effectOf(withoutBelow)).model, 'top level');
    const { contextLimit: _, ...sectionWithoutWindow } = sectionSettings;
    const below = {
      conversation: { ...conversation, autoCompression: sectionWithoutWindow },
      contextLimit: { maxTokens: 1e6 },
    };
    assert.equal((await effectOf(below)).messageCount, 6);
    // The other fields of an object with a section are the application's own.
    const { summaryModel: __, ...sectionWithoutModel } = sectionSettings;
    assert.equal(
      (await effectOf({ enabled: false, summaryModel: 'bare', autoCompression: sectionWithoutModel })).model,
      undefined,
    );
    assert.equal((await effectOf({ enabled: false, autoCompression: sectionSettings })).model, 'section-model');
  });

  it('R7.1 false as a section turns compression off, and true leaves the settings to the other forms', async () => {
    for (const off of [
      { autoCompression: false },
      { conversation: { autoCompression: false } },
      { [SECTION_KEY]: false },
    ]) {
      const { messages, before, events } = await processed(session(OVER * 2), { config: { ...flat, ...off } });
      assert.deepEqual(messages, before);
      assert.deepEqual(events, []);
    }
    assert.deepEqual(await effectOf({ ...flat, autoCompression: true }), expected);
  });

  it('R7.1 a flat key takes precedence over the key conversation.autoCompression', async () => {
    const both = { ...sectionSettings, [SECTION_KEY]: sectionSettings, autoCompressionSummaryModel: 'flat-model' };
    assert.equal((await effectOf(both)).model, 'flat-model');
  });

  it('R7.1 contextLimit.maxTokens of the section sets the window', async () => {
    const config = { [SECTION_KEY]: { ...sectionSettings, contextLimit: { maxTokens: WINDOW * 2 } } };
    assert.equal((await effectOf(config)).model, undefined);
    const small = { [SECTION_KEY]: { ...sectionSettings, summaryModel: null, contextLimit: { maxTokens: 1_000 } } };
    assert.ok(noticeIn((await processed(session(), { config: small })).messages));
  });

  it('R0.3 the constructor throws a TypeError for a configuration of another type', () => {
    for (const service of [undefined, null, 'x', 7, true]) {
      assert.throws(() => new AutoCompressionManager(service, scripted('')), TypeError);
    }
  });

  it('R7.1 process reads every setting at each call', async () => {
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

describe('R7.1 disabled', () => {
  const config = configuration({ autoCompressionEnabled: false });

  it('R7.1 with autoCompressionEnabled false there is no summary, no cut, no log entry and no figure in stats', async () => {
    const { messages, before, calls, log, events, manager } = await processed(session(OVER * 2), { config });
    assert.deepEqual(messages, before);
    assert.equal(calls.length, 0);
    assert.deepEqual([log.entries, events], [[], []]);
    assert.ok(Object.values(manager.stats()).every((figure) => figure === 0));
  });

  it('R7.1 with autoCompressionEnabled false no message is read', async () => {
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
    const { manager, events } = managerWith({ config });
    await manager.process([unreadable]);
    assert.deepEqual(events, []);
  });

  it('R7.1 with enabled false in the section no summary is requested', async () => {
    const { calls } = await processed(session(FULL), {
      config: { [SECTION_KEY]: { ...sectionSettings, enabled: false } },
    });
    assert.equal(calls.length, 0);
  });
});
