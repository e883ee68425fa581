import palimpsest from './index.js';

export const {
  cleanOrphanedToolCalls,
  Prices,
  prepareMessages,
  setLogger,
  simplifyHistoricalFileReads,
  simplifyOutdatedTerminalResults,
  simplifyTextSearchResults,
  simplifyToolResults,
  TokenCalibration,
  TokenCounter,
  version,
} = palimpsest;

export const {
  ContextLengthExceededError,
  formatToolResultForModel,
  getMaxOutputLimit,
  parseContextLengthError,
  runWithProgress,
  sanitizeToolResult,
  sanitizeToolResults,
  sanitizeToolResultsJson,
  ToolTimeoutError,
  toolTimeouts,
  trimEmptyLines,
  truncateOutput,
} = palimpsest;

export const { ContextView, ContextViews, contextPicture } = palimpsest;
export const { HttpLlmClient, LlmHttpError } = palimpsest;
export const { ArchiveError, lookupTool, SessionArchive } = palimpsest;

export const {
  AutoCompressionManager,
  DamagedHistoryError,
  defaultSummaryPrompt,
  expandHistory,
  renderCompressionHistory,
  stripForApi,
} = palimpsest;
