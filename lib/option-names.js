// @ts-check
'use strict';

const { wordsOf } = require('./lists.js');

/** The names of all options; any other name is an error. */

const NOW = ['now'];
const CALL = ['signal', ...NOW];
/** Options of `project`. */ const REQUEST = ['side', ...NOW];
/** Options of `prepare`. */ const PREPARING = ['model', 'maxContextTokens', 'signal', ...REQUEST];
/** Options of functions that decide which results are outdated. */ const JUDGING = [...NOW, 'unknownAge', 'dialect'];

const PRESET = ['keepRecent', 'maxAgeMs', 'countErrors', 'placeholder', 'placeholderLanguage'];
const BY_PRESET = {
  terminal: ['terminalTools', 'errors', ...PRESET],
  fileReads: ['readTools', 'pathKeys', 'projectRoot', 'caseInsensitivePaths', ...PRESET],
  textSearch: ['searchTools', ...PRESET],
};
const RULE = wordsOf(
  `name tools ignoreCase contentMarkers groupBy pathKeys projectRoot caseInsensitivePaths recentAmong
   keepRecent maxAgeMs errors countErrors placeholder`,
);
const RULES = ['orphans', ...Object.keys(BY_PRESET), 'rules', 'placeholderLanguage'];
/** Presets that only views have; the replaced functions have no rule for these results. */
const BY_KIND = { edits: ['placeholder', 'placeholderLanguage'], otherTools: ['placeholder', 'placeholderLanguage'] };

const MANAGER = wordsOf('model language prompt tools pin archive sessionId onEvent logFields logStyle dialect');
const VIEW = [
  ...wordsOf('price maxExtraCost budgetTokens binary repeated arrivalTimes marks tools outdatedBy ages keepTools'),
  ...wordsOf('dropTools protect pin repeatedCommands unknownAge dialect compression compressWhenCold'),
  ...Object.keys(BY_KIND),
  ...RULES,
];
const VIEWS = ['maxViews', 'store', 'storeTimeoutMs', 'onEvent', ...VIEW];
const ADAPTER = ['conversationId', 'side', ...VIEWS];

const LOOKUP = ['sessionId', 'allSessions', 'name', 'language', 'messages', 'maxResults', 'maxTokens'];

/** Option names, keyed by the function or object that takes them. */ const OPTIONS = Object.freeze({
  /** Kinds of results, in the core's order. */
  ages: ['shellRun', 'shellRead', 'shellSearch', 'fileRead', 'search', 'editResult', 'web', 'other'],
  archive: ['path', 'busyTimeoutMs', 'searchTimeoutMs', 'allowSharedFile'],
  /** Includes `count`, so that a batch returned by `restore` can be appended to another archive. */
  archiveBatch: ['id', 'kind', 'level', 'at', 'summary', 'messages', 'count'],
  archiveError: ['path', 'cause'],
  archiveSearch: ['sessionId', 'limit', 'offset', 'context', 'signal'],
  archivingSession: ['archive', 'sessionId', 'initialItems', 'compression'],
  calibration: ['model', 'provider', 'maxContextTokens', 'estimatedIn'],
  call: CALL,
  adapter: ADAPTER,
  codingAgent: wordsOf('compactLater enabled placeholderLanguage price repeated repeatedCommands showStatus'),
  conversation: ['conversationId', ...PREPARING],
  noteOverflow: ['model'],
  preparing: PREPARING,
  process: ['mostThreshold', ...PREPARING],
  request: REQUEST,
  /** A manager's arguments and options, by name. */
  compression: ['config', 'llmClient', 'logger', ...MANAGER],
  compressByHand: ['summary', 'instructions', ...CALL],
  countMessages: ['tools'],
  counter: ['model', 'encoding', 'dialect'],
  // Applications pass the same options to all drop-in functions.
  cleanOrphans: JUDGING,
  expandHistory: ['archive', 'sessionId', 'maxMessages', 'dialect'],
  groupBy: ['argument'],
  httpClient: wordsOf(
    `baseUrl style apiKey headers proxy connectTimeoutMs readTimeoutMs totalTimeoutMs maxRetries
     maxRetryDelayMs maxResponseBytes caCertificates anthropicVersion model temperature body language`,
  ),
  httpRequest: wordsOf('model messages maxTokens max_tokens max_completion_tokens temperature signal abortSignal body'),
  httpError: ['status', 'retryAfterMs', 'requestId', 'providerMessage', 'providerType', 'cause'],
  judging: JUDGING,
  language: ['language'],
  parseOverflow: ['language', 'status'],
  log: ['logStyle'],
  lookupTool: LOOKUP,
  manager: MANAGER,
  markedAdapter: ['cacheControl', ...ADAPTER],
  now: NOW,
  observation: ['usage', 'estimate', 'prefixUnchanged', 'mediaShare'],
  overflowError: ['language', 'cause'],
  postgresStore: ['pool', 'tenant', 'schema', 'retentionMs', 'maxRetries'],
  predict: ['prefixUnchanged'],
  prepareMessages: ['binary', 'repeated', ...RULES, ...JUDGING],
  prepareParams: ['view', 'cacheControl', 'onEvent', 'conversationId', 'side', ...CALL],
  price: ['preset', 'read', 'write', 'ttlMs', 'minTokens', 'blockTokens'],
  prompt: ['system', 'user', 'repair', 'sections'],
  promptSection: ['name', 'headings'],
  progress: ['tool', 'emit', 'stages', 'estimateMs', 'timeoutMs', 'timeoutMessage', 'language', 'signal'],
  renderHistory: ['color', 'width', 'language', 'originals', 'maxCharacters'],
  rule: RULE,
  sanitize: ['largeDataFields'],
  stage: ['stage', 'message', 'progress', 'tickMessage'],
  storeCall: ['signal'],
  stripForApi: ['keep', 'dialect'],
  truncateOutput: ['limit', 'keep'],
  truncateText: ['keep', 'marker'],
  view: VIEW,
  viewLookupTool: ['archive', ...LOOKUP],
  views: VIEWS,
  viewsLookupTool: ['conversationId', 'archive', ...LOOKUP],
});

/** For each preset, its option names: `within` the options of another function, and `alone`, as options of its own function. */
const PRESETS = Object.fromEntries(
  Object.entries({ ...BY_PRESET, ...BY_KIND }).map(([name, within]) => [
    name,
    { within, alone: [...within, ...JUDGING] },
  ]),
);

module.exports = { OPTIONS, PRESETS };
