// @ts-check
/**
 * What the map says in words of a request and of a cell.
 * @import { Cell, SessionPicture } from '../picture.js'
 * @import { RequestCells, Shows, StateSum } from '../picture/request-cells.js'
 * @import { Words } from '../picture/words.js'
 * @typedef {{ cell: Cell, state: number, isCached: boolean }} SentCell `state`: a constant of `request-cells.js`
 */
import { legible } from '../base/safe-text.js';
import { CLEARED, PENDING, REPLACED, tokensSent, WITH_REFERENCES } from '../picture/request-cells.js';
import { kindName } from '../picture/words.js';

/**
 * The sentences above the map. @param {Words} words @param {RequestCells} requestCells
 * @param {number | null} contextWindow tokens @param {Shows} shows
 */
export function requestSummary(words, { total, cachedTokens, sums }, contextWindow, shows) {
  if (total.count === 0) return words.nothingSent;
  const sent = words.number(total.sent);
  const sentences = [
    contextWindow === null
      ? words.inAll(sent, words.number(total.count))
      : words.inWindow(sent, words.shortNumber(contextWindow), words.share(total.sent / contextWindow)),
  ];
  if (cachedTokens > 0) {
    const share = words.share(cachedTokens / total.sent);
    sentences.push(shows === 'view' ? words.cachedSum(share) : words.readSum(share));
  }
  for (const [state, sentence] of /** @type {const} */ ([
    [CLEARED, words.clearedSum],
    [REPLACED, words.replacedSum],
    [WITH_REFERENCES, words.withReferencesSum],
    [PENDING, words.pendingSum],
  ])) {
    const { count, stored, sent } = /** @type {StateSum} */ (sums[state]);
    const tokens = state === PENDING ? stored : stored - sent;
    if (count > 0) sentences.push(sentence(words.number(count), words.shortNumber(tokens)));
  }
  return sentences.join(words.sentences);
}

/** The name of a cell. @param {Words} words @param {SessionPicture} picture @param {SentCell} sentCell */
export function cellName(words, picture, { cell, state, isCached }) {
  const kind = picture.kinds[cell.kind] ?? '';
  const tool = cell.tool === null ? null : legible(picture.tools[cell.tool] ?? '');
  const label = legible(cell.label);
  const parts = [
    label === '' ? words.noLabel : label,
    // A call's label already starts with its tool.
    tool !== null && kind === 'result' ? words.resultOf(tool) : kindName(words.cellKinds, kind),
    words.messageNumber(words.number(cell.message + 1)),
    ...stateTexts(words, cell, state),
    isCached ? words.isCached : null,
  ];
  return parts.filter((part) => part !== null).join(words.join);
}

/** How a cell is sent, and since when. @param {Words} words @param {Cell} cell @param {number} state */
function stateTexts(words, cell, state) {
  const rule = cell.rule === null ? null : words.byRule(legible(cell.rule));
  const since = (/** @type {number | null | undefined} */ request) =>
    words.fromRequest(words.number((request ?? 0) + 1));
  const [sent, stored] = [words.number(tokensSent(cell, state)), words.number(cell.tokens)];
  if (state === REPLACED) return [words.stateReplaced(sent, stored), rule];
  if (state === WITH_REFERENCES) return [words.stateWithReferences(sent, stored)];
  if (state === CLEARED) return [words.stateCleared(sent, stored), since(cell.clearedFrom)];
  if (state === PENDING) return [words.tokens(stored), words.statePending, since(cell.staleFrom), rule];
  return [words.tokens(stored)];
}
