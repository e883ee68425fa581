// @ts-check
/** The tests of everything that an `ArchiveStore` and a `FactStore` must do, for applications that write their own. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';

const LONE_SURROGATE = 'half a pair: \uD83D.';
const UNUSUAL_IDS = ['a', 'A', 'a ', "o'; --", 'nul \0 within', '压缩', 'x'.repeat(10_000), `${'x'.repeat(10_000)}y`];
const TIME_MS = 1_700_000_000_000;

/** @param {string} text */
const user = (text) => ({ role: 'user', content: text });
/** @param {string} id @param {unknown[]} messages @param {object} [rest] @returns {any} */
const batch = (id, messages, rest) => ({ id, kind: 'summary', level: 1, at: TIME_MS, messages, ...rest });

/** Declares tests, each with a store of its own. @param {() => any} create */
const testsWith = (create) => (/** @type {string} */ title, /** @type {(store: any) => Promise<void>} */ check) =>
  it(title, async (context) => {
    const store = await create();
    context.after(() => store.close?.());
    await check(store);
  });

/** @param {string} name @param {() => any} create */
export function archiveStoreContract(name, create) {
  const test = testsWith(create);
  describe(`${name} as an ArchiveStore`, () => {
    test('returns messages as JSON represents them', async (store) => {
      const nested = { content: null, list: [1, [2.5, -0.1]], 中文: true };
      const messages = [user('a\u0000b 😀'), nested, null, 7, LONE_SURROGATE, {}];
      const { id, count } = await store.append('s', batch('a', messages, { summary: LONE_SURROGATE }));
      assert.deepEqual({ id, count }, { id: 'a', count: 6 });
      assert.deepEqual(await store.get('s', 'a'), messages);
      const text = '{"z":1,"a":{"y":[],"b":"\\u0000\\ud83d"},"10":0}';
      await store.append('s', batch('b', [JSON.parse(text)]));
      assert.equal(JSON.stringify((await store.get('s', 'b'))[0]), JSON.stringify(JSON.parse(text)));
      await store.append('s', batch('none', []));
      assert.deepEqual(await store.get('s', 'none'), []);
    });

    test('stores the messages as they were when append was called', async (store) => {
      const message = user('before');
      const messages = [message];
      const appended = store.append('s', batch('a', messages));
      message.content = 'after';
      messages.push(user('more'));
      await appended;
      assert.deepEqual(await store.get('s', 'a'), [user('before')]);
    });

    test('keeps sessions and ids apart, of any length and with any characters', async (store) => {
      for (const session of UNUSUAL_IDS) await store.append(session, batch('a', [user(session)]));
      for (const id of UNUSUAL_IDS.slice(1)) await store.append('a', batch(id, [user(id)]));
      for (const session of UNUSUAL_IDS) assert.deepEqual(await store.get(session, 'a'), [user(session)]);
      const found = (await store.getMany('a', UNUSUAL_IDS)).map((/** @type {any} */ { id, messages }) => [
        id,
        messages,
      ]);
      const expected = UNUSUAL_IDS.map((id) => [id, [user(id)]]);
      assert.deepEqual(found, expected);
    });

    test('returns batches in the requested order, without missing ones', async (store) => {
      const a = batch('a', [user('x'), user('y')], { summary: '摘要' });
      const b = batch('b', [user('z')], { kind: 'truncation', level: 3, at: 0.5 });
      for (const one of [a, b]) await store.append('s', one);
      await store.append('t', batch('c', [user('z')]));
      const found = await store.getMany('s', ['b', 'c', 'a', 'b']);
      const [foundA, foundB] = [a, b].map((one) => ({ ...one, count: one.messages.length }));
      assert.deepEqual(found, [foundB, foundA, foundB]);
      assert.deepEqual(await store.getMany('s', []), []);
    });

    test('rejects an unknown id with ARCHIVE_NOT_FOUND', async (store) => {
      await store.append('s', batch('a', [user('x')]));
      await assert.rejects(store.get('s', 'b'), { code: 'ARCHIVE_NOT_FOUND' });
      await assert.rejects(store.get('t', 'a'), { code: 'ARCHIVE_NOT_FOUND' });
    });

    test('accepts the same batch twice, and rejects other messages under its id', async (store) => {
      await store.append('s', batch('a', [user('x')], { summary: 'first' }));
      await store.append('s', batch('a', [user('x')], { summary: 'second', at: 5 }));
      const others = [
        batch('a', [user('y')]),
        batch('a', [user('x'), user('x')]),
        batch('a', [user('x')], { level: 2 }),
      ];
      for (const other of others) await assert.rejects(store.append('s', other), { code: 'ARCHIVE_CONFLICT' });
      const [kept] = await store.getMany('s', ['a']);
      assert.deepEqual([kept.summary, kept.at, kept.messages], ['first', TIME_MS, [user('x')]]);
      assert.equal((await store.search('x')).length, 1);
    });

    test('stores a batch once if it is appended concurrently', async (store) => {
      const append = () => store.append('s', batch('a', [user('one'), user('two')]));
      await Promise.all(Array.from({ length: 8 }, append));
      const [{ batches, messages }] = await store.sessions();
      assert.deepEqual([batches, messages], [1, 2]);
    });

    test('lists figures of each session, the most recently appended first', async (store) => {
      assert.deepEqual(await store.sessions(), []);
      await store.append('s', batch('a', [user('x'), user('y')], { at: 10 }));
      await store.append('t', batch('a', [{}], { at: 5 }));
      await store.append('s', batch('b', [user('é')], { at: 20 }));
      const bytes = 2 * JSON.stringify(user('x')).length + new TextEncoder().encode(JSON.stringify(user('é'))).length;
      assert.deepEqual(await store.sessions(), [
        { sessionId: 's', batches: 2, messages: 3, bytes, firstAt: 10, lastAt: 20 },
        { sessionId: 't', batches: 1, messages: 1, bytes: 2, firstAt: 5, lastAt: 5 },
      ]);
    });

    test('deletes a session completely, and no other', async (store) => {
      await store.append('s', batch('a', [user('needle')]));
      await store.append('t', batch('a', [user('needle too')]));
      const { batches, messages } = await store.delete('s');
      assert.deepEqual([batches, messages], [1, 1]);
      await assert.rejects(store.get('s', 'a'), { code: 'ARCHIVE_NOT_FOUND' });
      assert.deepEqual(await contents(store, 'needle'), ['needle too']);
      await store.delete('never seen');
      await store.append('s', batch('a', [user('anew')]));
      assert.deepEqual(await store.get('s', 'a'), [user('anew')]);
    });

    test('reports its integrity', async (store) => {
      await store.append('s', batch('a', [user('x'), LONE_SURROGATE]));
      await store.append('s', batch('none', []));
      assert.deepEqual(await store.integrity(), { ok: true, problems: [] });
    });

    test('starts nothing for an aborted signal', async (store) => {
      const signal = AbortSignal.abort(new Error('no longer waited for'));
      await assert.rejects(store.append('s', batch('a', [user('x')]), { signal }), signal.reason);
      await assert.rejects(store.search('x', { signal }), signal.reason);
      await assert.rejects(store.get('s', 'a', { signal }), signal.reason);
      assert.deepEqual(await store.sessions(), []);
    });

    test('finds messages that contain every word, in any case', async (store) => {
      const messages = ['请压缩上下文', '不要压', 'Alpha then beta', 'BETA'].map(user);
      await store.append('s', batch('a', messages));
      assert.deepEqual(await contents(store, 'beta alpha'), ['Alpha then beta']);
      assert.deepEqual((await contents(store, 'beta')).sort(), ['Alpha then beta', 'BETA']);
      assert.deepEqual(await contents(store, '"then beta"'), ['Alpha then beta']);
      assert.deepEqual(await contents(store, '"beta then"'), []);
      assert.deepEqual(await contents(store, '压缩'), ['请压缩上下文']);
      assert.deepEqual((await contents(store, '压')).sort(), ['不要压', '请压缩上下文'].sort());
      assert.deepEqual(await contents(store, '上下文 压缩'), ['请压缩上下文']);
      assert.deepEqual(await contents(store, '  '), []);
    });

    test('reads a query as plain text', async (store) => {
      const text = `50% of a_b* -x NEAR(y) it's; DROP TABLE messages`;
      await store.append('s', batch('a', [user(text), user('50 axb')]));
      for (const query of ['50%', 'a_b', 'b*', '-x', 'NEAR(y)', "it's; DROP TABLE", '%', '_b', "'"]) {
        assert.deepEqual(await contents(store, query), [text], query);
      }
    });

    test('reports where a hit is, with the text around the match', async (store) => {
      const message = { role: 'tool', content: `${'x'.repeat(300)} ENOENT: 没有文件 ${'x'.repeat(300)}`, timestamp: 3 };
      await store.append('s', batch('a', [user('y'), message], { at: 42 }));
      const [{ snippet, ...hit }] = await store.search('enoent:', { sessionId: 's', context: 20 });
      assert.deepEqual(hit, { sessionId: 's', batchId: 'a', index: 1, at: 42, role: 'tool', message });
      assert.match(snippet, /ENOENT:/);
    });

    test('searches one session, page by page, the newest of equals first', async (store) => {
      const texts = Array.from({ length: 7 }, (_, index) => `entry ${index}`);
      await store.append('s', batch('a', texts.slice(0, 4).map(user)));
      await store.append('t', batch('a', texts.map(user)));
      await store.append('s', batch('b', texts.slice(4).map(user)));
      assert.deepEqual(await contents(store, 'entry', { sessionId: 's' }), [...texts].reverse());
      const page = (/** @type {number} */ offset) => contents(store, 'entry', { sessionId: 's', limit: 3, offset });
      assert.deepEqual([...(await page(0)), ...(await page(3)), ...(await page(6))], [...texts].reverse());
      assert.equal((await store.search('entry')).length, 14);
      assert.deepEqual(await store.search('entry', { limit: 0 }), []);
    });
  });
}

/** Contents of the messages found. @param {any} store @param {string} query @param {object} [options] @returns {Promise<string[]>} */
const contents = async (store, query, options) =>
  (await store.search(query, options)).map((/** @type {any} */ { message }) => message.content);

/** @param {any[]} facts @returns {string[]} */
const textsOf = (facts) => facts.map(({ fact }) => fact);
/** @param {any} store @param {string} id @returns {Promise<string[]>} */
const textsIn = async (store, id) => textsOf(await store.facts(id));

/** @param {string} name @param {() => any} create */
export function factStoreContract(name, create) {
  const test = testsWith(create);
  describe(`${name} as a FactStore`, () => {
    test('has no facts of a new conversation', async (store) => {
      assert.deepEqual(await store.facts('c'), []);
      assert.deepEqual(await store.appendFacts('c', 0, []), []);
      assert.deepEqual(await store.facts('c'), []);
    });

    test('returns facts byte for byte, in order', async (store) => {
      const unusual = '{"z":1, "a":[1.0,"\\u0000\\ud83d 压缩 😀\u2028"],"z":2}';
      const facts = [unusual, '{"b":1 }', '{"b":1 }', '', 'x'.repeat(1_000_000)];
      assert.deepEqual(textsOf(await store.appendFacts('c', 0, facts.slice(0, 2))), facts.slice(0, 2));
      assert.deepEqual(textsOf(await store.appendFacts('c', 2, facts.slice(2))), facts.slice(2));
      assert.deepEqual(await textsIn(store, 'c'), facts);
      assert.deepEqual(textsOf(await store.appendFacts('c', 3, [])), facts.slice(3));
      assert.deepEqual(await store.appendFacts('c', 5, []), []);
    });

    test('stores the facts as they were when appendFacts was called', async (store) => {
      const facts = ['before'];
      const appended = store.appendFacts('c', 0, facts);
      facts[0] = 'after';
      await appended;
      assert.deepEqual(await textsIn(store, 'c'), ['before']);
    });

    test('returns when each fact was written, by one clock', async (store) => {
      const [first] = await store.appendFacts('c', 0, ['one']);
      await wait(20);
      const [second] = await store.appendFacts('c', 1, ['two']);
      assert.ok(second.atMs - first.atMs >= 15, `${first.atMs}, ${second.atMs}`);
      assert.ok(Math.abs(second.atMs - Date.now()) < 86_400_000, 'ms since the epoch');
      const known = [first, second].map(({ fact, atMs }) => ({ fact, atMs }));
      assert.deepEqual(await store.facts('c'), known);
    });

    test('keeps conversations apart, whatever their ids', async (store) => {
      // Facts are JSON, so they hold no NUL, which a database may refuse in texts.
      for (const id of UNUSUAL_IDS) await store.appendFacts(id, 0, [id.replace('\0', '')]);
      for (const id of UNUSUAL_IDS) assert.deepEqual(await textsIn(store, id), [id.replace('\0', '')]);
    });

    test('inserts nothing at a taken position, and returns the facts there', async (store) => {
      await store.appendFacts('c', 0, ['one', 'two']);
      assert.deepEqual(textsOf(await store.appendFacts('c', 1, ['other', 'three'])), ['two']);
      assert.deepEqual(textsOf(await store.appendFacts('c', 0, ['other'])), ['one', 'two']);
      assert.deepEqual(await textsIn(store, 'c'), ['one', 'two']);
    });

    test('adds nothing when a call is repeated', async (store) => {
      for (const _ of [1, 2, 3]) assert.deepEqual(textsOf(await store.appendFacts('c', 0, ['one'])), ['one']);
      const append = async () => textsOf(await store.appendFacts('c', 1, ['two', 'three']));
      for (const _ of [1, 2, 3]) assert.deepEqual(await append(), ['two', 'three']);
      await store.appendFacts('c', 3, ['four']);
      assert.deepEqual(await append(), ['two', 'three', 'four']);
    });

    test('inserts nothing at a position beyond the end, and returns none', async (store) => {
      assert.deepEqual(await store.appendFacts('c', 1, ['two']), []);
      await store.appendFacts('c', 0, ['one']);
      assert.deepEqual(await store.appendFacts('c', 2, ['three']), []);
      assert.deepEqual(await store.appendFacts('c', 2, []), []);
      assert.deepEqual(await textsIn(store, 'c'), ['one']);
    });

    test('lets one of several writers have a position, and returns its facts to all', async (store) => {
      await store.appendFacts('c', 0, ['one']);
      const writers = Array.from({ length: 8 }, (_, place) => store.appendFacts('c', 1, [`${place}`, 'and more']));
      const answers = (await Promise.all(writers)).map(textsOf);
      const [, ...stored] = await textsIn(store, 'c');
      assert.equal(stored.length, 2);
      for (const answer of answers) assert.deepEqual(answer, stored);
    });

    test('loses nothing of concurrent writers', async (store) => {
      const factsByWriter = [0, 1, 2, 3].map((writer) => [0, 1, 2, 3, 4].map((nth) => `${writer}/${nth}`));
      const write = async (/** @type {string[]} */ facts) => {
        for (const fact of facts) {
          for (let from = 0, isWritten = false; !isWritten; ) {
            const stored = textsOf(await store.appendFacts('c', from, [fact]));
            isWritten = stored.includes(fact);
            from += stored.length;
          }
        }
      };
      await Promise.all(factsByWriter.map(write));
      const all = await textsIn(store, 'c');
      assert.equal(all.length, 20);
      for (const facts of factsByWriter) {
        const own = all.filter((fact) => facts.includes(fact));
        assert.deepEqual(own, facts);
      }
    });

    test('starts nothing for an aborted signal', async (store) => {
      const signal = AbortSignal.abort(new Error('no longer waited for'));
      await assert.rejects(store.facts('c', { signal }), signal.reason);
      await assert.rejects(store.appendFacts('c', 0, ['one'], { signal }), signal.reason);
      assert.deepEqual(await store.facts('c'), []);
    });

    test('has no facts of a conversation whose session was deleted', async (store) => {
      if (store.delete === undefined) return;
      await store.appendFacts('c', 0, ['one', 'two']);
      await store.append?.('c', batch('a', [user('x')]));
      await store.appendFacts('other', 0, ['kept']);
      await store.delete('c');
      assert.deepEqual(await store.facts('c'), []);
      assert.deepEqual(await store.appendFacts('c', 2, ['three']), []);
      assert.deepEqual(textsOf(await store.appendFacts('c', 0, ['again'])), ['again']);
      assert.deepEqual(await textsIn(store, 'other'), ['kept']);
    });
  });
}
