// @ts-check
/**
 * Texts of `<context-map>` and `<context-chart>`: whole sentences with placeholders, because word order differs between
 * languages. Here are the English ones; `words-zh.js` has the Chinese ones.
 *
 * @import { Language } from '../base/language.js'
 * @typedef {typeof EN} Texts
 * @typedef {ReturnType<typeof wordsOf>} Words texts and numbers in one language
 */
import { formatCount, formatShare, formatTokens } from '../base/format.js';
import { ZH } from './words-zh.js';

export const EN = {
  kinds: {
    fixed: 'system prompt and tools',
    system: 'system messages',
    user: 'user',
    assistant: 'assistant',
    reasoning: 'reasoning',
    call: 'tool calls',
    result: 'tool results',
    image: 'images',
    summary: 'summaries',
    other: 'other',
  },
  /** Names of one cell. Its kinds are finer than those of the totals. */
  cellKinds: {
    system: 'system message',
    user: 'user',
    assistant: 'assistant',
    reasoning: 'reasoning',
    call: 'tool call',
    result: 'tool result',
    image: 'image',
    file: 'file',
    summary: 'summary',
    tools: 'tools',
    text: 'text',
    other: 'other',
  },
  otherTools: 'other tools',
  resultOf: (/** @type {string} */ tool) => `result of ${tool}`,
  thread: 'Conversation',
  mainThread: 'main conversation',
  branch: 'branch',
  subAgent: 'sub-agent',
  request: 'Request',
  requestOf: (/** @type {string} */ at, /** @type {string} */ count) => `Request ${at} of ${count}`,
  tokens: (/** @type {string} */ count) => `${count} tokens`,
  noPicture: 'No session to show yet.',
  otherVersion: (/** @type {string} */ version, /** @type {number} */ known) =>
    `This picture has version ${version}; version ${known} can be drawn.`,
  wrongShape: (/** @type {string} */ where) => `This can't be drawn: ${where} isn't as a session's picture has it.`,
  noRequests: 'No request was sent in this conversation yet.',
  nothingSent: 'This request sent no message.',
  // map
  shows: 'Shows',
  asItWas: 'what was sent',
  withView: 'with ContextView',
  cellSizes: 'Cell sizes',
  asSent: 'as sent',
  asStored: 'as stored',
  mapLabel: (/** @type {string} */ at) => `What request ${at} sends, in order`,
  mapHelp: 'Arrow keys move from cell to cell and from row to row; Enter opens the message.',
  inWindow: (/** @type {string} */ tokens, /** @type {string} */ window, /** @type {string} */ share) =>
    `${tokens} tokens, ${share} of the window of ${window}.`,
  inAll: (/** @type {string} */ tokens, /** @type {string} */ cells) => `${tokens} tokens in ${cells} cells.`,
  cachedSum: (/** @type {string} */ share) => `${share} expected from the cache.`,
  replacedSum: (/** @type {string} */ count, /** @type {string} */ tokens) =>
    `${count} replaced, which saves ${tokens}.`,
  withReferencesSum: (/** @type {string} */ count, /** @type {string} */ tokens) =>
    `${count} with references to lines above, which saves ${tokens}.`,
  pendingSum: (/** @type {string} */ count, /** @type {string} */ tokens) =>
    `${count} outdated and still sent: ${tokens}.`,
  readSum: (/** @type {string} */ share) => `${share} read from the cache.`,
  clearedSum: (/** @type {string} */ count, /** @type {string} */ tokens) =>
    `${count} cleared by the agent: ${tokens} gone, by the provider's count.`,
  legend: 'Colours',
  legendHelp: 'Press to show one of them alone',
  replaced: 'replaced by a placeholder',
  withReferences: 'refers to lines above',
  pending: 'outdated, still sent',
  cached: 'expected from the cache',
  read: 'read from the cache',
  cleared: 'cleared by the agent (likeliest place)',
  limit: (/** @type {string} */ tokens) => `window: ${tokens}`,
  readingHint: 'Point at a cell, or move to one with the arrow keys.',
  stateReplaced: (/** @type {string} */ now, /** @type {string} */ before) =>
    `replaced: ${now} tokens instead of ${before}`,
  stateCleared: (/** @type {string} */ now, /** @type {string} */ before) =>
    `cleared by the agent: ${now} tokens instead of ${before}`,
  stateWithReferences: (/** @type {string} */ now, /** @type {string} */ before) =>
    `refers to lines above: ${now} tokens instead of ${before}`,
  statePending: 'outdated, still sent',
  byRule: (/** @type {string} */ rule) => `rule ${rule}`,
  fromRequest: (/** @type {string} */ request) => `since request ${request}`,
  isCached: 'cached',
  fixedLabel: 'System prompt and tools, which the file does not hold',
  noLabel: 'without text',
  messageNumber: (/** @type {string} */ number) => `message ${number}`,
  close: 'Close',
  stored: 'As stored',
  sent: 'As sent',
  sentAsStored: 'Sent as it is stored.',
  notSent: 'This request does not send it.',
  clearedNote: (/** @type {string} */ request) =>
    `Cleared by the agent since request ${request}: the provider counted fewer tokens than the file holds. No record says what went; this is the likeliest place.`,
  placeholderUnknown: 'A placeholder is sent in its place, which the picture does not hold.',
  referencesUnknown: 'Lines that the request already holds are sent as references to them.',
  loading: 'Loading the message …',
  loadFailed: 'The message could not be loaded.',
  noLoader: 'Only the picture is here, not the messages themselves.',
  failed: 'failed',
  // chart
  tokensTitle: 'Tokens of each request',
  costTitle: 'Cost of prompts, without output',
  viewLine: 'as ContextView sends it',
  prices: 'Prices',
  ownPrices: "the session's own models",
  noPrices: 'nothing cached',
  costMode: 'Cost',
  eachRequest: 'of each request',
  summedUp: 'summed up',
  policy: 'Policy',
  policies: {
    leftAlone: 'history left alone',
    everyRequest: 'rules at every request',
    view: 'ContextView',
    paid: 'paid for prompts',
  },
  thisRequest: 'this request',
  upToHere: 'up to here',
  total: 'in total',
  compared: 'against left alone',
  partlyKnown: (/** @type {string} */ known, /** @type {string} */ count) => `known for ${known} of ${count} requests`,
  units: 'tokens at the base price of input',
  dollars: 'US dollars',
  noCosts: 'No costs are known for this conversation.',
  causes: {
    idle: 'cache lost in a pause',
    compaction: 'cache lost to a compaction',
    'edited-prefix': 'cache lost to an edited prefix',
    unknown: 'cache lost, cause unknown',
  },
  begins: {
    compaction: 'compaction: a new context',
    'results-cleared': 'the agent cleared results',
    rewind: 'rewound',
    changed: 'earlier messages changed',
  },
  compacts: 'writes a summary',
  cacheLossSum: (/** @type {string} */ count, /** @type {string} */ tokens, /** @type {string} */ cost) =>
    `${count}×, ${tokens} tokens again, costs ${cost}`,
  cacheLossAt: (/** @type {string} */ tokens) => `${tokens} tokens read again`,
  eventsLabel: 'Marks',
  nextEvent: 'Next mark',
  previousEvent: 'Previous mark',
  chartLabel: (/** @type {string} */ count, /** @type {string} */ least, /** @type {string} */ most) =>
    `Tokens by kind over ${count} requests, from ${least} to ${most}.`,
  costLabel: 'Cost by policy over the same requests.',
  time: 'Time',
  model: 'Model',
  prompt: 'Tokens',
  asView: 'ContextView',
  cachedShort: 'cached',
  reported: 'reported by the provider',
  reportedPrompt: (/** @type {string} */ prompt, /** @type {string} */ read) => `${prompt}, of these ${read} cached`,
  marks: 'Marks',
  showTable: 'Show as a table',
  hideTable: 'Hide the table',
  tableCaption: (/** @type {string} */ from, /** @type {string} */ to, /** @type {string} */ count) =>
    `Requests ${from} to ${to} of ${count}`,
  earlier: 'Earlier requests',
  later: 'Later requests',
  join: ', ',
  colon: ': ',
  semicolon: '; ',
  sentences: ' ',
};

const WORDS = { en: withNumbers('en', EN), zh: withNumbers('zh', ZH) };

/** @param {Language} language */
export function wordsOf(language) {
  return WORDS[language];
}

/** Adds how numbers are written. @param {Language} language @param {Texts} texts */
function withNumbers(language, texts) {
  return {
    ...texts,
    language,
    /** `12,345`. @param {number} value */
    number: (value) => formatCount(value, language),
    /** `12.3K`. @param {number} value */
    shortNumber: (value) => formatTokens(value, language),
    /** `83%`. @param {number} value */
    share: (value) => formatShare(value, language),
  };
}
