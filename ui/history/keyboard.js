// @ts-check
/**
 * Keys work as in a tree view: up and down move between rows, right opens a compression or enters it, left closes it or
 * leaves it.
 * @typedef {import('./outline.js').Row} Row
 * @typedef {{ element: HTMLElement, scroller: HTMLElement, isOpen: boolean }} Place
 */

/**
 * @param {KeyboardEvent} event @param {readonly Row[]} rows @param {Row} row @param {Place} place
 * @returns {number | 'toggle' | 'activate' | undefined} index of a row; undefined if the browser handles the key
 */
export function moveIn(event, rows, row, place) {
  if (event.altKey || event.ctrlKey || event.metaKey) return undefined;
  const at = rows.indexOf(row);
  const isPoint = row.kind === 'point';
  const within = (/** @type {number} */ index) =>
    index >= 0 && index < rows.length && index !== at ? index : undefined;
  switch (event.key) {
    case 'ArrowDown':
      return isCut(place, 'bottom') ? undefined : within(at + 1);
    case 'ArrowUp':
      return isCut(place, 'top') ? undefined : within(at - 1);
    case 'Home':
      return within(0);
    case 'End':
      return within(rows.length - 1);
    case 'ArrowRight':
      return isPoint ? (place.isOpen ? within(at + 1) : 'toggle') : undefined;
    case 'ArrowLeft':
      return isPoint && place.isOpen ? 'toggle' : within(rows.findIndex(({ key }) => key === row.parent));
    case 'Enter':
      return isPoint ? 'toggle' : row.index >= 0 ? 'activate' : undefined;
    case ' ':
      return isPoint ? 'toggle' : undefined;
    default:
      return undefined;
  }
}

/** True if the row extends beyond the visible area; the key then scrolls. @param {Place} place @param {'top' | 'bottom'} side */
function isCut({ element, scroller }, side) {
  const [own, view] = [element.getBoundingClientRect(), scroller.getBoundingClientRect()];
  return side === 'bottom' ? own.bottom > view.bottom + 1 : own.top < view.top - 1;
}
