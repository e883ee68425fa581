// @ts-check
/** Every function and class with its arguments and options, and the values that each accepts and refuses. */
import * as palimpsest from 'palimpsest';
import { NOW } from './old-results.mjs';
import {
  boolean,
  callback,
  count,
  language,
  list,
  number,
  required,
  signal,
  text,
  texts,
  time,
} from './option-values.mjs';

/** @typedef {import('./option-values.mjs').Kind} Kind */
/** @typedef {import('./option-values.mjs').Option} Option */
/**
 * A call with one argument or option under test (its name and value, and messages), the options that can be tested with
 * it, and the path by which errors name them (default: `options.`).
 * @typedef {[title: string, call: (name: string, value: any, messages: any[]) => unknown, options: Record<string, Option>, path?: string]} Row
 */

const p = /** @type {any} */ (palimpsest);

const COMMON_RULE = { keepRecent: count, maxAgeMs: number(), countErrors: boolean, placeholder: text() };
const PRESET = { now: time, unknownAge: text('young'), placeholderLanguage: language };
const TERMINAL = { ...COMMON_RULE, terminalTools: texts, errors: text('status', 'none') };
const FILE_READS = {
  keepRecent: count,
  placeholder: text(),
  readTools: texts,
  pathKeys: texts,
  projectRoot: text('src', ''),
  caseInsensitivePaths: boolean,
};
const TEXT_SEARCH = { ...COMMON_RULE, searchTools: texts };
const RULE = {
  ...COMMON_RULE,
  name: required(text()),
  placeholder: required(text()),
  tools: texts,
  ignoreCase: boolean,
  contentMarkers: texts,
  errors: text('none'),
  groupBy: { types: /** @type {Kind[]} */ (['text', 'object']), wrong: ['file'] },
};

/** @param {string} name @param {any} value */
const rule = (name, value) => ({ name: 'mine', placeholder: '-', tools: ['bash'], [name]: value });
const batch = () => ({ id: 'b', kind: 'summary', level: 1, at: NOW, messages: [{ role: 'user', content: 'x' }] });
const client = () => new p.HttpLlmClient({ baseUrl: 'http://127.0.0.1:9/v1', model: 'm', maxRetries: 0 });
const observation = () => ({ usage: 100, estimate: 90 });

/** @param {any} archive @returns {Row[]} */
export const optionTable = (archive) => [
  [
    'simplifyOutdatedTerminalResults',
    (n, v, m) => p.simplifyOutdatedTerminalResults(m, { [n]: v }),
    { ...PRESET, ...TERMINAL },
  ],
  [
    'simplifyHistoricalFileReads',
    (n, v, m) => p.simplifyHistoricalFileReads(m, { [n]: v }),
    { ...PRESET, ...FILE_READS },
  ],
  ['simplifyTextSearchResults', (n, v, m) => p.simplifyTextSearchResults(m, { [n]: v }), { ...PRESET, ...TEXT_SEARCH }],
  [
    'simplifyToolResults',
    (n, v, m) => p.simplifyToolResults(m, [], { [n]: v }),
    { now: time, unknownAge: text('young') },
  ],
  ['simplifyToolResults, a rule', (n, v, m) => p.simplifyToolResults(m, [rule(n, v)]), RULE, 'rules[0].'],
  ...['prepareMessages', 'ContextView'].flatMap((name) => {
    /** @param {any} options @param {any[]} m */
    const call = (options, m) =>
      name === 'prepareMessages' ? p.prepareMessages(m, options) : new p.ContextView(options);
    const preset = { types: /** @type {Kind[]} */ (['boolean', 'object', 'list']) };
    const { now, ...others } = PRESET;
    /** @type {Row[]} */
    const rows = [
      [name, (n, v, m) => call({ [n]: v }, m), { ...others, ...(name === 'prepareMessages' && { now }) }],
      [
        name,
        (n, v, m) => call({ [n]: v }, m),
        { orphans: { types: ['boolean', 'text'], wrong: ['keep'] }, rules: list },
      ],
      [name, (n, v, m) => call({ [n]: v }, m), { terminal: preset, fileReads: preset, textSearch: preset }],
      [`${name}, terminal`, (n, v, m) => call({ terminal: { [n]: v } }, m), TERMINAL, 'options.terminal.'],
      [`${name}, fileReads`, (n, v, m) => call({ fileReads: { [n]: v } }, m), FILE_READS, 'options.fileReads.'],
      [`${name}, textSearch`, (n, v, m) => call({ textSearch: { [n]: v } }, m), TEXT_SEARCH, 'options.textSearch.'],
      [`${name}, a rule`, (n, v, m) => call({ rules: [rule(n, v)] }, m), RULE, 'options.rules[0].'],
    ];
    return rows;
  }),
  ['ContextView.project', (n, v, m) => new p.ContextView().project(m, { [n]: v }), { now: time }],
  ['ContextView.plan', (n, v) => new p.ContextView().plan({ [n]: v }), { now: time }],
  ['ContextView.prepare', (n, v, m) => new p.ContextView().prepare(m, { [n]: v }), { now: time, signal }],
  [
    'ContextView',
    (n, v) => new p.ContextView({ [n]: v }),
    {
      maxExtraCost: number(-1, Number.NaN),
      budgetTokens: number(-1, Number.NaN),
      arrivalTimes: boolean,
      marks: boolean,
      tools: text('emacs'),
      compressWhenCold: number(0, 2, Number.NaN),
      price: { types: ['text', 'object'], wrong: ['free', { read: -1 }, { write: Number.NaN, read: 1 }] },
    },
  ],
  ['Prices', (n, v) => new p.Prices({ preset: 'openai', [n]: v }), { read: number(), write: number() }, 'prices.'],
  [
    'Prices',
    (n, v) => new p.Prices({ read: 0.1, write: 1, [n]: v }),
    { preset: { ...text('free'), isNullMeaningful: true } },
    'prices.',
  ],
  ['contextPicture', (_, v, m) => p.contextPicture(v, m), { view: { types: [], isRequired: true } }, ''],
  ['ContextViews', (n, v) => new p.ContextViews({ [n]: v }), { maxViews: number(0, 1.5) }],
  [
    'ContextViews.project',
    (n, v, m) => new p.ContextViews().project(m, { [n]: v }),
    { conversationId: text(''), side: boolean },
  ],
  ['stripForApi', (n, v, m) => p.stripForApi(m, { [n]: v }), { keep: texts }],
  ['expandHistory', (n, v, m) => p.expandHistory(m, { [n]: v }), { maxMessages: number(1.5) }],
  ['expandHistory', (n, v, m) => p.expandHistory(m, { [n]: v }), { archive: { types: [], wrong: [{}] } }],
  [
    'expandHistory, archived',
    (n, v, m) => p.expandHistory(m, { archive, [n]: v }),
    { sessionId: { types: ['text', 'list'], wrong: ['', '\ud800'], isRequired: true } },
  ],
  [
    'renderCompressionHistory',
    (n, v, m) => p.renderCompressionHistory(m, { [n]: v }),
    {
      color: boolean,
      width: number(19, 1_001, 80.5, Number.POSITIVE_INFINITY),
      language,
      originals: boolean,
      maxCharacters: number(0, 1.5),
    },
  ],
  ['defaultSummaryPrompt', (_, v) => p.defaultSummaryPrompt(v), { language: required(language) }, ''],
  ['TokenCounter', (n, v) => new p.TokenCounter({ [n]: v }), { model: text(), encoding: text('p50k') }],
  ['TokenCounter.count', (_, v) => new p.TokenCounter().count(v), { text: required(text()) }, ''],
  ['TokenCounter.countMessages', (n, v, m) => new p.TokenCounter().countMessages(m, { [n]: v }), { tools: list }],
  ['TokenCounter.fits', (_, v) => new p.TokenCounter().fits('x', v), { limit: required(count) }, ''],
  [
    'TokenCounter.truncate',
    (n, v) => new p.TokenCounter().truncate(...(n === 'text' ? [v, 5] : ['x', v])),
    { text: required(text()), maxTokens: required(count) },
    '',
  ],
  [
    'TokenCounter.truncate',
    (n, v) => new p.TokenCounter().truncate('x', 5, { [n]: v }),
    { keep: text('middle', 'errors'), marker: text() },
  ],
  [
    'TokenCalibration',
    (n, v) => new p.TokenCalibration({ [n]: v }),
    { model: text(), provider: text(), maxContextTokens: number(0), estimatedIn: text('cl100k', '') },
  ],
  [
    'TokenCalibration.observe',
    (n, v) => new p.TokenCalibration().observe({ ...observation(), [n]: v }),
    {
      estimate: required(number()),
      prefixUnchanged: boolean,
      mediaShare: number(1.5),
      usage: { types: ['number', 'object', 'list'] },
    },
    'observation.',
  ],
  ['TokenCalibration.predict', (_, v) => new p.TokenCalibration().predict(v), { estimate: required(number()) }, ''],
  ['TokenCalibration.predict', (n, v) => new p.TokenCalibration().predict(5, { [n]: v }), { prefixUnchanged: boolean }],
  [
    'TokenCalibration.import',
    (_, v) => p.TokenCalibration.import(v),
    { state: { types: ['object', 'list'], isRequired: true } },
    '',
  ],
  [
    'setLogger',
    (_, v) => p.setLogger(v),
    { logger: { types: ['object', 'list', 'function'], isNullMeaningful: true } },
    '',
  ],
  ['setLogger', (n, v) => p.setLogger(null, { [n]: v }), { logStyle: text('both', '') }],
  ['trimEmptyLines', (_, v) => p.trimEmptyLines(v), { content: required(text()) }, ''],
  ['truncateOutput', (_, v) => p.truncateOutput(v), { content: required({ ...texts, types: ['text', 'list'] }) }, ''],
  [
    'truncateOutput',
    (_, v) => p.truncateOutput('x', v),
    { limit: { ...count, types: ['number', 'object', 'list'] } },
    '',
  ],
  ['truncateOutput', (n, v) => p.truncateOutput('x', { [n]: v }), { limit: count, keep: text('middle', '') }],
  [
    'sanitizeToolResult',
    (_, v) => p.sanitizeToolResult(v),
    { result: { types: ['object', 'list'], isRequired: true } },
    '',
  ],
  ['sanitizeToolResults', (_, v) => p.sanitizeToolResults(v), { results: required(list) }, ''],
  ['sanitizeToolResultsJson', (_, v) => p.sanitizeToolResultsJson(v), { content: required(text()) }, ''],
  ...['sanitizeToolResult', 'sanitizeToolResults', 'sanitizeToolResultsJson'].map(
    (name) =>
      /** @type {Row} */ ([
        name,
        (n, v) => p[name](name.endsWith('Json') ? '[]' : [], { [n]: v }),
        { largeDataFields: texts },
      ]),
  ),
  ['formatToolResultForModel', (_, v) => p.formatToolResultForModel(v), { results: required(list) }, ''],
  [
    'ContextLengthExceededError',
    (n, v) => new p.ContextLengthExceededError(...(n === 'requestedTokens' ? [v, 1] : [1, v]), 'x'),
    { requestedTokens: { types: ['number'] }, maxTokens: { types: ['number'] } },
    '',
  ],
  [
    'ContextLengthExceededError',
    (_, v) => new p.ContextLengthExceededError(1, 1, v),
    { provider: required(text()) },
    '',
  ],
  ['ContextLengthExceededError', (n, v) => new p.ContextLengthExceededError(1, 1, 'x', { [n]: v }), { language }],
  [
    'ContextLengthExceededError.textsIn',
    (_, v) => new p.ContextLengthExceededError(1, 1, 'x').textsIn(v),
    { language: required(language) },
    '',
  ],
  ['parseContextLengthError', (_, v) => p.parseContextLengthError('x', v), { provider: text() }, ''],
  ['parseContextLengthError', (n, v) => p.parseContextLengthError('x', 'y', { [n]: v }), { language }],
  [
    'runWithProgress',
    (n, v) => p.runWithProgress({ tool: 't', [n]: v }, () => 1),
    {
      tool: required(text()),
      emit: callback,
      stages: list,
      estimateMs: number(0),
      timeoutMs: number(0),
      timeoutMessage: text(),
      language,
      signal,
    },
  ],
  [
    'runWithProgress, a stage',
    (n, v) => p.runWithProgress({ tool: 't', stages: [{ stage: 's', [n]: v }] }, () => 1),
    { stage: required(text()), message: text(), progress: number(101), tickMessage: callback },
    'options.stages[0].',
  ],
  ['runWithProgress', (_, v) => p.runWithProgress({ tool: 't' }, v), { fn: required(callback) }, ''],
  ['ToolTimeoutError', (_, v) => new p.ToolTimeoutError(v, 't', 1), { message: required(text()) }, ''],
  ['LlmHttpError', (_, v) => new p.LlmHttpError(v, 'X'), { message: required(text()) }, ''],
  ['ArchiveError', (_, v) => new p.ArchiveError('X', v, { path: 'p' }), { message: required(text()) }, ''],
  ['ArchiveError', (n, v) => new p.ArchiveError('X', 'm', { [n]: v }), { path: required(text()) }],
  ['DamagedHistoryError', (_, v) => new p.DamagedHistoryError('X', v, []), { reason: required(text()) }, ''],
  [
    'HttpLlmClient',
    (n, v) => new p.HttpLlmClient({ baseUrl: 'http://127.0.0.1:9/v1', [n]: v }),
    {
      baseUrl: required(text('nowhere')),
      apiKey: text('a\nb'),
      style: text('gemini'),
      model: text(),
      headers: { types: ['object'], wrong: [{ a: 1 }, { 'a b': 'x' }] },
      proxy: { types: ['text', 'boolean'], wrong: [true, 'no proxy'] },
      connectTimeoutMs: number(0, 1.5, 2 ** 40),
      readTimeoutMs: number(0, 1.5, 2 ** 40),
      totalTimeoutMs: number(0, 1.5, 2 ** 40),
      maxRetries: number(1.5, 21),
      maxRetryDelayMs: number(1.5, 2 ** 40),
      maxResponseBytes: number(0, 1.5, 2 ** 40),
      caCertificates: { types: ['text', 'list'], wrong: [[1], 'no certificate'] },
      anthropicVersion: text('a\nb'),
      body: { types: ['object'] },
      temperature: { types: ['number', 'boolean'], wrong: [true, Number.NaN, -1, Number.POSITIVE_INFINITY] },
      language,
    },
  ],
  ...['chat', 'call'].map(
    (name) =>
      /** @type {Row} */ ([
        `HttpLlmClient.${name}`,
        (n, v) => client()[name]({ messages: [{ role: 'user', content: 'x' }], [n]: v }),
        {
          model: text(''),
          messages: { types: ['list'], isRequired: true, wrong: [[], [1]] },
          maxTokens: number(0, 1.5),
          max_tokens: number(0, 1.5),
          temperature: number(Number.POSITIVE_INFINITY),
          signal,
          body: { types: ['object'] },
        },
        '',
      ]),
  ),
  [
    'SessionArchive',
    (_, v) => new p.SessionArchive(v),
    { path: { types: ['text', 'object', 'list'], wrong: ['', 'a\0b', '\ud800'], isRequired: true } },
    '',
  ],
  [
    'SessionArchive',
    (n, v) => new p.SessionArchive({ path: 'p', [n]: v }),
    { busyTimeoutMs: number(1.5, 2 ** 40), searchTimeoutMs: number(0, 1.5, 2 ** 40), allowSharedFile: boolean },
  ],
  ['SessionArchive.append', (_, v) => archive.append(v, batch()), { sessionId: required(text('', '\ud800')) }, ''],
  [
    'SessionArchive.append',
    (_, v) => archive.append('s', v),
    { batch: { types: ['object', 'list'], isRequired: true } },
    '',
  ],
  [
    'SessionArchive.append',
    (n, v) => archive.append('s', { ...batch(), [n]: v }),
    {
      id: required(text('', '\ud800')),
      kind: required(text('digest', '')),
      level: required(number(1.5, 2 ** 32)),
      at: required(time),
      summary: text(),
      messages: required(list),
    },
    'batch.',
  ],
  [
    'SessionArchive.get',
    (n, v) => archive.get(...(n === 'id' ? ['s', v] : [v, 'b'])),
    { sessionId: required(text('')), id: required(text('')) },
    '',
  ],
  ['SessionArchive.restore', (_, v) => archive.restore(v), { sessionId: required(text('')) }, ''],
  ['SessionArchive.delete', (_, v) => archive.delete(v), { sessionId: required(text('')) }, ''],
  ['SessionArchive.search', (_, v) => archive.search(v), { query: required(text()) }, ''],
  [
    'SessionArchive.search',
    (n, v) => archive.search('x', { [n]: v }),
    {
      sessionId: text(''),
      limit: number(1.5, 1001),
      offset: number(1.5, 2 ** 32),
      context: number(1.5, 2 ** 32),
      signal,
    },
  ],
  [
    'lookupTool',
    (n, v) => p.lookupTool(archive, { sessionId: 's', [n]: v }),
    {
      sessionId: required(text('')),
      allSessions: { types: ['boolean'], wrong: [true] },
      name: text('', 'a b'),
      language,
      maxResults: number(0, 1.5, 101),
      maxTokens: number(99, 1.5, 1e7),
    },
  ],
  [
    'AutoCompressionManager',
    (n, v) => new p.AutoCompressionManager({}, () => 'x', null, { [n]: v }),
    {
      model: text(),
      tools: { types: ['list', 'function'], wrong: [new Array(2 ** 23), async () => []] },
      language,
      pin: { types: ['function'], wrong: [async () => true] },
      archive: { types: [], wrong: [{}] },
      sessionId: text(),
      onEvent: callback,
      logFields: { types: ['object', 'list'] },
      logStyle: text('both'),
    },
  ],
  // `process` takes the same options. It logs errors and never rejects.
  [
    'AutoCompressionManager.compress',
    (n, v, m) => new p.AutoCompressionManager({}, () => 'x').compress(m, { [n]: v }),
    { signal, now: time, summary: text(), instructions: text() },
  ],
];
