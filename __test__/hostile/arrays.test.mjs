// @ts-check
/** Unusual message arrays: read-only slots, observers that throw, sparse and endless arrays, and subclasses of Array. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import * as palimpsest from 'palimpsest';
import { configuration, NOW, scripted, session, summary } from '../support/compression.mjs';
import { fiveNewer, oldTerminalResult } from '../support/old-results.mjs';

const { AutoCompressionManager, cleanOrphanedToolCalls, simplifyOutdatedTerminalResults } = palimpsest;
const p = /** @type {any} */ (palimpsest);

const refusal = { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE', message: /refuses a change; it is as it was$/ };

/** Two results that are replaced, with orphaned calls before and after them. */
const history = () => {
  const orphan = (/** @type {number} */ at) => ({
    role: 'assistant',
    content: '',
    tool_calls: [{ id: `lost${at}`, type: 'function', function: { name: 'f', arguments: '{}' } }],
  });
  return [orphan(0), ...oldTerminalResult('a'), orphan(1), ...oldTerminalResult('b'), orphan(2), ...fiveNewer()];
};

/** @type {Record<string, (messages: any[]) => unknown>} */
const CHANGES = {
  cleanOrphanedToolCalls: (messages) => cleanOrphanedToolCalls(messages),
  simplifyOutdatedTerminalResults: (messages) => simplifyOutdatedTerminalResults(messages, { now: NOW + 1e12 }),
};

/** The keys that a change writes to, `length` included. @param {(messages: any[]) => unknown} change */
function writesOf(change) {
  /** @type {string[]} */
  const written = [];
  const observed = new Proxy(history(), {
    set(target, key, value) {
      written.push(String(key));
      return Reflect.set(target, key, value);
    },
  });
  change(observed);
  return written;
}

describe('R0.3 an array is changed completely or not at all', () => {
  for (const [name, change] of Object.entries(CHANGES)) {
    const writes = writesOf(change);

    it(`${name} changes no slot if one that it would write is read-only`, () => {
      assert.ok(writes.length > 1, 'several slots would change');
      for (const key of new Set(writes)) {
        const messages = history();
        Object.defineProperty(messages, key, { writable: false });
        const before = [...messages];
        assert.throws(() => change(messages), refusal, key);
        assert.equal(messages.length, before.length, key);
        assert.ok(
          messages.every((slot, index) => slot === before[index]),
          key,
        );
      }
    });

    it(`${name} changes no slot if a proxy throws at the n-th write, before or after it`, () => {
      for (let failing = 0; failing < writes.length; failing++) {
        for (const isAfterWrite of [false, true]) {
          const target = history();
          const before = [...target];
          let at = 0;
          const observed = new Proxy(target, {
            set(array, key, value) {
              const isFailing = at++ >= failing;
              if (isFailing && !isAfterWrite) throw new Error('the observer throws');
              Reflect.set(array, key, value);
              if (isFailing) throw new Error('the observer throws');
              return true;
            },
          });
          assert.throws(() => change(observed), refusal);
          assert.deepEqual(Object.keys(target), Object.keys(before));
          assert.ok(target.every((slot, index) => slot === before[index]));
        }
      }
    });
  }

  it('if a proxy throws during a write, process changes no slot and reports failed, and compress rejects', async () => {
    for (const failing of [0, 1, 3]) {
      const target = session();
      const before = [...target];
      let writes = 0;
      const observed = new Proxy(target, {
        set(array, key, value) {
          if (writes++ === failing) throw new Error('the observer throws');
          return Reflect.set(array, key, value);
        },
      });
      const manager = new AutoCompressionManager(configuration(), scripted(summary()));
      /** @type {string[]} */
      const events = [];
      manager.onEvent(({ type }) => events.push(type));
      await manager.process(observed, { now: NOW });
      assert.ok(target.length === before.length && target.every((slot, index) => slot === before[index]));
      assert.ok(events.includes('failed'), events.join());
      writes = 0;
      await assert.rejects(manager.compress(observed, { now: NOW, summary: summary() }), refusal);
      assert.ok(target.length === before.length && target.every((slot, index) => slot === before[index]));
    }
  });

  it('cleanOrphanedToolCalls changes an array completely or not at all, for random orphans and read-only slots', () => {
    const choice = fc.tuple(fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }), fc.nat(40), fc.boolean());
    fc.assert(
      fc.property(choice, ([orphans, failing, isLengthFixed]) => {
        const target = orphans.flatMap((isOrphan, at) =>
          isOrphan ? history().slice(0, 1) : [{ role: 'user', content: `${at}` }],
        );
        const before = [...target];
        if (isLengthFixed) Object.defineProperty(target, 'length', { writable: false });
        else Object.defineProperty(target, failing % target.length, { writable: false });
        let isDone = false;
        try {
          cleanOrphanedToolCalls(target);
          isDone = true;
        } catch (error) {
          assert.equal(/** @type {any} */ (error).code, 'ERR_INVALID_ARG_TYPE');
        }
        const expected = isDone ? before.filter(({ role }) => role === 'user') : before;
        assert.deepEqual(target, expected);
      }),
    );
  });
});

describe('R0.3 an array of length 2³²−1 is refused before its elements are read', () => {
  const endless = () => /** @type {any[]} */ (new Array(2 ** 32 - 1));
  const counter = new palimpsest.TokenCounter();
  /** @type {Record<string, () => unknown>} */
  const calls = {
    cleanOrphanedToolCalls: () => cleanOrphanedToolCalls(endless()),
    simplifyOutdatedTerminalResults: () => simplifyOutdatedTerminalResults(endless()),
    simplifyHistoricalFileReads: () => palimpsest.simplifyHistoricalFileReads(endless()),
    simplifyTextSearchResults: () => palimpsest.simplifyTextSearchResults(endless()),
    simplifyToolResults: () => palimpsest.simplifyToolResults(endless(), []),
    'simplifyToolResults, rules': () => palimpsest.simplifyToolResults([], endless()),
    'a rule’s tools': () => palimpsest.simplifyToolResults([], [{ name: 'r', placeholder: '', tools: endless() }]),
    terminalTools: () => simplifyOutdatedTerminalResults([], { terminalTools: endless() }),
    prepareMessages: () => palimpsest.prepareMessages(endless()),
    'ContextView.project': () => new palimpsest.ContextView().project(endless()),
    'ContextViews.project': () => new palimpsest.ContextViews().project(endless()),
    contextPicture: () => palimpsest.contextPicture(new palimpsest.ContextView(), endless()),
    'ContextView, rules': () => new palimpsest.ContextView({ rules: endless() }),
    expandHistory: () => palimpsest.expandHistory(endless()),
    stripForApi: () => palimpsest.stripForApi(endless()),
    'stripForApi, keep': () => p.stripForApi([], { keep: endless() }),
    countMessages: () => counter.countMessages(endless()),
    'countMessages, tools': () => counter.countMessages([], { tools: endless() }),
    fits: () => counter.fits(endless(), 5),
    sanitizeToolResults: () => palimpsest.sanitizeToolResults(endless()),
    largeDataFields: () => palimpsest.sanitizeToolResult({}, { largeDataFields: endless() }),
    formatToolResultForModel: () => palimpsest.formatToolResultForModel(endless()),
    'runWithProgress, stages': () => p.runWithProgress({ tool: 't', emit() {}, stages: endless() }, async () => 1),
    caCertificates: () => new palimpsest.HttpLlmClient({ baseUrl: 'http://127.0.0.1:9', caCertificates: endless() }),
    'AutoCompressionManager, tools': () =>
      new AutoCompressionManager(configuration(), scripted(summary()), null, { tools: endless() }),
  };
  for (const [name, call] of Object.entries(calls)) {
    it(`${name}: a RangeError`, async () => {
      await assert.rejects(async () => call(), { name: 'RangeError', code: 'ERR_OUT_OF_RANGE' });
    });
  }

  it('HttpLlmClient.chat, SessionArchive.append and compress reject for such an array, and process does not', async () => {
    const client = new palimpsest.HttpLlmClient({ baseUrl: 'http://127.0.0.1:9', model: 'm' });
    const refused = { name: 'RangeError', code: 'ERR_OUT_OF_RANGE' };
    await assert.rejects(client.chat({ messages: endless() }), refused);
    const archive = new palimpsest.SessionArchive('/nowhere/never-opened.db');
    const batch = /** @type {any} */ ({ id: 'b', kind: 'summary', level: 1, at: NOW, messages: endless() });
    await assert.rejects(archive.append('s', batch), refused);
    const manager = new AutoCompressionManager(configuration(), scripted({ content: endless() }));
    await assert.rejects(manager.compress(endless()), refused);
    assert.equal(await manager.process(endless()), undefined);
    assert.equal(await manager.process(session(), { now: NOW }), undefined);
  });
});

describe('R0.3 a message that holds an array of length 2³²−1 is left unchanged, and the messages after it are processed', () => {
  const endless = () => new Array(2 ** 32 - 1);
  /** @type {Record<string, () => any>} */
  const MESSAGES = {
    content: () => ({ role: 'user', content: endless() }),
    'tool calls': () => ({ role: 'assistant', content: '', tool_calls: endless() }),
    images: () => ({ role: 'user', content: '', images: endless() }),
    result: () => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: endless() }] }),
    input: () => ({ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: endless() }] }),
    parts: () => ({ role: 'model', parts: endless() }),
    output: () => ({ type: 'function_call_output', call_id: 'a', output: endless() }),
  };
  for (const [what, message] of Object.entries(MESSAGES)) {
    it(`array in ${what}`, async () => {
      const invalid = message();
      const messages = [invalid, ...session()];
      const counter = new palimpsest.TokenCounter();
      for (let times = 0; times < 2; times++) {
        assert.equal(palimpsest.prepareMessages(messages, { now: NOW, orphans: false }).messages[0], invalid);
        cleanOrphanedToolCalls([...messages]);
        assert.ok(counter.countMessages(messages) > 0);
        assert.equal(palimpsest.expandHistory(messages)[0], invalid);
        assert.equal(palimpsest.stripForApi(messages).length, messages.length);
      }
      await new AutoCompressionManager(configuration(), scripted(summary())).process(messages, { now: NOW });
      assert.ok(messages.length < session().length, 'the messages were compressed');
    });
  }

  it('sanitizeToolResult filters such an array as a result, and it is accepted in place of options', () => {
    const data = randomBytes(15_000).toString('base64');
    const result = Object.assign(endless(), { 7: data });
    const copy = palimpsest.sanitizeToolResult(result);
    assert.match(copy[7], /^\[LARGE_DATA_FILTERED/);
    assert.equal(copy.length, 2 ** 32 - 1);
    assert.equal(result[7], data);
    const options = /** @type {any} */ (endless());
    assert.equal(simplifyOutdatedTerminalResults([], options).changed, 0);
  });

  it('expandHistory throws ERR_DAMAGED_HISTORY for a record with such an array as originals', () => {
    const compression = { id: 'a', level: 1, kind: 'summary', originalMessages: endless() };
    const damaged = [{ role: 'user', content: '', isCompressed: true, compression }];
    assert.throws(() => palimpsest.expandHistory(damaged), { code: 'ERR_DAMAGED_HISTORY' });
  });
});

describe('R0.1 an array of a subclass of Array whose methods throw', () => {
  const refuse = () => {
    throw new Error('a method of the application’s class');
  };
  class History extends Array {}
  for (const name of ['slice', 'splice', 'map', 'forEach', 'filter', 'indexOf', 'push', 'concat', Symbol.iterator]) {
    Object.defineProperty(History.prototype, name, { value: refuse });
  }
  Object.defineProperty(History, Symbol.species, { get: refuse });

  /** @param {any[]} messages @returns {any} */
  const asHistory = (messages) => Object.assign(new History(messages.length), messages);
  const plain = (/** @type {any} */ messages) => Array.from({ length: messages.length }, (_, at) => messages[at]);

  for (const [name, change] of Object.entries({
    ...CHANGES,
    simplifyToolResults: (/** @type {any[]} */ messages) =>
      p.simplifyToolResults(messages, [{ name: 'r', tools: ['f'], placeholder: '-' }], { now: NOW }),
    prepareMessages: (/** @type {any[]} */ messages) => p.prepareMessages(messages, { now: NOW + 1e12 }).messages,
    stripForApi: (/** @type {any[]} */ messages) => p.stripForApi(messages),
    expandHistory: (/** @type {any[]} */ messages) => p.expandHistory(messages),
    countMessages: (/** @type {any[]} */ messages) => new p.TokenCounter().countMessages(messages),
  })) {
    it(`${name} gives the same as for a plain array`, () => {
      const messages = asHistory(history());
      const array = history();
      assert.deepEqual(change(messages), change(array));
      assert.deepEqual(plain(messages), array);
    });
  }

  for (const model of ['small-model', undefined]) {
    it(`process ${model === undefined ? 'cuts' : 'summarises'} it like a plain array`, async () => {
      const [messages, array] = [asHistory(session(4_600)), session(4_600)];
      for (const each of [messages, array]) {
        const settings = configuration({ autoCompressionSummaryModel: model });
        const manager = new AutoCompressionManager(settings, scripted(summary()));
        await manager.process(each, { now: NOW });
      }
      assert.ok(array.some(({ isCompressed }) => isCompressed));
      const withKinds = (/** @type {any} */ messages) =>
        plain(messages).map(({ compression, ...rest }) => ({ ...rest, kind: compression?.kind }));
      assert.deepEqual(withKinds(messages), withKinds(array));
    });
  }
});

describe('a view of a sparse array', () => {
  it('R10.7 R10.13 has a positive cost in ledger(), and its export can be imported', () => {
    const messages = history();
    messages.length += 3;
    const view = new palimpsest.ContextView({ price: 'openai' });
    view.project(messages, { now: NOW });
    const { cost } = view.ledger();
    assert.ok(cost > 0, String(cost));
    assert.doesNotThrow(() => palimpsest.ContextView.import(view.export()).project(messages, { now: NOW }));
  });
});
