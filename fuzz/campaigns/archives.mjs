// @ts-check
/** Damaged archive files, and saved sessions with forged records. */
import { strict as assert } from 'node:assert';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect, isDeepStrictEqual, types } from 'node:util';
import { ArchiveError, AutoCompressionManager, DamagedHistoryError, expandHistory, SessionArchive } from 'palimpsest';
import { prose } from '../../__test__/support/random-sessions.mjs';
import { SUMMARY } from '../../__test__/support/scripted-llm.mjs';
import { MARK } from '../forms.mjs';
import { assertQuick } from '../limits.mjs';

/** @typedef {import('../random.mjs').Random} Random */
/** @typedef {(what: string, by?: number) => void} Count */

const OWN = 'own';
const VICTIM = 'victim';
const NOW = 1_780_000_000_000;
const PAGE = 4_096;
/** @param {Random} random @param {string} mark @param {number} from */
const someMessages = (random, mark, from) =>
  random.list(1, 6, (index) => ({
    role: random.pick(['user', 'assistant', 'tool']),
    content: `${mark} ${from + index} ${prose(random.int(0, 200), index)}`,
  }));

/** @param {Random} random @param {SessionArchive} archive */
async function fill(random, archive) {
  /** @type {Map<string, any[]>} messages by batch id */
  const stored = new Map();
  for (const sessionId of [OWN, VICTIM]) {
    for (let batch = random.int(1, 4); batch > 0; batch--) {
      const id = `${sessionId}-${batch}`;
      const messages = someMessages(random, sessionId === OWN ? MARK : `${VICTIM} ${MARK}`, batch * 100);
      await archive.append(sessionId, { id, kind: 'summary', level: 1, at: NOW, messages, summary: SUMMARY });
      stored.set(id, messages);
    }
  }
  return stored;
}

/** @param {(random: Random, bytes: Buffer) => void} edit @returns {(random: Random, path: string) => void} */
function edited(edit) {
  return (random, path) => {
    const bytes = readFileSync(path);
    edit(random, bytes);
    writeFileSync(path, bytes);
  };
}

/** Flips one bit. @param {Random} random @param {Buffer} bytes @param {number} at */
function flip(random, bytes, at) {
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.int(0, 7));
}

/** @param {Buffer} bytes */
const pagesOf = (bytes) => Math.floor(bytes.length / PAGE);

/** @type {Record<string, (random: Random, path: string) => void>} */
const DAMAGES = {
  truncated: (random, path) => truncateSync(path, random.int(0, readFileSync(path).length)),
  flipped: edited((random, bytes) => {
    for (let times = random.int(1, 20); times > 0; times--) flip(random, bytes, random.int(0, bytes.length - 1));
  }),
  header: edited((random, bytes) => {
    bytes[random.int(0, 99)] = random.int(0, 255);
  }),
  zeroed: edited((random, bytes) => {
    const page = random.int(0, Math.max(1, pagesOf(bytes)) - 1);
    bytes.fill(0, page * PAGE, (page + 1) * PAGE);
  }),
  shuffled: edited((random, bytes) => {
    const last = pagesOf(bytes) - 1;
    const [from, to] = [random.int(0, last), random.int(0, last)];
    bytes.copy(bytes, to * PAGE, from * PAGE, (from + 1) * PAGE);
  }),
  /** Flips a bit of message content, anywhere in the file. */
  content: edited((random, bytes) => {
    /** @type {number[]} */
    const places = [];
    for (let at = bytes.indexOf(MARK); at !== -1; at = bytes.indexOf(MARK, at + 1)) places.push(at);
    flip(random, bytes, random.pick(places) + random.int(0, MARK.length - 1));
  }),
  wal: (random, path) => writeFileSync(`${path}-wal`, Buffer.from(random.list(0, 5_000, () => random.int(0, 255)))),
  text: (random, path) => writeFileSync(path, random.pick(['', '{}', 'SQLite format 3\0', MARK.repeat(500)])),
  gone: (_, path) => rmSync(path),
};

/**
 * Asserts that an error is one of ours and contains no content.
 * @param {() => Promise<unknown>} work
 * @param {string} what
 * @param {string} kind kind of damage
 * @returns {Promise<any>} undefined if it was rejected
 */
async function resultOrOwnError(work, what, kind) {
  const began = process.cpuUsage();
  try {
    return await work();
  } catch (error) {
    const isOwn = error instanceof ArchiveError || error instanceof DamagedHistoryError;
    assert.ok(isOwn, `${what}: not an error of ours\n${kind}: ${inspect(error).slice(0, 300)}`);
    assert.ok(!inspect(error).includes(MARK), `${what}: content in an error\n${kind}: ${inspect(error).slice(0, 300)}`);
    return undefined;
  } finally {
    assertQuick(began, what, kind);
  }
}

/** Applies a forgery. A previous one may make it throw. @param {string} kind @param {Random} random @param {any[]} messages */
function forge(kind, random, messages) {
  try {
    FORGERIES[kind]?.(random, messages);
  } catch {
    // The history is already forged.
  }
}

/** @param {Random} random @param {string} folder @param {Count} count */
async function damagedFile(random, folder, count) {
  const path = join(folder, 'archive.db');
  const first = new SessionArchive(path);
  const stored = await fill(random, first);
  await first.close();
  const kind = random.pick(Object.keys(DAMAGES));
  DAMAGES[kind]?.(random, path);
  count(kind);
  const archive = new SessionArchive(path);
  const call = (/** @type {string} */ what, /** @type {() => Promise<unknown>} */ work) =>
    resultOrOwnError(work, what, kind);
  /** @type {string[]} */
  const changed = [];
  for (const [id, messages] of stored) {
    const found = await call('get', () => archive.get(id.startsWith(OWN) ? OWN : VICTIM, id));
    if (found !== undefined && !isDeepStrictEqual(found, messages)) changed.push(id);
  }
  for (const hit of (await call('search', () => archive.search(MARK, { sessionId: OWN }))) ?? []) {
    assert.equal(hit.sessionId, OWN, `search found what is another session's\n${kind}`);
  }
  await call('restore', () => archive.restore(OWN));
  await call('sessions', () => archive.sessions());
  await call('stats', () => archive.stats());
  const report = await call('integrity', () => archive.integrity());
  const isTold = changed.length === 0 || report === undefined || !report.ok;
  assert.ok(isTold, `integrity() finds nothing, but what get() gives has changed\n${kind}`);
  assert.ok(!inspect(report).includes(MARK), `content in what integrity() says\n${kind}`);
  const { handler } = archive.lookupTool({ sessionId: OWN });
  assert.equal(typeof (await handler({ query: MARK })), 'string', `the lookup tool gave no text\n${kind}`);
  await call('append', () =>
    archive.append(OWN, { id: 'new', kind: 'truncation', level: 1, at: NOW, messages: someMessages(random, MARK, 0) }),
  );
  await call('delete', () => archive.delete(VICTIM));
  await call('close', () => archive.close());
}

/** A compressed history as it would be saved. @param {Random} random @param {any} archive */
async function compressed(random, archive) {
  const messages = Array.from({ length: random.int(10, 30) }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `${MARK} ${index} ${prose(random.int(20, 200), index)}`,
    isPinned: random.chance(0.1),
  }));
  const options = { pin: (/** @type {any} */ message) => message.isPinned, archive, sessionId: OWN };
  const manager = new AutoCompressionManager({ autoCompressionKeepRecentCount: 2 }, async () => SUMMARY, null, options);
  for (let level = random.int(1, 3); level > 0; level--) {
    messages.push({ role: 'user', content: prose(200, level), isPinned: false });
    messages.push({ role: 'assistant', content: prose(300, level), isPinned: false });
    await manager.compress(messages, { summary: SUMMARY, now: NOW });
  }
  return JSON.parse(JSON.stringify(messages));
}

/** @returns {any[]} */
const cyclic = () => {
  /** @type {any[]} */
  const array = [{ role: 'user', content: 'cyclic' }];
  array.push(array);
  return array;
};

const refuse = () => {
  throw new Error('a trap of the fuzzer threw');
};

/** Values that JSON can't contain, as an application's own loader may create them. @type {(() => any)[]} */
const LIVE = [
  cyclic,
  () => 7n,
  () => new Proxy([], { get: refuse, has: refuse }),
  () => new Proxy([], { get: (target, key) => (key === 'length' ? 2 ** 32 - 1 : Reflect.get(target, key)) }),
  () => new Array(2 ** 32 - 1),
  () => [[[[]]]],
  () => Object.freeze([]),
  () => Object.create(null),
  () => Symbol('odd'),
  () => () => [],
];

const NUMBERS = [-1, -0, 0, 0.5, 1, 2, 3, 2 ** 31, 2 ** 53, 1e308, Number.NaN, Number.POSITIVE_INFINITY, '1'];

const INVALID_VALUES = [null, 0, -1, 2 ** 53, Number.NaN, '', 'x', [], {}, [null], true, { __proto__: null }];

/** Every record in `messages`, at any depth. @param {any} value @returns {any[]} */
function recordsIn(value, depth = 0) {
  if (value === null || typeof value !== 'object' || types.isProxy(value) || depth > 12) return [];
  if (Array.isArray(value) && value.length > 10_000) return [];
  const own = value.compression !== null && typeof value.compression === 'object' ? [value.compression] : [];
  return [...own, ...Object.values(value).flatMap((inner) => recordsIn(inner, depth + 1))];
}

/** @type {Record<string, (random: Random, messages: any[]) => void>} */
const FORGERIES = {
  field(random, messages) {
    const record = random.pick(recordsIn(messages));
    if (record !== undefined) record[random.pick(Object.keys(record))] = random.pick(INVALID_VALUES);
  },
  live(random, messages) {
    const record = random.pick(recordsIn(messages));
    if (record !== undefined) record[random.pick(Object.keys(record))] = random.pick(LIVE)();
  },
  flat(random, messages) {
    const record = random.pick(recordsIn(messages));
    if (record === undefined) return;
    random.pick([
      () => Object.assign(record, { originalsBack: random.pick(NUMBERS), originalMessages: undefined }),
      () => Object.assign(record, { earlier: random.pick([...LIVE.map((make) => make()), ...INVALID_VALUES]) }),
      () => record.earlier?.splice(random.int(0, 3), 1),
      () => record.earlier?.push(record.originalMessages, record.earlier),
      () => Array.isArray(record.earlier) && record.earlier.reverse(),
      () => Object.assign(record, { messageCount: random.pick(NUMBERS) }),
      () => Object.assign(record, { level: random.pick(NUMBERS), droppedCount: random.pick(NUMBERS) }),
    ])();
  },
  forms(random, messages) {
    const at = random.int(0, messages.length);
    messages.splice(
      at,
      0,
      random.pick([
        { role: 'assistant', content: '', toolCalls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] },
        { role: 'tool', toolCallId: 'c', content: 'x'.repeat(random.int(0, 5_000)) },
        { role: 'model', parts: [{ functionCall: { name: 'f', args: random.pick(INVALID_VALUES) } }] },
        { type: 'function_call_output', call_id: random.pick(INVALID_VALUES), output: random.pick(INVALID_VALUES) },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: random.pick(INVALID_VALUES), content: random.pick(INVALID_VALUES) },
          ],
        },
        { role: 'assistant', content: random.pick(LIVE)(), tool_calls: random.pick(LIVE)() },
      ]),
    );
  },
  cycle(random, messages) {
    const record = random.pick(recordsIn(messages));
    if (record !== undefined)
      record.originalMessages = [
        ...(Array.isArray(record.originalMessages) && record.originalMessages.length < 10_000
          ? record.originalMessages
          : []),
        random.pick(messages),
        messages[0],
      ];
  },
  shared(random, messages) {
    let message = random.pick(messages);
    for (let depth = random.int(2, 40); depth > 0; depth--) {
      const originalMessages = [message, message];
      const record = { id: `shared-${depth}`, level: 1, kind: 'summary', messageCount: 2, originalMessages };
      message = { role: 'user', content: 'shared', isCompressed: true, compression: record };
    }
    messages.push(message);
  },
  reference(random, messages) {
    const archive = {
      sessionId: random.pick([VICTIM, OWN, '', 7, null]),
      id: random.pick([`${VICTIM}-1`, 'own-1', 'x']),
    };
    const record = {
      id: 'forged',
      level: 1,
      kind: random.pick(['summary', 'truncation']),
      messageCount: undefined,
      archive,
    };
    messages.push({ role: 'user', content: 'forged', isCompressed: true, compression: record });
  },
  pinned(random, messages) {
    const ids = recordsIn(messages).map(({ id }) => id);
    random.pick(messages).beforeCompression = {
      pinnedBy: random.pick([...ids, 'nobody', 7]),
      fields: random.pick(INVALID_VALUES),
    };
  },
  prototype(random, messages) {
    const fields = JSON.parse('{"__proto__": {"polluted": true}, "content": "was", "constructor": 1}');
    random.pick(messages).beforeCompression = { fields };
  },
  marks(random, messages) {
    Object.assign(random.pick(messages), {
      isCompressed: true,
      compression: random.pick(INVALID_VALUES),
      compressedAt: random.pick(INVALID_VALUES),
    });
  },
};

/** @param {Random} random @param {string} folder @param {Count} count */
async function forgedHistory(random, folder, count) {
  const archive = new SessionArchive(join(folder, 'archive.db'));
  await fill(random, archive);
  const messages = await compressed(random, random.chance(0.5) ? archive : null);
  const kinds = random.list(1, 3, () => random.pick(Object.keys(FORGERIES)));
  for (const kind of kinds) forge(kind, random, messages);
  for (const kind of kinds) count(kind);
  const kind = kinds.join(', ');
  for (const options of [undefined, { archive, sessionId: OWN }]) {
    const expanded = await resultOrOwnError(
      async () => expandHistory(messages, /** @type {any} */ (options)),
      'expandHistory',
      kind,
    );
    const text = expanded === undefined ? '' : inspect(expanded, { depth: 8, maxArrayLength: 500 });
    assert.ok(!text.includes(`${VICTIM} ${MARK}`), `expandHistory gave another session's messages\n${kind}`);
    for (const message of expanded ?? []) {
      const isPlain = message === null || typeof message !== 'object' || !('polluted' in message);
      assert.ok(isPlain, `expandHistory: __proto__ in beforeCompression.fields became a prototype\n${kind}`);
    }
  }
  const manager = new AutoCompressionManager(
    { autoCompressionSummaryModel: 'm', maxContextTokens: 1_500 },
    async () => SUMMARY,
    null,
    { archive, sessionId: OWN },
  );
  /** @type {string[]} */
  const failures = [];
  manager.onEvent((event) => {
    if (event.type === 'failed') failures.push(JSON.stringify(event));
  });
  const began = process.cpuUsage();
  assert.equal(await manager.process(messages, { now: NOW }), undefined);
  assertQuick(began, 'process', kind);
  assert.deepEqual(failures, [], `one message disables compression\n${kind}: ${failures}`);
  await archive.close();
}

/** @param {Random} random @param {Count} count */
export async function play(random, count) {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-fuzz-'));
  try {
    await random.pick([damagedFile, damagedFile, forgedHistory])(random, folder, count);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
