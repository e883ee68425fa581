// @ts-check
'use strict';

const { applyPreset, applyRules, dropOrphans, prepareMessages } = require('./lib/cleanup/functions.js');
const { createSession } = require('./lib/cleanup/session.js');
const { stripForApi } = require('./lib/compression/api-messages.js');
const { DamagedHistoryError } = require('./lib/compression/damaged-history.js');
const { expandHistory } = require('./lib/compression/expand.js');
const { AutoCompressionManager } = require('./lib/compression/manager.js');
const { defaultSummaryPrompt } = require('./lib/compression/prompt.js');
const { HttpLlmClient, LlmHttpError } = require('./lib/http-llm-client.js');
const { TokenCounter } = require('./lib/tokens/counter.js');
const { ArchiveError } = require('./lib/archive/archive-error.js');
const { SessionArchive } = require('./lib/archive/session-archive.js');
const { setLogger } = require('./lib/log.js');
const { TokenCalibration } = require('./lib/tokens/calibration.js');
const version = require('./lib/version.js');
const { getMaxOutputLimit, trimEmptyLines, truncateOutput } = require('./lib/output.js');
const { ContextLengthExceededError } = require('./lib/results/context-length-error.js');
const { formatToolResultForModel } = require('./lib/results/format.js');
const { parseContextLengthError } = require('./lib/results/overflow.js');
const { runWithProgress, toolTimeouts, ToolTimeoutError } = require('./lib/results/progress.js');
const { sanitizeToolResult, sanitizeToolResults, sanitizeToolResultsJson } = require('./lib/results/sanitize.js');

/** @typedef {any[]} Messages */

exports.cleanOrphanedToolCalls = (/** @type {Messages} */ messages, /** @type {unknown} */ options) =>
  dropOrphans(messages, options, true);
exports.simplifyOutdatedTerminalResults = (/** @type {Messages} */ messages, /** @type {unknown} */ options) =>
  applyPreset('terminal', messages, options, true);
exports.simplifyHistoricalFileReads = (/** @type {Messages} */ messages, /** @type {unknown} */ options) =>
  applyPreset('fileReads', messages, options, true);
exports.simplifyTextSearchResults = (/** @type {Messages} */ messages, /** @type {unknown} */ options) =>
  applyPreset('textSearch', messages, options, true);
exports.simplifyToolResults = applyRules;
exports.prepareMessages = prepareMessages;
exports.createSession = createSession;
exports.TokenCalibration = TokenCalibration;
exports.TokenCounter = TokenCounter;
exports.setLogger = setLogger;
exports.version = version;

exports.trimEmptyLines = trimEmptyLines;
exports.getMaxOutputLimit = getMaxOutputLimit;
exports.truncateOutput = truncateOutput;

exports.sanitizeToolResult = sanitizeToolResult;
exports.sanitizeToolResultForHistory = sanitizeToolResult;
exports.sanitizeToolResults = sanitizeToolResults;
exports.sanitizeToolResultsJson = sanitizeToolResultsJson;
exports.formatToolResultForModel = formatToolResultForModel;
exports.ContextLengthExceededError = ContextLengthExceededError;
exports.parseContextLengthError = parseContextLengthError;
exports.runWithProgress = runWithProgress;
exports.ToolTimeoutError = ToolTimeoutError;
exports.toolTimeouts = toolTimeouts;

exports.HttpLlmClient = HttpLlmClient;
exports.LlmHttpError = LlmHttpError;
exports.SessionArchive = SessionArchive;
exports.ArchiveError = ArchiveError;

exports.AutoCompressionManager = AutoCompressionManager;
exports.DamagedHistoryError = DamagedHistoryError;
exports.defaultSummaryPrompt = defaultSummaryPrompt;
exports.expandHistory = expandHistory;
exports.stripForApi = stripForApi;
