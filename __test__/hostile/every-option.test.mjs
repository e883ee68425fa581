// @ts-check
/** Every export's arguments and options, each with values of every wrong type and with values out of range. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import * as palimpsest from 'palimpsest';
import * as dropIns from 'palimpsest/messageCleanup';
import { NOW, oldTerminalResult } from '../support/old-results.mjs';

const p = /** @type {any} */ (palimpsest);
const folder = mkdtempSync(join(tmpdir(), 'palimpsest-options-'));
const archive = new p.SessionArchive(join(folder, 'archive.db'));
after(async () => {
  await archive.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Values by their kind: an option is given one of every kind that it is not. */
const VALUES = {
  boolean: true,
  number: 1,
  text: 'x',
  bigint: 5n,
  symbol: Symbol('x'),
  function: () => 1,
  list: [],
  object: {},
};
/** @typedef {keyof typeof VALUES} Kind */
/** @typedef {{ of: Kind[], not?: unknown[], needed?: boolean, items?: Kind, isNullOwn?: boolean }} Option what it may be; what else not; whether null says something */

/** @param {unknown[]} not @returns {Option} */
const text = (...not) => ({ of: ['text'], not });
/** @param {unknown[]} not @returns {Option} */
const number = (...not) => ({ of: ['number'], not: [Number.NaN, -1, ...not] });
const count = number(1.5, 2 ** 60, Number.POSITIVE_INFINITY);
const flag = /** @type {Option} */ ({ of: ['boolean'] });
const callable = /** @type {Option} */ ({ of: ['function'] });
const texts = /** @type {Option} */ ({ of: ['list'], items: 'text', not: [new Array(2 ** 23)] });
const list = /** @type {Option} */ ({ of: ['list'], not: [new Array(2 ** 23)] });
const language = text('fr', 'ZH', 'zh-CN', '');
const time = /** @type {Option} */ ({ of: ['number'], not: [Number.NaN, Number.NEGATIVE_INFINITY] });
/** @param {Option} option */
const needed = (option) => ({ ...option, needed: true });

/** A value of each wrong shape too: `{}` is no signal, and a signal is more than its flag. */
const SIGNALS = [{}, { aborted: false }, { aborted: false, addEventListener() {} }, new Date(), []];

const COMMON_RULE = {
  keepRecent: count,
  maxAgeMs: number(),
  countErrors: flag,
  placeholder: text(),
};
const PRESET = { now: time, unknownAge: text('young'), placeholderLanguage: language };
const TERMINAL = { ...COMMON_RULE, terminalTools: texts, errors: text('status', 'none') };
const FILE_READS = {
  keepRecent: count,
  placeholder: text(),
  readTools: texts,
  pathKeys: texts,
  projectRoot: text('src', ''),
  caseInsensitivePaths: flag,
};
const TEXT_SEARCH = { ...COMMON_RULE, searchTools: texts };
const RULE = {
  ...COMMON_RULE,
  name: needed(text()),
  placeholder: needed(text()),
  tools: texts,
  ignoreCase: flag,
  contentMarkers: texts,
  errors: text('none'),
  groupBy: { of: /** @type {Kind[]} */ (['text', 'object']), not: ['file'] },
};

/** @param {string} name @param {any} value */
const rule = (name, value) => ({ name: 'mine', placeholder: 'gone', tools: ['bash'], [name]: value });
const batch = () => ({ id: 'b', kind: 'summary', level: 1, at: NOW, messages: [{ role: 'user', content: 'x' }] });
const stored = () => oldTerminalResult('a');
const client = () => new p.HttpLlmClient({ baseUrl: 'http://127.0.0.1:9/v1', model: 'm', maxRetries: 0 });
const observation = () => ({ usage: 100, estimate: 90 });

/**
 * Of each function: what it is called with beside the option under test, and its options. `path` is what errors call them.
 * @type {[what: string, call: (name: string, value: any, messages: any[]) => unknown, options: Record<string, Option>, path: string][]}
 */
const TABLE = [
  [
    'simplifyOutdatedTerminalResults',
    (n, v, m) => p.simplifyOutdatedTerminalResults(m, { [n]: v }),
    { ...PRESET, ...TERMINAL },
    'options.',
  ],
  [
    'simplifyHistoricalFileReads',
    (n, v, m) => p.simplifyHistoricalFileReads(m, { [n]: v }),
    { ...PRESET, ...FILE_READS },
    'options.',
  ],
  [
    'simplifyTextSearchResults',
    (n, v, m) => p.simplifyTextSearchResults(m, { [n]: v }),
    { ...PRESET, ...TEXT_SEARCH },
    'options.',
  ],
  [
    'simplifyToolResults',
    (n, v, m) => p.simplifyToolResults(m, [], { [n]: v }),
    { now: time, unknownAge: text('young') },
    'options.',
  ],
  ['simplifyToolResults, a rule', (n, v, m) => p.simplifyToolResults(m, [rule(n, v)]), RULE, 'rules[0].'],
  ...['prepareMessages', 'ContextView'].flatMap((name) => {
    /** @param {any} options @param {any[]} m */
    const call = (options, m) =>
      name === 'prepareMessages' ? p.prepareMessages(m, options) : new p.ContextView(options);
    const choice = { of: /** @type {Kind[]} */ (['boolean', 'object', 'list']) };
    const { now, ...others } = PRESET;
    /** @type {typeof TABLE} */
    const rows = [
      [name, (n, v, m) => call({ [n]: v }, m), { ...others, ...(name === 'prepareMessages' && { now }) }, 'options.'],
      [
        name,
        (n, v, m) => call({ [n]: v }, m),
        { orphans: { of: ['boolean', 'text'], not: ['keep'] }, rules: list },
        'options.',
      ],
      [name, (n, v, m) => call({ [n]: v }, m), { terminal: choice, fileReads: choice, textSearch: choice }, 'options.'],
      [`${name}, terminal`, (n, v, m) => call({ terminal: { [n]: v } }, m), TERMINAL, 'options.terminal.'],
      [`${name}, fileReads`, (n, v, m) => call({ fileReads: { [n]: v } }, m), FILE_READS, 'options.fileReads.'],
      [`${name}, textSearch`, (n, v, m) => call({ textSearch: { [n]: v } }, m), TEXT_SEARCH, 'options.textSearch.'],
      [`${name}, a rule`, (n, v, m) => call({ rules: [rule(n, v)] }, m), RULE, 'options.rules[0].'],
    ];
    return rows;
  }),
  ['ContextView.project', (n, v, m) => new p.ContextView().project(m, { [n]: v }), { now: time }, 'options.'],
  ['ContextView.plan', (n, v) => new p.ContextView().plan({ [n]: v }), { now: time }, 'options.'],
  [
    'ContextView.prepare',
    (n, v, m) => new p.ContextView().prepare(m, { [n]: v }),
    { now: time, signal: { of: [], not: SIGNALS } },
    'options.',
  ],
  [
    'ContextView',
    (n, v) => new p.ContextView({ [n]: v }),
    {
      maxExtraCost: number(-1, Number.NaN),
      budgetTokens: number(-1, Number.NaN),
      arrivalTimes: flag,
      marks: flag,
      tools: text('emacs'),
      compressWhenCold: number(0, 2, Number.NaN),
      price: { of: ['text', 'object'], not: ['free', { read: -1 }, { write: Number.NaN, read: 1 }] },
    },
    'options.',
  ],
  ['Prices', (n, v) => new p.Prices({ preset: 'openai', [n]: v }), { read: number(), write: number() }, 'prices.'],
  [
    'Prices',
    (n, v) => new p.Prices({ read: 0.1, write: 1, [n]: v }),
    { preset: { ...text('free'), isNullOwn: true } },
    'prices.',
  ],
  ['contextPicture', (_, v, m) => p.contextPicture(v, m), { view: { of: [], needed: true } }, ''],
  ['ContextViews', (n, v) => new p.ContextViews({ [n]: v }), { maxViews: number(0, 1.5) }, 'options.'],
  ['stripForApi', (n, v, m) => p.stripForApi(m, { [n]: v }), { keep: texts }, 'options.'],
  ['expandHistory', (n, v, m) => p.expandHistory(m, { [n]: v }), { maxMessages: number(1.5) }, 'options.'],
  ['expandHistory', (n, v, m) => p.expandHistory(m, { [n]: v }), { archive: { of: [], not: [{}] } }, 'options.'],
  [
    'expandHistory, archived',
    (n, v, m) => p.expandHistory(m, { archive, [n]: v }),
    { sessionId: { of: ['text', 'list'], not: ['', '\ud800'], needed: true } },
    'options.',
  ],
  [
    'renderCompressionHistory',
    (n, v, m) => p.renderCompressionHistory(m, { [n]: v }),
    {
      color: flag,
      width: number(19, 1_001, 80.5, Number.POSITIVE_INFINITY),
      language,
      originals: flag,
      maxCharacters: number(0, 1.5),
    },
    'options.',
  ],
  ['defaultSummaryPrompt', (_, v) => p.defaultSummaryPrompt(v), { language: needed(language) }, ''],
  ['TokenCounter', (n, v) => new p.TokenCounter({ [n]: v }), { model: text(), encoding: text('p50k') }, 'options.'],
  ['TokenCounter.count', (_, v) => new p.TokenCounter().count(v), { text: needed(text()) }, ''],
  [
    'TokenCounter.countMessages',
    (n, v, m) => new p.TokenCounter().countMessages(m, { [n]: v }),
    { tools: list },
    'options.',
  ],
  ['TokenCounter.fits', (_, v) => new p.TokenCounter().fits('x', v), { limit: needed(count) }, ''],
  [
    'TokenCounter.truncate',
    (n, v) => new p.TokenCounter().truncate(...(n === 'text' ? [v, 5] : ['x', v])),
    { text: needed(text()), maxTokens: needed(count) },
    '',
  ],
  [
    'TokenCounter.truncate',
    (n, v) => new p.TokenCounter().truncate('x', 5, { [n]: v }),
    { keep: text('middle', 'errors'), marker: text() },
    'options.',
  ],
  [
    'TokenCalibration',
    (n, v) => new p.TokenCalibration({ [n]: v }),
    { model: text(), provider: text(), maxContextTokens: number(0), estimatedIn: text('cl100k', '') },
    'options.',
  ],
  [
    'TokenCalibration.observe',
    (n, v) => new p.TokenCalibration().observe({ ...observation(), [n]: v }),
    {
      estimate: needed(number()),
      prefixUnchanged: flag,
      mediaShare: number(1.5),
      usage: { of: ['number', 'object', 'list'] },
    },
    'observation.',
  ],
  ['TokenCalibration.predict', (_, v) => new p.TokenCalibration().predict(v), { estimate: needed(number()) }, ''],
  [
    'TokenCalibration.predict',
    (n, v) => new p.TokenCalibration().predict(5, { [n]: v }),
    { prefixUnchanged: flag },
    'options.',
  ],
  [
    'TokenCalibration.import',
    (_, v) => p.TokenCalibration.import(v),
    { state: { of: ['object', 'list'], needed: true } },
    '',
  ],
  ['setLogger', (_, v) => p.setLogger(v), { logger: { of: ['object', 'list', 'function'], isNullOwn: true } }, ''],
  ['setLogger', (n, v) => p.setLogger(null, { [n]: v }), { logStyle: text('both', '') }, 'options.'],
  ['trimEmptyLines', (_, v) => p.trimEmptyLines(v), { content: needed(text()) }, ''],
  ['truncateOutput', (_, v) => p.truncateOutput(v), { content: needed({ ...texts, of: ['text', 'list'] }) }, ''],
  ['truncateOutput', (_, v) => p.truncateOutput('x', v), { limit: { ...count, of: ['number', 'object', 'list'] } }, ''],
  [
    'truncateOutput',
    (n, v) => p.truncateOutput('x', { [n]: v }),
    { limit: count, keep: text('middle', '') },
    'options.',
  ],
  ['sanitizeToolResult', (_, v) => p.sanitizeToolResult(v), { result: { of: ['object', 'list'], needed: true } }, ''],
  ['sanitizeToolResults', (_, v) => p.sanitizeToolResults(v), { results: needed(list) }, ''],
  ['sanitizeToolResultsJson', (_, v) => p.sanitizeToolResultsJson(v), { content: needed(text()) }, ''],
  ...['sanitizeToolResult', 'sanitizeToolResults', 'sanitizeToolResultsJson'].map(
    (name) =>
      /** @type {typeof TABLE[number]} */ ([
        name,
        (n, v) => p[name](name.endsWith('Json') ? '[]' : [], { [n]: v }),
        { largeDataFields: texts },
        'options.',
      ]),
  ),
  ['formatToolResultForModel', (_, v) => p.formatToolResultForModel(v), { results: needed(list) }, ''],
  [
    'ContextLengthExceededError',
    (n, v) => new p.ContextLengthExceededError(...(n === 'requestedTokens' ? [v, 1] : [1, v]), 'x'),
    { requestedTokens: { of: ['number'] }, maxTokens: { of: ['number'] } },
    '',
  ],
  ['ContextLengthExceededError', (_, v) => new p.ContextLengthExceededError(1, 1, v), { provider: needed(text()) }, ''],
  [
    'ContextLengthExceededError',
    (n, v) => new p.ContextLengthExceededError(1, 1, 'x', { [n]: v }),
    { language },
    'options.',
  ],
  [
    'ContextLengthExceededError.textsIn',
    (_, v) => new p.ContextLengthExceededError(1, 1, 'x').textsIn(v),
    { language: needed(language) },
    '',
  ],
  ['parseContextLengthError', (_, v) => p.parseContextLengthError('x', v), { provider: text() }, ''],
  ['parseContextLengthError', (n, v) => p.parseContextLengthError('x', 'y', { [n]: v }), { language }, 'options.'],
  [
    'runWithProgress',
    (n, v) => p.runWithProgress({ tool: 't', [n]: v }, () => 1),
    {
      tool: needed(text()),
      emit: callable,
      stages: list,
      estimateMs: number(0),
      timeoutMs: number(0),
      timeoutMessage: text(),
      language,
      signal: { of: [], not: SIGNALS },
    },
    'options.',
  ],
  [
    'runWithProgress, a stage',
    (n, v) => p.runWithProgress({ tool: 't', stages: [{ stage: 's', [n]: v }] }, () => 1),
    {
      stage: needed(text()),
      message: text(),
      progress: number(101),
      tickMessage: callable,
    },
    'options.stages[0].',
  ],
  ['runWithProgress', (_, v) => p.runWithProgress({ tool: 't' }, v), { fn: needed(callable) }, ''],
  ['ToolTimeoutError', (_, v) => new p.ToolTimeoutError(v, 't', 1), { message: needed(text()) }, ''],
  ['LlmHttpError', (_, v) => new p.LlmHttpError(v, 'X'), { message: needed(text()) }, ''],
  ['ArchiveError', (_, v) => new p.ArchiveError('X', v, { path: 'p' }), { message: needed(text()) }, ''],
  ['ArchiveError', (n, v) => new p.ArchiveError('X', 'm', { [n]: v }), { path: needed(text()) }, 'options.'],
  ['DamagedHistoryError', (_, v) => new p.DamagedHistoryError('X', v, []), { reason: needed(text()) }, ''],
  [
    'HttpLlmClient',
    (n, v) => new p.HttpLlmClient({ baseUrl: 'http://127.0.0.1:9/v1', [n]: v }),
    {
      baseUrl: needed(text('nowhere')),
      apiKey: text('a\nb'),
      style: text('gemini'),
      model: text(),
      headers: { of: ['object'], not: [{ a: 1 }, { 'a b': 'x' }] },
      proxy: { of: ['text', 'boolean'], not: [true, 'no proxy'] },
      connectTimeoutMs: number(0, 1.5, 2 ** 40),
      readTimeoutMs: number(0, 1.5, 2 ** 40),
      totalTimeoutMs: number(0, 1.5, 2 ** 40),
      maxRetries: number(1.5, 21),
      maxRetryDelayMs: number(1.5, 2 ** 40),
      maxResponseBytes: number(0, 1.5, 2 ** 40),
      caCertificates: { of: ['text', 'list'], not: [[1], 'no certificate'] },
      anthropicVersion: text('a\nb'),
      body: { of: ['object'] },
      temperature: { of: ['number', 'boolean'], not: [true, Number.NaN, -1, Number.POSITIVE_INFINITY] },
      language,
    },
    'options.',
  ],
  ...['chat', 'call'].map(
    (name) =>
      /** @type {typeof TABLE[number]} */ ([
        `HttpLlmClient.${name}`,
        (n, v) => client()[name]({ messages: [{ role: 'user', content: 'x' }], [n]: v }),
        {
          model: text(''),
          messages: { of: ['list'], needed: true, not: [[], [1]] },
          maxTokens: number(0, 1.5),
          max_tokens: number(0, 1.5),
          temperature: number(Number.POSITIVE_INFINITY),
          signal: { of: [], not: SIGNALS },
          body: { of: ['object'] },
        },
        '',
      ]),
  ),
  [
    'SessionArchive',
    (_, v) => new p.SessionArchive(v),
    { path: { of: ['text', 'object', 'list'], not: ['', 'a\0b', '\ud800'], needed: true } },
    '',
  ],
  [
    'SessionArchive',
    (n, v) => new p.SessionArchive({ path: 'p', [n]: v }),
    { busyTimeoutMs: number(1.5, 2 ** 40), searchTimeoutMs: number(0, 1.5, 2 ** 40), allowSharedFile: flag },
    'options.',
  ],
  ['SessionArchive.append', (_, v) => archive.append(v, batch()), { sessionId: needed(text('', '\ud800')) }, ''],
  ['SessionArchive.append', (_, v) => archive.append('s', v), { batch: { of: ['object', 'list'], needed: true } }, ''],
  [
    'SessionArchive.append',
    (n, v) => archive.append('s', { ...batch(), [n]: v }),
    {
      id: needed(text('', '\ud800')),
      kind: needed(text('digest', '')),
      level: needed(number(1.5, 2 ** 32)),
      at: needed(time),
      summary: text(),
      messages: needed(list),
    },
    'batch.',
  ],
  [
    'SessionArchive.get',
    (n, v) => archive.get(...(n === 'id' ? ['s', v] : [v, 'b'])),
    { sessionId: needed(text('')), id: needed(text('')) },
    '',
  ],
  ['SessionArchive.restore', (_, v) => archive.restore(v), { sessionId: needed(text('')) }, ''],
  ['SessionArchive.delete', (_, v) => archive.delete(v), { sessionId: needed(text('')) }, ''],
  ['SessionArchive.search', (_, v) => archive.search(v), { query: needed(text()) }, ''],
  [
    'SessionArchive.search',
    (n, v) => archive.search('x', { [n]: v }),
    {
      sessionId: text(''),
      limit: number(1.5, 1001),
      offset: number(1.5, 2 ** 32),
      context: number(1.5, 2 ** 32),
      signal: { of: [], not: SIGNALS },
    },
    'options.',
  ],
  [
    'lookupTool',
    (n, v) => p.lookupTool(archive, { sessionId: 's', [n]: v }),
    {
      sessionId: needed(text('')),
      allSessions: { of: ['boolean'], not: [true] },
      name: text('', 'a b'),
      language,
      maxResults: number(0, 1.5, 101),
      maxTokens: number(99, 1.5, 1e7),
    },
    'options.',
  ],
  [
    'AutoCompressionManager',
    (n, v) => new p.AutoCompressionManager({}, () => 'x', null, { [n]: v }),
    {
      model: text(),
      tools: { of: ['list', 'function'], not: [new Array(2 ** 23), async () => []] },
      language,
      pin: { of: ['function'], not: [async () => true] },
      archive: { of: [], not: [{}] },
      sessionId: text(),
      onEvent: callable,
      logFields: { of: ['object', 'list'] },
      logStyle: text('both'),
    },
    'options.',
  ],
  // `process` never rejects; it takes the same options, and tells its log of what is wrong with them.
  [
    'AutoCompressionManager.compress',
    (n, v, m) => new p.AutoCompressionManager({}, () => 'x').compress(m, { [n]: v }),
    { signal: { of: [], not: SIGNALS }, now: time, summary: text(), instructions: text() },
    'options.',
  ],
];

/** Exports that take no argument, or only what is data: whatever it is, it is no error. */
const WITHOUT_OPTIONS = ['cleanOrphanedToolCalls', 'getMaxOutputLimit', 'toolTimeouts', 'version'];

/** @param {() => unknown} call @returns {Promise<any>} what it throws or rejects with */
async function thrownBy(call) {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** @param {Option} option @returns {unknown[]} */
function wrongTypes({ of, items, needed: isNeeded = false }) {
  const others = Object.entries(VALUES).filter(([kind]) => !of.includes(/** @type {Kind} */ (kind)));
  const missing = isNeeded ? [undefined, null] : [];
  const within = items === undefined ? [] : [[1], [items === 'text' ? {} : 'x'], [undefined]];
  return [...others.map(([, value]) => value), ...missing, ...within];
}

/** @param {any} error @param {string} name @param {string} what */
function assertNames(error, name, what) {
  assert.ok(error instanceof TypeError || error instanceof RangeError, `${what}: ${error?.stack ?? 'nothing thrown'}`);
  assert.equal(
    Reflect.get(error, 'code'),
    error instanceof TypeError ? 'ERR_INVALID_ARG_TYPE' : 'ERR_OUT_OF_RANGE',
    what,
  );
  const sentence = new RegExp(`^${name.replaceAll(/[.[\]]/g, '\\$&')}(\\[\\d+\\]|\\.\\w+)?: expected .+, got .+`);
  assert.match(error.message, sentence, what);
}

describe('R0.3 every option of every function and class', () => {
  for (const [what, call, options, path] of TABLE) {
    for (const [name, option] of Object.entries(options)) {
      it(`${what} refuses wrong values of ${path}${name}, says what was expected, and has changed nothing`, async () => {
        const messages = stored();
        const before = structuredClone(messages);
        for (const value of wrongTypes(option)) {
          const error = await thrownBy(() => call(name, value, messages));
          assertNames(error, `${path}${name}`, `${typeof value} ${String(value)}`);
          assert.equal(error.name, 'TypeError', `${typeof value} ${String(value)}: ${error.message}`);
        }
        for (const value of option.not ?? []) {
          assertNames(await thrownBy(() => call(name, value, messages)), `${path}${name}`, typeof value);
        }
        assert.deepEqual(messages, before);
      });

      if (option.needed || option.isNullOwn || option.of.length === 0) continue;
      it(`${what} takes null for ${path}${name} as not given`, async () => {
        const [withNull, without] = await Promise.all(
          [null, undefined].map((value) => thrownBy(() => call(name, value, stored()))),
        );
        assert.deepEqual(withNull?.code, without?.code);
        assert.ok(!/^ERR_(INVALID_ARG_TYPE|OUT_OF_RANGE)$/.test(withNull?.code), withNull?.message);
      });
    }
  }

  it('is in the table: no export is left out', () => {
    const named = TABLE.map(([what]) => what.split(/[., ]/)[0]);
    const missing = Object.keys(p).filter((name) => !named.includes(name) && !WITHOUT_OPTIONS.includes(name));
    assert.deepEqual(missing, []);
  });

  it('options that are no object are refused by all that take options', async () => {
    const m = () => stored();
    /** @type {[string, (options: any) => unknown][]} */
    const takers = [
      ['simplifyOutdatedTerminalResults', (o) => p.simplifyOutdatedTerminalResults(m(), o)],
      ['prepareMessages', (o) => p.prepareMessages(m(), o)],
      ['ContextView', (o) => new p.ContextView(o)],
      ['ContextViews', (o) => new p.ContextViews(o)],
      ['stripForApi', (o) => p.stripForApi(m(), o)],
      ['expandHistory', (o) => p.expandHistory(m(), o)],
      ['renderCompressionHistory', (o) => p.renderCompressionHistory(m(), o)],
      ['TokenCounter', (o) => new p.TokenCounter(o)],
      ['TokenCalibration', (o) => new p.TokenCalibration(o)],
      ['setLogger', (o) => p.setLogger(null, o)],
      ['sanitizeToolResult', (o) => p.sanitizeToolResult({}, o)],
      ['parseContextLengthError', (o) => p.parseContextLengthError('x', null, o)],
      ['runWithProgress', (o) => p.runWithProgress(o, () => 1)],
      ['HttpLlmClient', (o) => new p.HttpLlmClient(o)],
      ['search', (o) => archive.search('x', o)],
      ['lookupTool', (o) => archive.lookupTool(o)],
      ['AutoCompressionManager', (o) => new p.AutoCompressionManager({}, () => 'x', null, o)],
    ];
    for (const [what, call] of takers) {
      for (const value of [1, 'x', true, 5n, Symbol('x'), () => 1]) {
        const error = await thrownBy(() => call(value));
        assertNames(error, 'options', `${what} ${typeof value}`);
        assert.equal(error.code, 'ERR_INVALID_ARG_TYPE', what);
      }
    }
  });

  it('the drop-in functions take no options, and what else they are handed is not looked at', () => {
    const { sanitizeToolResultForHistory: _sameAsInTheRoot, ...ofMessages } = dropIns;
    for (const call of Object.values(ofMessages)) {
      assert.equal(/** @type {any} */ (call)([{ role: 'user', content: 'x' }], { keepRecent: -1 }), undefined);
    }
  });
});
