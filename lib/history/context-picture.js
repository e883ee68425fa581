// @ts-check
'use strict';

const { checkMessages } = require('../arguments.js');
const { compressionOf } = require('../compression/record.js');
const { wrongType } = require('../errors.js');
const { copyOfList } = require('../lists.js');
const { readContents } = require('../messages/message-content.js');
const native = require('../native.js');
const { viewInternals } = require('../view/context-view.js');
const { sharedBy } = require('../messages/likeness.js');
const { weightOf } = require('../tokens/weight.js');

/** @typedef {import('../entry/types/picture.js').Cell} Cell */
/** @typedef {import('../entry/types/picture.js').PictureKind} Kind */
/** @typedef {InstanceType<typeof import('../view/projection.js').Projection>} Projection */
/** @typedef {InstanceType<typeof import('../messages/message-content.js').MessageContent>} MessageContent */

/** UTF-16 units at the start of a text that are searched for its first words. */ const LABEL_UNITS = 4096;

/** The kind of a message, by its largest content. @param {any} message @param {MessageContent} content @returns {Kind} */
function kindOf(message, { role, texts, calls, answers, hasThinking }) {
  if (compressionOf(message) !== undefined) return 'summary';
  if (answers.length > 0 || role === 'tool') return 'result';
  if (role === 'system' || role === 'user') return role;
  if (role !== 'assistant') return 'other';
  const units = (/** @type {readonly string[]} */ list) => list.reduce((sum, text) => sum + text.length, 0);
  if (units(calls.flat()) > units(texts)) return 'call';
  return texts.length === 0 && hasThinking ? 'reasoning' : 'assistant';
}

/** The names of all tools; for each call id, its tool's index and a one-line label. @param {readonly MessageContent[]} contents */
function labelsOfCalls(contents) {
  /** @type {string[]} */ const tools = [];
  /** @type {Map<string, { tool: number, label: string }>} */ const labels = new Map();
  for (const [id, name, input] of contents.flatMap(({ calls }) => calls)) {
    if (!tools.includes(name)) tools.push(name);
    labels.set(id, { tool: tools.indexOf(name), label: native.callLabel(name, input) });
  }
  return { tools, labels };
}

/** For each message with outdated results, what their removal saves (tokens), and what is removed already. @param {Projection} projection */
function outdatedIn({ removals, removed, conversation }) {
  /** @type {Map<number, { saved: number, isRemoved: boolean, rule: string | null, placeholder: string, tokensRemoved: number }>} */
  const byMessage = new Map();
  for (const { row, message, saved, rule, text } of removals.outdated.values()) {
    const isRemoved = removed.has(row);
    const reason = { rule: conversation.engine.ruleNames[rule] ?? null, placeholder: text };
    const outdated = byMessage.get(message) ?? { saved: 0, isRemoved: true, tokensRemoved: 0, ...reason };
    outdated.saved += saved;
    outdated.isRemoved &&= isRemoved;
    if (isRemoved) outdated.tokensRemoved += saved;
    byMessage.set(message, outdated);
  }
  return byMessage;
}

/** A cell for each message, and `sent`: its tokens as sent. @param {readonly any[]} messages @param {Projection} projection @param {readonly Kind[]} kinds */
function cellsOf(messages, projection, kinds) {
  const tokens = projection.removals.tokensOfMessages();
  const outdatedByMessage = outdatedIn(projection);
  const savedByReferences = projection.removals.savedByReferences();
  const weighedCount = Math.min(sharedBy(messages, projection.given), tokens.length);
  const contents = readContents(messages);
  const { tools, labels } = labelsOfCalls(contents);
  const cells = contents.map((content, index) => {
    const message = messages[index];
    const kind = kindOf(message, content);
    const { texts, calls, answers } = content;
    // The label is of the first call, of the call that is answered, or the first words.
    const callId = /** @type {Partial<Record<Kind, string>>} */ ({ call: calls[0]?.[0], result: answers[0] })[kind];
    const label = callId === undefined ? undefined : labels.get(callId);
    const isWeighed = index < weighedCount;
    const stored = isWeighed ? /** @type {number} */ (tokens[index]) : weightOf(message);
    const outdated = isWeighed ? outdatedByMessage.get(index) : undefined;
    const shortened = Math.max(1, stored - (isWeighed ? (savedByReferences.get(index) ?? 0) : 0));
    /** @type {Cell} */
    const cell = {
      message: index,
      part: null,
      kind: kinds.indexOf(kind),
      ...(label ?? { tool: null, label: native.textLabel((texts[0] ?? '').slice(0, LABEL_UNITS)) }),
      tokens: stored,
      ...(shortened < stored && { tokensShort: shortened }),
      tokensReplaced: outdated === undefined ? null : Math.max(1, shortened - outdated.saved),
      staleFrom: outdated === undefined ? null : 0,
      replacedFrom: outdated?.isRemoved ? 0 : null,
      rule: outdated?.rule ?? null,
      placeholder: outdated?.placeholder ?? null,
    };
    return { cell, sent: Math.max(1, shortened - (outdated?.tokensRemoved ?? 0)) };
  });
  return { cells, tools };
}

/**
 * A picture of what a view sends: each message with its kind, its tokens, and what is outdated or removed.
 * @param {unknown} view @param {readonly any[]} [messages] @returns {import('../entry/types/picture.js').SessionPicture}
 */
function contextPicture(view, messages) {
  const projection = viewInternals.projectionOf(view);
  if (projection === undefined) throw wrongType('view', 'a ContextView', view);
  // Without `messages`, use what the view received: with an adapter, the application doesn't have the messages that the SDK made for it.
  const messagesToShow = messages ?? projection.given;
  checkMessages(messagesToShow);
  const kinds = /** @type {Kind[]} */ (native.pictureKinds());
  const copied = copyOfList(messagesToShow);
  const { cells, tools } = cellsOf(copied, projection, kinds);
  const tokensByKind = kinds.map(() => 0);
  let [tokens, tokensView, cachedCells] = [0, 0, 0];
  const cachedTokens = projection.removals.cachedTokens;
  for (const { cell, sent } of cells) {
    tokens += cell.tokens;
    tokensView += sent;
    tokensByKind[cell.kind] = (tokensByKind[cell.kind] ?? 0) + cell.tokens;
    if (tokensView <= cachedTokens) cachedCells++;
  }
  const prompt = /** @type {[number, number][]} */ (cells.length > 0 ? [[0, cells.length]] : []);
  const request = { timeMs: null, model: null, prompt, tokens, tokensByKind, tokensView, cachedCells, cachedTokens };
  const requests = [{ ...request, usage: null, bust: null, isCompaction: false, begins: null }];
  const kind = /** @type {const} */ ('main');
  const threads = [{ kind, name: null, fixedTokens: 0, cells: cells.map(({ cell }) => cell), costs: [], requests }];
  const about = { id: null, project: null, models: [], firstMs: null, lastMs: null, messages: copied.length };
  return { version: 1, agent: 'live', agentName: 'ContextView', ...about, kinds, tools, threads };
}

module.exports = { contextPicture };
