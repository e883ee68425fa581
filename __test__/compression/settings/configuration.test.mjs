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
  WINDOW,
} from '../../support/compression.mjs';

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

  it('R7.1 the section by itself: the whole configuration, below `autoCompression`, or what `get` has there', async () => {
    assert.deepEqual(await effect(nested), wantedNested);
    assert.deepEqual(await effect(() => nested), wantedNested);
    assert.deepEqual(await effect({ autoCompression: nested }), wantedNested);
    assert.deepEqual(await effect(new Map([['autoCompression', nested]])), wantedNested);
    assert.deepEqual(await effect((key) => (key === 'autoCompression' ? nested : undefined)), wantedNested);
    assert.deepEqual(await effect(new Map([['conversation', { autoCompression: nested }]])), wantedNested);
    assert.deepEqual(await effect({ get: () => ({ autoCompression: nested }) }), wantedNested);
  });

  it('R7.1 the window beside the section, at the top level or below `conversation`', async () => {
    const { contextLimit, ...section } = nested;
    const services = [
      { contextLimit, autoCompression: section },
      { contextLimit, conversation: { autoCompression: section } },
      { conversation: { contextLimit, autoCompression: section } },
      { contextLimit, ...section },
      { contextLimit, ...flat, maxContextTokens: undefined },
      new Map(Object.entries({ contextLimit, autoCompression: section })),
      new Map(Object.entries({ contextLimit, [NESTED_KEY]: section })),
      new Map([['conversation', { contextLimit, autoCompression: section }]]),
      () => ({ contextLimit, conversation: { autoCompression: section } }),
    ];
    for (const [at, service] of services.entries()) assert.equal((await effect(service)).left, 6, `service ${at}`);
    const lower = {
      contextLimit: { maxTokens: 1_000_000, hardLimitThreshold: 0.003 },
      autoCompression: { ...section, summaryModel: null },
    };
    assert.ok(noticeIn((await processed(session(), { config: lower })).messages));
  });

  it('R7.1 which wins: flat, below conversation, by itself; the window in the section before the one beside it', async () => {
    const model = (/** @type {string} */ summaryModel) => ({ ...nested, summaryModel });
    const all = {
      autoCompressionSummaryModel: 'flat',
      conversation: { autoCompression: model('below'), contextLimit: { maxTokens: WINDOW } },
      autoCompression: model('beside'),
      contextLimit: { maxTokens: 1e6 },
      summaryModel: 'bare',
    };
    assert.equal((await effect(all)).model, 'flat');
    assert.equal((await effect({ ...all, autoCompressionSummaryModel: null })).model, 'below');
    const { conversation, ...withoutBelow } = { ...all, autoCompressionSummaryModel: null };
    assert.equal((await effect(withoutBelow)).model, 'beside');
    const { contextLimit: _, ...windowless } = nested;
    const below = { conversation: { ...conversation, autoCompression: windowless }, contextLimit: { maxTokens: 1e6 } };
    assert.equal((await effect(below)).left, 6);
    // Beside a section the object's other fields are the host's own.
    const { summaryModel: __, ...modelless } = nested;
    assert.equal((await effect({ enabled: false, summaryModel: 'bare', autoCompression: modelless })).model, undefined);
    assert.equal((await effect({ enabled: false, autoCompression: nested })).model, 'nested-model');
  });

  it('R7.1 false in place of a section turns it off, and true leaves the rest to the other forms', async () => {
    for (const off of [
      { autoCompression: false },
      { conversation: { autoCompression: false } },
      { [NESTED_KEY]: false },
    ]) {
      const made = await processed(session(OVER * 2), { config: { ...flat, ...off } });
      assert.deepEqual(made.messages, made.before);
      assert.deepEqual(made.events, []);
    }
    assert.deepEqual(await effect({ ...flat, autoCompression: true }), wanted);
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
