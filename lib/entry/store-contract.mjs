// @ts-check
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';

/** The tests of everything that an `ArchiveStore` and a `FactStore` must do, for applications that write their own. */

const LONE_SURROGATE = 'half a pair: \uD83D.';
const UNUSUAL_IDS = ['a', 'A', 'a ', "o'; --", 'nul \0 within', '压缩', 'x'.repeat(10_000), `${'x'.repeat(10_000)}y`];
const TIME_MS = 1_700_000_000_000;

/** @param {string} text */
const user = (text) => ({ role: 'user', content: text });

/** @param {string} id @param {unknown[]} messages @param {object} [rest] @returns {any} */
const batch = (id, messages, rest) => ({ id, kind: 'summary', level: 1, at: TIME_MS, messages, ...rest });

/** Declares tests, each with a store of its own. @param {() => any} create */
const testsWith = (create) => (/** @type {string} */ what, /** @type {(store: any) => Promise<void>} */ check) =>
  it(what, async () => {
    const store = await create();
    try {
      await check(store);
    } finally {
      await store.close?.();
    }
  });

/** @param {string} name @param {() => any} create */
export function archiveStoreContract(name, create) {
  const holds = testsWith(create);

  describe(`${name} as an ArchiveStore`, () => {
    holds('gives messages back as JSON carries them', async (store) => {
      const messages = [
        user('a\u0000b 😀'),
        { content: null, list: [1, [2.5, -0.1]], 中文: true },
        null,
        7,
        LONE_SURROGATE,
        {},
      ];
      const { id, count } = await store.append('s', batch('a', messages, { summary: LONE_SURROGATE }));
      assert.deepEqual({ id, count }, { id: 'a', count: 6 });
      assert.deepEqual(await store.get('s', 'a'), messages);
      const text = '{"z":1,"a":{"y":[],"b":"\\u0000\\ud83d"},"10":0}';
      await store.append('s', batch('b', [JSON.parse(text)]));
      assert.equal(JSON.stringify((await store.get('s', 'b'))[0]), JSON.stringify(JSON.parse(text)));
      await store.append('s', batch('none', []));
      assert.deepEqual(await store.get('s', 'none'), []);
    });

    holds('keeps what the messages were when append was called', async (store) => {
      const message = user('before');
      const messages = [message];
      const appended = store.append('s', batch('a', messages));
      message.content = 'after';
      messages.push(user('more'));
      await appended;
      assert.deepEqual(await store.get('s', 'a'), [user('before')]);
    });

    holds('keeps sessions and ids apart, of any length and with any characters', async (store) => {
      for (const session of UNUSUAL_IDS) await store.append(session, batch('a', [user(session)]));
      for (const id of UNUSUAL_IDS.slice(1)) await store.append('a', batch(id, [user(id)]));
      for (const session of UNUSUAL_IDS) assert.deepEqual(await store.get(session, 'a'), [user(session)]);
      const found = await store.getMany('a', UNUSUAL_IDS);
      assert.deepEqual(
        found.map((/** @type {any} */ { id, messages }) => [id, messages[0].content]),
        UNUSUAL_IDS.map((id) => [id, id]),
      );
    });

    holds('gives batches back in the order that is asked for, without those that it has not', async (store) => {
      await store.append('s', batch('a', [user('x'), user('y')], { summary: '摘要' }));
      await store.append('s', batch('b', [user('z')], { kind: 'truncation', level: 3, at: 0.5 }));
      await store.append('t', batch('c', [user('z')]));
      const found = await store.getMany('s', ['b', 'c', 'a', 'b']);
      const b = { id: 'b', kind: 'truncation', level: 3, at: 0.5, count: 1, messages: [user('z')] };
      const a = {
        id: 'a',
        kind: 'summary',
        level: 1,
        at: TIME_MS,
        summary: '摘要',
        count: 2,
        messages: [user('x'), user('y')],
      };
      assert.deepEqual(found, [b, a, b]);
      assert.deepEqual(await store.getMany('s', []), []);
    });

    holds('rejects with ARCHIVE_NOT_FOUND for what it has not', async (store) => {
      await store.append('s', batch('a', [user('x')]));
      await assert.rejects(store.get('s', 'b'), { code: 'ARCHIVE_NOT_FOUND' });
      await assert.rejects(store.get('t', 'a'), { code: 'ARCHIVE_NOT_FOUND' });
    });

    holds('takes the same messages twice for one batch, and refuses others under its id', async (store) => {
      await store.append('s', batch('a', [user('x')], { summary: 'first' }));
      await store.append('s', batch('a', [user('x')], { summary: 'second', at: 5 }));
      for (const other of [
        batch('a', [user('y')]),
        batch('a', [user('x'), user('x')]),
        batch('a', [user('x')], { level: 2 }),
      ]) {
        await assert.rejects(store.append('s', other), { code: 'ARCHIVE_CONFLICT' });
      }
      const [kept] = await store.getMany('s', ['a']);
      assert.deepEqual([kept.summary, kept.at, kept.messages], ['first', TIME_MS, [user('x')]]);
      assert.equal((await store.search('x')).length, 1);
    });

    holds('takes the same messages once when they come at once', async (store) => {
      const appended = Array.from({ length: 8 }, () => store.append('s', batch('a', [user('one'), user('two')])));
      await Promise.all(appended);
      const [{ batches, messages }] = await store.sessions();
      assert.deepEqual([batches, messages], [1, 2]);
    });

    holds('says how much it has of each session, the one appended to last first', async (store) => {
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

    holds('leaves nothing of a deleted session, and others as they were', async (store) => {
      await store.append('s', batch('a', [user('needle')]));
      await store.append('t', batch('a', [user('needle too')]));
      const { batches, messages } = await store.delete('s');
      assert.deepEqual({ batches, messages }, { batches: 1, messages: 1 });
      await assert.rejects(store.get('s', 'a'), { code: 'ARCHIVE_NOT_FOUND' });
      assert.deepEqual(await contents(store, 'needle'), ['needle too']);
      await store.delete('never seen');
      await store.append('s', batch('a', [user('anew')]));
      assert.deepEqual(await store.get('s', 'a'), [user('anew')]);
    });

    holds('says that it is sound', async (store) => {
      await store.append('s', batch('a', [user('x'), LONE_SURROGATE]));
      await store.append('s', batch('none', []));
      assert.deepEqual(await store.integrity(), { ok: true, problems: [] });
    });

    holds('begins nothing for a signal that has aborted', async (store) => {
      const reason = new Error('no longer waited for');
      const signal = AbortSignal.abort(reason);
      await assert.rejects(store.append('s', batch('a', [user('x')]), { signal }), reason);
      await assert.rejects(store.search('x', { signal }), reason);
      await assert.rejects(store.get('s', 'a', { signal }), reason);
      assert.deepEqual(await store.sessions(), []);
    });

    holds('finds messages that hold every word, whatever its case', async (store) => {
      await store.append(
        's',
        batch('a', [user('请压缩上下文'), user('不要压'), user('Alpha then beta'), user('BETA')]),
      );
      assert.deepEqual(await contents(store, 'beta alpha'), ['Alpha then beta']);
      assert.deepEqual((await contents(store, 'beta')).sort(), ['Alpha then beta', 'BETA']);
      assert.deepEqual(await contents(store, '"then beta"'), ['Alpha then beta']);
      assert.deepEqual(await contents(store, '"beta then"'), []);
      assert.deepEqual(await contents(store, '压缩'), ['请压缩上下文']);
      assert.deepEqual((await contents(store, '压')).sort(), ['不要压', '请压缩上下文'].sort());
      assert.deepEqual(await contents(store, '上下文 压缩'), ['请压缩上下文']);
      assert.deepEqual(await contents(store, '  '), []);
    });

    holds('takes a query for text and nothing else', async (store) => {
      const text = `50% of a_b* -x NEAR(y) it's; DROP TABLE messages`;
      await store.append('s', batch('a', [user(text), user('50 axb')]));
      for (const query of ['50%', 'a_b', 'b*', '-x', 'NEAR(y)', "it's; DROP TABLE", '%', '_b', "'"]) {
        assert.deepEqual(await contents(store, query), [text], query);
      }
    });

    holds('says where a hit lies, and shows the match', async (store) => {
      const message = { role: 'tool', content: `${'x'.repeat(300)} ENOENT: 没有文件 ${'x'.repeat(300)}`, timestamp: 3 };
      await store.append('s', batch('a', [user('y'), message], { at: 42 }));
      const [{ snippet, ...hit }] = await store.search('enoent:', { sessionId: 's', context: 20 });
      assert.deepEqual(hit, { sessionId: 's', batchId: 'a', index: 1, at: 42, role: 'tool', message });
      assert.match(snippet, /ENOENT:/);
    });

    holds('searches one session, page by page, the newest of equals first', async (store) => {
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

/** @param {any} store @param {string} query @param {object} [options] @returns {Promise<string[]>} */
async function contents(store, query, options) {
  const hits = await store.search(query, options);
  return hits.map((/** @type {any} */ { message }) => message.content);
}

/** @param {any} store @param {string} id @returns {Promise<string[]>} */
async function textsIn(store, id) {
  return textsOf(await store.facts(id));
}

/** @param {any[]} facts @returns {string[]} */
const textsOf = (facts) => facts.map(({ fact }) => fact);

/** @param {string} name @param {() => any} create */
export function factStoreContract(name, create) {
  const holds = testsWith(create);

  describe(`${name} as a FactStore`, () => {
    holds('has nothing of a new conversation', async (store) => {
      assert.deepEqual(await store.facts('c'), []);
      assert.deepEqual(await store.appendFacts('c', 0, []), []);
      assert.deepEqual(await store.facts('c'), []);
    });

    holds('gives facts back byte for byte and in their order', async (store) => {
      const facts = [
        '{"z":1, "a":[1.0,"\\u0000\\ud83d 压缩 😀\u2028"],"z":2}',
        '{"b":1 }',
        '{"b":1 }',
        '',
        'x'.repeat(1_000_000),
      ];
      assert.deepEqual(textsOf(await store.appendFacts('c', 0, facts.slice(0, 2))), facts.slice(0, 2));
      assert.deepEqual(textsOf(await store.appendFacts('c', 2, facts.slice(2))), facts.slice(2));
      assert.deepEqual(await textsIn(store, 'c'), facts);
      assert.deepEqual(textsOf(await store.appendFacts('c', 3, [])), facts.slice(3));
      assert.deepEqual(await store.appendFacts('c', 5, []), []);
    });

    holds('keeps what the facts were when appendFacts was called', async (store) => {
      const facts = ['before'];
      const appended = store.appendFacts('c', 0, facts);
      facts[0] = 'after';
      await appended;
      assert.deepEqual(await textsIn(store, 'c'), ['before']);
    });

    holds('says when each fact was written, by one clock', async (store) => {
      const [first] = await store.appendFacts('c', 0, ['one']);
      await wait(20);
      const [second] = await store.appendFacts('c', 1, ['two']);
      assert.ok(second.atMs - first.atMs >= 15, `${first.atMs}, ${second.atMs}`);
      assert.ok(Math.abs(second.atMs - Date.now()) < 86_400_000, 'ms since the epoch');
      assert.deepEqual(
        await store.facts('c'),
        [first, second].map(({ fact, atMs }) => ({ fact, atMs })),
      );
    });

    holds('keeps conversations apart, whatever their ids', async (store) => {
      for (const id of UNUSUAL_IDS) await store.appendFacts(id, 0, [id.replace('\0', '')]);
      for (const id of UNUSUAL_IDS) assert.deepEqual(await textsIn(store, id), [id.replace('\0', '')]);
    });

    holds('inserts nothing where somebody has, and says what stands', async (store) => {
      await store.appendFacts('c', 0, ['one', 'two']);
      assert.deepEqual(textsOf(await store.appendFacts('c', 1, ['other', 'three'])), ['two']);
      assert.deepEqual(textsOf(await store.appendFacts('c', 0, ['other'])), ['one', 'two']);
      assert.deepEqual(await textsIn(store, 'c'), ['one', 'two']);
    });

    holds('adds nothing when a call is repeated, because its answer was lost', async (store) => {
      for (const _ of [1, 2, 3]) assert.deepEqual(textsOf(await store.appendFacts('c', 0, ['one'])), ['one']);
      for (const _ of [1, 2, 3]) {
        assert.deepEqual(textsOf(await store.appendFacts('c', 1, ['two', 'three'])), ['two', 'three']);
      }
      await store.appendFacts('c', 3, ['four']);
      assert.deepEqual(textsOf(await store.appendFacts('c', 1, ['two', 'three'])), ['two', 'three', 'four']);
    });

    holds('inserts nothing after more facts than stand, and answers with none', async (store) => {
      assert.deepEqual(await store.appendFacts('c', 1, ['two']), []);
      await store.appendFacts('c', 0, ['one']);
      assert.deepEqual(await store.appendFacts('c', 2, ['three']), []);
      assert.deepEqual(await store.appendFacts('c', 2, []), []);
      assert.deepEqual(await textsIn(store, 'c'), ['one']);
    });

    holds('lets one of many have a position, and tells all the same', async (store) => {
      await store.appendFacts('c', 0, ['one']);
      const writers = Array.from({ length: 8 }, (_, place) => store.appendFacts('c', 1, [`${place}`, 'and more']));
      const answers = (await Promise.all(writers)).map(textsOf);
      const [, ...standing] = await textsIn(store, 'c');
      assert.equal(standing.length, 2);
      for (const answer of answers) assert.deepEqual(answer, standing);
    });

    holds('loses nothing of many that write at once', async (store) => {
      const write = async (/** @type {number} */ writer) => {
        for (let nth = 0; nth < 5; nth++) {
          for (let from = 0, isIn = false; !isIn; ) {
            const standing = textsOf(await store.appendFacts('c', from, [`${writer}/${nth}`]));
            isIn = standing.includes(`${writer}/${nth}`);
            from += standing.length;
          }
        }
      };
      await Promise.all(Array.from({ length: 4 }, (_, writer) => write(writer)));
      const all = await textsIn(store, 'c');
      assert.equal(all.length, 20);
      for (let writer = 0; writer < 4; writer++) {
        const own = all.filter((fact) => fact.startsWith(`${writer}/`));
        assert.deepEqual(
          own,
          Array.from({ length: 5 }, (_, nth) => `${writer}/${nth}`),
        );
      }
    });

    holds('begins nothing for a signal that has aborted', async (store) => {
      const reason = new Error('no longer waited for');
      const signal = AbortSignal.abort(reason);
      await assert.rejects(store.facts('c', { signal }), reason);
      await assert.rejects(store.appendFacts('c', 0, ['one'], { signal }), reason);
      assert.deepEqual(await store.facts('c'), []);
    });

    holds('has nothing of a conversation whose session was deleted', async (store) => {
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
