// @ts-check
'use strict';

const { applyPreset, applyRules, dropOrphans, prepareMessages } = require('../cleanup/functions.js');
const { Prices } = require('../cache/prices.js');
const { stripForApi } = require('../compression/api-messages.js');
const { DamagedHistoryError } = require('../compression/damaged-history.js');
const { expandHistory } = require('../compression/expand.js');
const { AutoCompressionManager } = require('../compression/manager.js');
const { defaultSummaryPrompt } = require('../compression/prompt.js');
const { renderCompressionHistory } = require('../history/render.js');
const { HttpLlmClient, LlmHttpError } = require('../http-llm/client.js');
const { TokenCounter } = require('../tokens/counter.js');
const { ArchiveError } = require('../archive/archive-error.js');
const { SessionArchive } = require('../archive/session-archive.js');
const { setLogger } = require('../log.js');
const { TokenCalibration } = require('../tokens/calibration.js');
const { ContextView } = require('../view/context-view.js');
const { contextPicture } = require('../view/picture.js');
const { ContextViews } = require('../view/views.js');
const version = require('../version.js');
const { getMaxOutputLimit, trimEmptyLines, truncateOutput } = require('../output.js');
const { ContextLengthExceededError } = require('../results/context-length-error.js');
const { formatToolResultForModel } = require('../results/format.js');
const { parseContextLengthError } = require('../results/overflow.js');
const { runWithProgress, toolTimeouts, ToolTimeoutError } = require('../results/progress.js');
const { sanitizeToolResult, sanitizeToolResults, sanitizeToolResultsJson } = require('../results/sanitize.js');

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
exports.ContextView = ContextView;
exports.ContextViews = ContextViews;
exports.contextPicture = contextPicture;
exports.Prices = Prices;
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
exports.renderCompressionHistory = renderCompressionHistory;
exports.stripForApi = stripForApi;
