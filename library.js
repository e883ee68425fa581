// @ts-check
'use strict';

// Load the addon first, so that a missing one fails at import and not at the first call.
require('./lib/native.js');

// Below are the exports of each entry of the package. The packed package has `library/index.js`, one file with all modules, in place of this file.

/** Evaluates a module of `lib/` when one of its exports is first read. @template {Record<string, () => any>} T @param {T} readers */
function lazyExports(readers) {
  const lazy = /** @type {any} */ ({});
  for (const [name, read] of Object.entries(readers)) {
    /** @param {unknown} value */
    const set = (value) => Object.defineProperty(lazy, name, { value, writable: true });
    const get = () => {
      const value = read();
      set(value);
      return value;
    };
    Object.defineProperty(lazy, name, { configurable: true, enumerable: true, get, set });
  }
  return /** @type {{ [K in keyof T]: ReturnType<T[K]> }} */ (lazy);
}

exports.index = lazyExports({
  cleanOrphanedToolCalls: () => require('./lib/cleanup/functions.js').cleanOrphanedToolCalls,
  simplifyHistoricalFileReads: () => require('./lib/cleanup/functions.js').simplifyHistoricalFileReads,
  simplifyOutdatedTerminalResults: () => require('./lib/cleanup/functions.js').simplifyOutdatedTerminalResults,
  simplifyTextSearchResults: () => require('./lib/cleanup/functions.js').simplifyTextSearchResults,
  simplifyToolResults: () => require('./lib/cleanup/functions.js').applyRules,
  prepareMessages: () => require('./lib/cleanup/functions.js').prepareMessages,

  ContextView: () => require('./lib/view/context-view.js').ContextView,
  ContextViews: () => require('./lib/view/context-views.js').ContextViews,
  contextPicture: () => require('./lib/history/context-picture.js').contextPicture,
  Prices: () => require('./lib/cache/prices.js').Prices,

  TokenCalibration: () => require('./lib/tokens/calibration.js').TokenCalibration,
  TokenCounter: () => require('./lib/tokens/counter.js').TokenCounter,
  setLogger: () => require('./lib/log.js').setLogger,
  version: () => require('./lib/version.js').version,

  getMaxOutputLimit: () => require('./lib/output.js').getMaxOutputLimit,
  trimEmptyLines: () => require('./lib/output.js').trimEmptyLines,
  truncateOutput: () => require('./lib/output.js').truncateOutput,

  ContextLengthExceededError: () => require('./lib/results/context-length-error.js').ContextLengthExceededError,
  formatToolResultForModel: () => require('./lib/results/format.js').formatToolResultForModel,
  parseContextLengthError: () => require('./lib/results/context-length-error.js').parseContextLengthError,
  runWithProgress: () => require('./lib/results/progress.js').runWithProgress,
  sanitizeToolResult: () => require('./lib/results/sanitize.js').sanitizeToolResult,
  sanitizeToolResults: () => require('./lib/results/sanitize.js').sanitizeToolResults,
  sanitizeToolResultsJson: () => require('./lib/results/sanitize.js').sanitizeToolResultsJson,
  ToolTimeoutError: () => require('./lib/results/progress.js').ToolTimeoutError,
  toolTimeouts: () => require('./lib/results/progress.js').toolTimeouts,

  HttpLlmClient: () => require('./lib/http-llm/client.js').HttpLlmClient,
  LlmHttpError: () => require('./lib/http-llm/client.js').LlmHttpError,
  ArchiveError: () => require('./lib/archive/store.js').ArchiveError,
  lookupTool: () => require('./lib/archive/lookup-tool.js').lookupTool,
  SessionArchive: () => require('./lib/archive/session-archive.js').SessionArchive,

  AutoCompressionManager: () => require('./lib/compression/manager.js').AutoCompressionManager,
  DamagedHistoryError: () => require('./lib/compression/expand.js').DamagedHistoryError,
  defaultSummaryPrompt: () => require('./lib/compression/summary-call.js').defaultSummaryPrompt,
  expandHistory: () => require('./lib/compression/expand.js').expandHistory,
  renderCompressionHistory: () => require('./lib/history/render.js').renderCompressionHistory,
  stripForApi: () => require('./lib/compression/api-messages.js').stripForApi,
});

exports.messageCleanup = lazyExports({
  cleanOrphanedToolCalls: () => require('./lib/cleanup/bare-drop-ins.js').cleanOrphanedToolCalls,
  sanitizeToolResultForHistory: () => require('./lib/results/sanitize.js').sanitizeToolResultForHistory,
  simplifyHistoricalFileReads: () => require('./lib/cleanup/bare-drop-ins.js').simplifyHistoricalFileReads,
  simplifyOutdatedTerminalResults: () => require('./lib/cleanup/bare-drop-ins.js').simplifyOutdatedTerminalResults,
});

exports['ai-sdk'] = lazyExports({
  middleware: () => require('./lib/adapters/ai-sdk.js').middleware,
  prepareStep: () => require('./lib/adapters/ai-sdk.js').prepareStep,
});

exports.anthropic = lazyExports({
  middleware: () => require('./lib/adapters/anthropic.js').middleware,
  prepareParams: () => require('./lib/adapters/anthropic.js').prepareParams,
});

exports.langchain = lazyExports({
  contextMiddleware: () => require('./lib/adapters/langchain.js').contextMiddleware,
});

exports.mastra = lazyExports({
  ContextProcessor: () => require('./lib/adapters/mastra.js').ContextProcessor,
});

exports['openai-agents'] = lazyExports({
  ArchivingSession: () => require('./lib/adapters/openai-agents/archiving-session.js').ArchivingSession,
  modelInputFilter: () => require('./lib/adapters/openai-agents/model-input-filter.js').modelInputFilter,
});

exports.opencode = lazyExports({
  palimpsest: () => require('./lib/adapters/opencode/plugin.js').palimpsest,
});

exports.pi = lazyExports({
  palimpsest: () => require('./lib/adapters/pi/extension.js').palimpsest,
});

exports.postgres = lazyExports({
  PostgresStore: () => require('./lib/stores/postgres-store.js').PostgresStore,
});

/** For palimpsest-cli only: may change without notice. */
exports.command = lazyExports({
  list: () => require('./lib/command/recorded-list.js'),
  sessionsFor: () => require('./lib/native-cli.js').sessionsFor,
  display: () => require('./lib/display-width.js'),
  walk: () => require('./lib/history/levels.js').walk,
  countTokens: () => require('./lib/tokens/weight.js').countO200k,
  gateway: () => require('./lib/adapters/gateway.js'),
});
