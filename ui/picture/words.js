// @ts-check
/**
 * Texts of `<context-map>` and `<context-chart>` in English; `words-zh.js` has the Chinese ones.
 * @import { Texts } from '../base/format.js'
 * @import { CostPicture, ThreadPicture } from '../picture.js'
 * @typedef {typeof WORDS['en']} Words
 */
import { withFormats } from '../base/format.js';
import { legible } from '../base/safe-text.js';
import { ZH } from './words-zh.js';

/** @satisfies {Texts} */
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
  resultOf: (tool) => `result of ${tool}`,
  thread: 'Conversation',
  mainThread: 'main conversation',
  branch: 'branch',
  subAgent: 'sub-agent',
  request: 'Request',
  requestOf: (at, count) => `Request ${at} of ${count}`,
  tokens: (count) => `${count} tokens`,
  noPicture: 'No session to show yet.',
  otherVersion: (version, known) => `This picture has version ${version}; version ${known} can be drawn.`,
  wrongShape: (where) => `This can't be drawn: ${where} isn't as a session's picture has it.`,
  noRequests: 'No request was sent in this conversation yet.',
  nothingSent: 'This request sent no message.',
  // map
  shows: 'Shows',
  asItWas: 'what was sent',
  withView: 'with ContextView',
  cellSizes: 'Cell sizes',
  asSent: 'as sent',
  asStored: 'as stored',
  mapLabel: (at) => `What request ${at} sends, in order`,
  mapHelp: 'Arrow keys move from cell to cell and from row to row; Enter opens the message.',
  inWindow: (tokens, window, share) => `${tokens} tokens, ${share} of the window of ${window}.`,
  inAll: (tokens, cells) => `${tokens} tokens in ${cells} cells.`,
  cachedSum: (share) => `${share} expected from the cache.`,
  replacedSum: (count, tokens) => `${count} replaced, which saves ${tokens}.`,
  withReferencesSum: (count, tokens) => `${count} with references to lines above, which saves ${tokens}.`,
  pendingSum: (count, tokens) => `${count} outdated and still sent: ${tokens}.`,
  readSum: (share) => `${share} read from the cache.`,
  clearedSum: (count, tokens) => `${count} cleared by the agent: ${tokens} gone, by the provider's count.`,
  legend: 'Colours',
  legendHelp: 'Press to show one of them alone',
  replaced: 'replaced by a placeholder',
  withReferences: 'refers to lines above',
  pending: 'outdated, still sent',
  cached: 'expected from the cache',
  read: 'read from the cache',
  cleared: 'cleared by the agent (likeliest place)',
  limit: (tokens) => `window: ${tokens}`,
  readingHint: 'Point at a cell, or move to one with the arrow keys.',
  stateReplaced: (now, before) => `replaced: ${now} tokens instead of ${before}`,
  stateCleared: (now, before) => `cleared by the agent: ${now} tokens instead of ${before}`,
  stateWithReferences: (now, before) => `refers to lines above: ${now} tokens instead of ${before}`,
  statePending: 'outdated, still sent',
  byRule: (rule) => `rule ${rule}`,
  fromRequest: (request) => `since request ${request}`,
  isCached: 'cached',
  fixedLabel: 'System prompt and tools, which the file does not hold',
  noLabel: 'without text',
  messageNumber: (number) => `message ${number}`,
  close: 'Close',
  stored: 'As stored',
  sent: 'As sent',
  sentAsStored: 'Sent as it is stored.',
  notSent: 'This request does not send it.',
  clearedNote: (request) =>
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
  partlyKnown: (known, count) => `known for ${known} of ${count} requests`,
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
  cacheLossSum: (count, tokens, cost) => `${count}×, ${tokens} tokens again, costs ${cost}`,
  cacheLossAt: (tokens) => `${tokens} tokens read again`,
  eventsLabel: 'Marks',
  nextEvent: 'Next mark',
  previousEvent: 'Previous mark',
  chartLabel: (count, least, most) => `Tokens by kind over ${count} requests, from ${least} to ${most}.`,
  costLabel: 'Cost by policy over the same requests.',
  time: 'Time',
  model: 'Model',
  prompt: 'Tokens',
  asView: 'ContextView',
  cachedShort: 'cached',
  reported: 'reported by the provider',
  reportedPrompt: (prompt, read) => `${prompt}, of these ${read} cached`,
  marks: 'Marks',
  showTable: 'Show as a table',
  hideTable: 'Hide the table',
  tableCaption: (from, to, count) => `Requests ${from} to ${to} of ${count}`,
  earlier: 'Earlier requests',
  later: 'Later requests',
  join: ', ',
  colon: ': ',
  semicolon: '; ',
  sentences: ' ',
};

export const WORDS = withFormats({ en: EN, zh: ZH });

/** Plural name of a kind of content. A later version may add kinds. @param {Words} words @param {string} kind */
export function kindName({ kinds }, kind) {
  return Object.hasOwn(kinds, kind) ? kinds[/** @type {keyof Words['kinds']} */ (kind)] : kind;
}

/** Singular name of a kind of content. @param {Words} words @param {string} kind */
export function cellKindName({ cellKinds }, kind) {
  return Object.hasOwn(cellKinds, kind) ? cellKinds[/** @type {keyof Words['cellKinds']} */ (kind)] : kind;
}

/** Name of a thread in the list of threads. @param {Words} words @param {ThreadPicture} thread */
export function threadName(words, { kind, name }) {
  if (kind === 'main') return words.mainThread;
  const kindText = kind === 'branch' ? words.branch : words.subAgent;
  return name === null || name === undefined ? kindText : `${kindText}: ${legible(name)}`;
}

/** Name of a price list. @param {Words} words @param {CostPicture} cost */
export function pricesName(words, { prices }) {
  if (prices === 'own') return words.ownPrices;
  return prices === 'none' ? words.noPrices : legible(prices);
}
