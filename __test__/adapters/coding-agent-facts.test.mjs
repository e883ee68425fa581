// @ts-check
/** The stores of the coding agents' sessions, by what every store of facts has to do in one process. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { PiSession } from '../support/adapters/pi-host.mjs';

const require = createRequire(import.meta.url);
const { SessionStore } = require('../../lib/adapters/pi/session-store.js');
const { StateFile } = require('../../lib/adapters/opencode/state-file.js');

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-facts-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;

/** @param {PiSession} session */
function inSession(session) {
  const store = new SessionStore((customType, data) => session.append({ type: 'custom', customType, data }));
  store.session = session;
  return store;
}

/** Each gives stores of one new session. @type {Record<string, () => () => any>} */
const STORES = {
  'a session of pi': () => {
    const session = new PiSession();
    return () => inSession(session);
  },
  'a session of opencode': () => {
    const name = `${++files}`;
    return () => new StateFile(folder, name);
  },
};

/** @param {{ fact: string }[]} facts */
const textsOf = (facts) => facts.map(({ fact }) => fact);

for (const [name, openSession] of Object.entries(STORES)) {
  describe(`R15.1 ${name} keeps facts`, () => {
    it('in their order, also for the next process, beside what was sent', async () => {
      const open = openSession();
      const store = open();
      assert.deepEqual(textsOf(await store.appendFacts('s', 0, ['one', '{"b":1 }'])), ['one', '{"b":1 }']);
      store.noteSent({ call: 'body' });
      assert.deepEqual(textsOf(await open().appendFacts('s', 2, ['压缩'])), ['压缩']);
      const facts = await store.facts('s');
      assert.deepEqual(textsOf(facts), ['one', '{"b":1 }', '压缩']);
      assert.ok(facts.every((/** @type {any} */ { atMs }) => Math.abs(Date.now() - atMs) < 60_000));
    });

    it('once, and none after more than stand', async () => {
      const store = openSession()();
      for (const _ of [1, 2]) await store.appendFacts('s', 0, ['one']);
      assert.deepEqual(textsOf(await store.appendFacts('s', 0, ['other', 'two'])), ['one']);
      assert.deepEqual(await store.appendFacts('s', 2, ['three']), []);
      assert.deepEqual(textsOf(await store.facts('s')), ['one']);
    });
  });
}

it('R15.1 a branch of a session of pi has the facts of its own entries', async () => {
  const session = new PiSession();
  const store = inSession(session);
  await store.appendFacts('s', 0, ['one']);
  const place = session.leaf;
  await store.appendFacts('s', 1, ['two']);
  session.leaf = place;
  assert.deepEqual(textsOf(await store.facts('s')), ['one']);
  assert.deepEqual(textsOf(await store.appendFacts('s', 1, ['other'])), ['other']);
});
