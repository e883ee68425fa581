// @ts-check
/**
 * What a key does in the list. Keys work as in a tree view: up and down move between rows, right opens a compression or
 * enters it, left closes it or leaves it.
 *
 * @import { Row } from './outline.js'
 * @typedef {{ element: HTMLElement, scroller: HTMLElement, isOpen: boolean }} FocusedRow
 */

/**
 * @param {KeyboardEvent} event @param {readonly Row[]} rows @param {Row} row with the focus @param {FocusedRow} focused
 * @returns {number | 'toggle' | 'activate' | undefined} index of a row; undefined if the browser handles the key
 */
export function actionOf(event, rows, row, focused) {
  if (event.altKey || event.ctrlKey || event.metaKey) return undefined;
  const current = rows.indexOf(row);
  const isPoint = row.kind === 'point';
  const otherRow = (/** @type {number} */ index) =>
    index >= 0 && index < rows.length && index !== current ? index : undefined;
  switch (event.key) {
    case 'ArrowDown':
      return isCut(focused, 'bottom') ? undefined : otherRow(current + 1);
    case 'ArrowUp':
      return isCut(focused, 'top') ? undefined : otherRow(current - 1);
    case 'Home':
      return otherRow(0);
    case 'End':
      return otherRow(rows.length - 1);
    case 'ArrowRight':
      return isPoint ? (focused.isOpen ? otherRow(current + 1) : 'toggle') : undefined;
    case 'ArrowLeft':
      return isPoint && focused.isOpen ? 'toggle' : otherRow(rows.findIndex(({ key }) => key === row.parent));
    case 'Enter':
      return isPoint ? 'toggle' : row.index >= 0 ? 'activate' : undefined;
    case ' ':
      return isPoint ? 'toggle' : undefined;
    default:
      return undefined;
  }
}

/**
 * True if the row extends beyond the visible area; the key then scrolls.
 * @param {FocusedRow} focused @param {'top' | 'bottom'} side
 */
function isCut({ element, scroller }, side) {
  const [row, view] = [element.getBoundingClientRect(), scroller.getBoundingClientRect()];
  return side === 'bottom' ? row.bottom > view.bottom + 1 : row.top < view.top - 1;
}
