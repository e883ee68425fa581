// @ts-check
/** Passes hostile values to every export: each is rejected with one of our error codes, and nothing is partially changed. */
import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect, types } from 'node:util';
import * as palimpsest from 'palimpsest';
import { SUMMARY } from '../../__test__/support/scripted-llm.mjs';
import { MARK } from '../forms.mjs';
import { HOSTILE, hostileMessage, hostileValue, insertHostileValue, partlyReadOnly } from '../hostile-values.mjs';
import { assertQuick, inTime } from '../limits.mjs';

/** @typedef {import('../random.mjs').Random} Random */
/** @typedef {(what: string, by?: number) => void} Count */

const p = /** @type {any} */ (palimpsest);
const NOW = 1_780_000_000_000;
const CODES =
  /^(ERR_INVALID_ARG_TYPE|ERR_OUT_OF_RANGE|ERR_BAD_STATE|ERR_DAMAGED_HISTORY|ERR_ARCHIVE_NEEDED|ERR_FOREIGN_SESSION|ERR_HISTORY_TOO_LONG|ARCHIVE_[A-Z_]+)$/;

/** @param {Random} random */
const messages = (random) => {
  const made = random.list(0, 12, () => hostileMessage(random));
  return random.chance(0.15) ? partlyReadOnly(random, made) : made;
};

const rule = () => ({
  name: 'rule',
  tools: ['terminal-execute'],
  placeholder: 'was {path}',
  keepRecent: 0,
  maxAgeMs: 0,
});
const options = () => ({ now: NOW, keepRecent: 0, maxAgeMs: 0, unknownAge: 'old', placeholderLanguage: 'zh' });
const schema = () => ({
  type: 'function',
  function: {
    name: 'f',
    description: 'd',
    parameters: { type: 'object', properties: { a: { type: 'string', enum: ['x'] } } },
  },
});
const settings = () => ({
  autoCompressionSummaryModel: 'm',
  maxContextTokens: 2_000,
  autoCompressionSummaryTimeoutMs: 30,
  autoCompressionTotalTimeoutMs: 100,
});
const request = () => ({
  model: 'm',
  messages: [{ role: 'user', content: MARK }],
  maxTokens: 5,
  temperature: 0,
  body: { a: 1 },
});
const client = () => ({
  baseUrl: 'http://127.0.0.1:9/v1',
  maxRetries: 0,
  connectTimeoutMs: 200,
  totalTimeoutMs: 300,
  headers: { a: 'b' },
  body: {},
});
const batch = () => ({
  id: 'b',
  kind: 'summary',
  level: 1,
  at: NOW,
  summary: 's',
  messages: [{ role: 'user', content: MARK }],
});
const result = () => ({ toolCallId: 'c', success: true, output: MARK, metadata: { imageBase64: MARK, filePath: 'f' } });
const answer = async () => SUMMARY;

/**
 * For each export: its name, its arguments (messages first, if it takes any), and the call.
 * @type {[name: string, args: (random: Random) => any[], call: (...args: any[]) => unknown][]}
 */
const CALLS = [
  ['cleanOrphanedToolCalls', (random) => [messages(random)], (m) => p.cleanOrphanedToolCalls(m)],
  [
    'simplifyOutdatedTerminalResults',
    (r) => [messages(r), options()],
    (m, o) => p.simplifyOutdatedTerminalResults(m, o),
  ],
  ['simplifyHistoricalFileReads', (r) => [messages(r), options()], (m, o) => p.simplifyHistoricalFileReads(m, o)],
  ['simplifyTextSearchResults', (r) => [messages(r), options()], (m, o) => p.simplifyTextSearchResults(m, o)],
  [
    'simplifyToolResults',
    (r) => [messages(r), [rule()], options()],
    (m, rules, o) => p.simplifyToolResults(m, rules, o),
  ],
  [
    'prepareMessages',
    (r) => [messages(r), { ...options(), terminal: { keepRecent: 0 }, rules: [rule()] }],
    (m, o) => p.prepareMessages(m, o),
  ],
  [
    'ContextView',
    (r) => [messages(r), { terminal: { keepRecent: 0 }, rules: [rule()], price: 'openai' }, { now: NOW }],
    (m, o, at) => {
      const view = new p.ContextView(o);
      view.project(m, at);
      view.plan(at);
      view.breakpoints();
      view.ledger();
      const state = view.export();
      assert.doesNotThrow(() => p.ContextView.import(state), 'R10.7 an export that can not be imported');
      return p.ContextView.import(state).project(m, at);
    },
  ],
  ['expandHistory', (r) => [messages(r), { maxMessages: 1_000 }], (m, o) => p.expandHistory(m, o)],
  [
    'expandHistory with an archive',
    (r) => [messages(r), { sessionId: 's', maxMessages: 1_000 }],
    (m, o) => withArchive((archive) => p.expandHistory(m, given(o, { archive }))),
  ],
  ['stripForApi', (r) => [messages(r), { keep: ['a'] }], (m, o) => p.stripForApi(m, o)],
  ['TokenCounter', () => [{ model: 'gpt-4o', encoding: null }], (o) => new p.TokenCounter(o)],
  ['TokenCounter.count', () => [MARK], (text) => new p.TokenCounter().count(text)],
  [
    'TokenCounter.countMessages',
    (r) => [messages(r), { tools: [schema()] }],
    (m, o) => new p.TokenCounter().countMessages(m, o),
  ],
  ['TokenCounter.countMessage', (r) => [hostileMessage(r)], (message) => new p.TokenCounter().countMessage(message)],
  [
    'TokenCounter.fits',
    (r) => [r.pick([MARK, messages(r)]), 5],
    (input, limit) => new p.TokenCounter().fits(input, limit),
  ],
  [
    'TokenCounter.truncate',
    () => [MARK, 2, { keep: 'both', marker: '…' }],
    (t, n, o) => new p.TokenCounter().truncate(t, n, o),
  ],
  ['TokenCalibration', () => [{ model: 'm', window: 1_000 }], (o) => new p.TokenCalibration(o)],
  [
    'TokenCalibration.observe',
    () => [{ estimate: 100, usage: { prompt_tokens: 120 }, prefixUnchanged: true }],
    (o) => new p.TokenCalibration({ model: 'm' }).observe(o),
  ],
  ['TokenCalibration.predict', () => [100, {}], (n, o) => new p.TokenCalibration({ model: 'm' }).predict(n, o)],
  [
    'TokenCalibration.import',
    () => [new p.TokenCalibration({ model: 'm' }).export()],
    (o) => p.TokenCalibration.import(o),
  ],
  [
    'Prices',
    (r) => [r.pick(['openai', { preset: 'anthropic', ttlMs: 5 }, { read: 0.1, write: 1, ttlMs: 9 }])],
    (o) => new p.Prices(o),
  ],
  ['Prices.cost', () => [{ cached: 5, total: 9 }], (o) => new p.Prices('openai').cost(o)],
  ['Prices.cachedTokens', () => [5_000, 60_000], (n, ms) => new p.Prices('openai').cachedTokens(n, ms)],
  ['setLogger', () => [null, { logStyle: 'message-first' }], (logger, o) => p.setLogger(logger, o)],
  ['trimEmptyLines', () => [MARK], (text) => p.trimEmptyLines(text)],
  ['truncateOutput', () => [MARK, { limit: 3, keep: 'errors' }], (text, o) => p.truncateOutput(text, o)],
  ['sanitizeToolResult', () => [result(), { largeDataFields: ['a'] }], (one, o) => p.sanitizeToolResult(one, o)],
  ['sanitizeToolResults', () => [[result()], {}], (many, o) => p.sanitizeToolResults(many, o)],
  ['sanitizeToolResultsJson', () => [JSON.stringify([result()]), {}], (text, o) => p.sanitizeToolResultsJson(text, o)],
  ['formatToolResultForModel', () => [[result()]], (many) => p.formatToolResultForModel(many)],
  [
    'ContextLengthExceededError',
    () => [5, 4, 'openai', { language: 'en' }],
    (a, b, c, o) => JSON.stringify(new p.ContextLengthExceededError(a, b, c, o)),
  ],
  [
    'ContextLengthExceededError.textsIn',
    () => ['en'],
    (language) => new p.ContextLengthExceededError(1, 2, 'x').textsIn(language),
  ],
  [
    'parseContextLengthError',
    () => [{ error: { message: `maximum context length is 4 tokens ${MARK}` } }, 'openai', { language: 'en' }],
    (error, provider, o) => p.parseContextLengthError(error, provider, o),
  ],
  [
    'runWithProgress',
    () => [{ tool: 't', emit() {}, stages: [{ stage: 's', progress: 5, message: 'm' }], timeoutMs: 20 }, async () => 1],
    (o, work) => p.runWithProgress(o, work),
  ],
  ['ToolTimeoutError', () => ['tool', 5], (...given) => new p.ToolTimeoutError(...given)],
  ['LlmHttpError', () => ['message', 'code', {}], (...given) => new p.LlmHttpError(...given)],
  ['ArchiveError', () => ['ARCHIVE_IO', 'message', { path: 'p' }], (...given) => new p.ArchiveError(...given)],
  [
    'DamagedHistoryError',
    () => ['ERR_DAMAGED_HISTORY', 'reason', []],
    (...given) => new p.DamagedHistoryError(...given),
  ],
  ['defaultSummaryPrompt', () => ['en'], (language) => p.defaultSummaryPrompt(language)],
  ['HttpLlmClient', () => [client()], (o) => new p.HttpLlmClient(o)],
  ['HttpLlmClient.chat', () => [request()], (o) => new p.HttpLlmClient(client()).chat(o)],
  [
    'AutoCompressionManager',
    () => [
      settings(),
      answer,
      null,
      {
        model: 'gpt-4o',
        tools: [schema()],
        sessionId: 's',
        logFields: { a: 1 },
        logStyle: 'fields-first',
        language: 'en',
        prompt: null,
      },
    ],
    (config, llm, logger, o) => new p.AutoCompressionManager(config, llm, logger, o),
  ],
  [
    'AutoCompressionManager.process',
    (r) => [messages(r), { now: NOW }, settings(), answer, null, { tools: [schema()], logFields: { a: 1 } }],
    processed,
  ],
  [
    'AutoCompressionManager.compress',
    (r) => [messages(r), { now: NOW, summary: SUMMARY }],
    (m, o) => new p.AutoCompressionManager(settings(), answer).compress(m, o),
  ],
  [
    'SessionArchive',
    () => [
      {
        path: join(tmpdir(), 'palimpsest-fuzz', 'never-opened.db'),
        busyTimeoutMs: 5,
        searchTimeoutMs: 5,
        allowSharedFile: true,
      },
    ],
    (o) => new p.SessionArchive(o),
  ],
  ['SessionArchive.append', () => ['s', batch()], (id, b) => withArchive((archive) => archive.append(id, b))],
  ['SessionArchive.get', () => ['s', 'b'], (id, b) => withArchive((archive) => archive.get(id, b))],
  ['SessionArchive.restore', () => ['s'], (id) => withArchive((archive) => archive.restore(id))],
  [
    'SessionArchive.search',
    () => ['q', { limit: 5, offset: 0 }],
    (q, o) => withArchive((archive) => archive.search(q, o)),
  ],
  ['SessionArchive.delete', () => ['s'], (id) => withArchive((archive) => archive.delete(id))],
  [
    'SessionArchive.lookupTool',
    () => [{ sessionId: 's', maxTokens: 100, language: 'en', name: 'n', maxResults: 3, allSessions: false }],
    (o) => withArchive((archive) => archive.lookupTool(o)),
  ],
  [
    'lookupTool.handler',
    () => [{ query: 'q', id: 'b', from: 0, count: 3 }],
    (args) => withArchive((archive) => archive.lookupTool({ sessionId: 's' }).handler(args)),
  ],
];

/** Adds options that only the call can create. @param {any} o @param {object} more */
const given = (o, more) => (isPlain(o) && Object.isExtensible(o) ? Object.assign(o, more) : o);

/** Creating the manager may throw; after that `process` must never reject. */
async function processed(/** @type {any[]} */ ...[m, o, config, llm, logger, more]) {
  const manager = new p.AutoCompressionManager(config, llm, logger, more);
  try {
    await manager.process(m, o);
    manager.stats();
  } catch (error) {
    assert.fail(`process rejected\n${inspect(error)}`);
  }
}

/** @param {(archive: any) => unknown} work */
async function withArchive(work) {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-fuzz-'));
  const archive = new p.SessionArchive(join(folder, 'a.db'));
  try {
    return await work(archive);
  } finally {
    await archive.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The elements of an array, if they can be read. @param {unknown} value */
function slotsOf(value) {
  try {
    if (!Array.isArray(value) || value.length > 1_000) return undefined;
    return value.map((_, index) => Object.getOwnPropertyDescriptor(value, index)?.value);
  } catch {
    return undefined;
  }
}

/** @param {unknown} error @param {string} name */
function assertOurs(error, name) {
  // The caller's own getter or proxy threw; its error must reach the caller.
  if (error === HOSTILE || (error instanceof TypeError && /proxy that has been revoked$/.test(error.message))) return;
  const { code, message } = /** @type {any} */ (error ?? {});
  const isOwn = (error instanceof p.LlmHttpError && typeof code === 'string') || error instanceof p.ToolTimeoutError;
  const isOurs = error instanceof Error && (isOwn || CODES.test(String(code)) || code === 'ABORT_ERR');
  assert.ok(isOurs, `${name}: an error without a code of ours\n${shown(error)}`);
  assert.ok(!String(message).includes(MARK), `${name}: content in an error's message\n${shown(error)}`);
}

/** @param {unknown} value */
function shown(value) {
  try {
    return inspect(value, { depth: 1, maxStringLength: 300, maxArrayLength: 3 }).slice(0, 1_500);
  } catch {
    return typeof value;
  }
}

/** @param {Random} random @param {Count} count */
export async function play(random, count) {
  const [name, make, call] = random.pick(CALLS);
  const args = make(random);
  for (let times = random.int(0, 2); times > 0 && args.length > 0; times--) {
    if (random.chance(0.5)) args[random.int(0, args.length - 1)] = hostileValue(random);
    else {
      const target = random.pick(args);
      if (target !== null && typeof target === 'object' && isPlain(target)) insertHostileValue(random, target);
    }
  }
  const before = slotsOf(args[0]);
  const began = process.cpuUsage();
  try {
    const given = call(...args);
    assertQuick(began, name);
    if (types.isPromise(given)) await inTime(given, name);
    count('accepted');
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    count('refused');
    assertOurs(error, name);
    assert.deepEqual(slotsOf(args[0])?.length, before?.length, `${name} threw, and left the array longer or shorter`);
    const isSame = slotsOf(args[0])?.every((slot, index) => Object.is(slot, before?.[index])) ?? true;
    assert.ok(isSame, `${name} threw, and left slots replaced`);
  } finally {
    p.setLogger(null);
  }
}

/** @param {object} value */
function isPlain(value) {
  try {
    return Object.getPrototypeOf(value) === Object.prototype || Array.isArray(value);
  } catch {
    return false;
  }
}
