// @ts-check
/** Turns the bytes of a JSON value into those of a changed value; what is unchanged keeps its bytes. */
import { itemsOf, membersOf, textOf } from './json-spans.mjs';

/**
 * @import { Span } from './json-spans.mjs'
 * @typedef {Record<string, unknown>} Fields of an object
 * @typedef {Span & { text: string }} Edit `text` replaces the span
 * @typedef {WeakMap<object, { after: unknown, edits: readonly Edit[] }>} KnownEdits for each original object, its
 *   replacement and the edits relative to its start; later requests reuse them
 */

/** An object with a duplicate key: it is unknown which value the provider reads. */
export class DuplicateKey extends Error {}

/** @param {Buffer} bytes @param {readonly Edit[]} edits non-overlapping @returns {Buffer} */
export function spliced(bytes, edits) {
  const pieces = [];
  let at = 0;
  for (const { start, end, text } of [...edits].sort((one, other) => one.start - other.start)) {
    pieces.push(bytes.subarray(at, start), Buffer.from(text));
    at = end;
  }
  pieces.push(bytes.subarray(at));
  return Buffer.concat(pieces);
}

/**
 * The edits that turn one list into another. Items that are the same object keep their text.
 * @param {Buffer} bytes @param {{ span: Span, items: readonly Span[] }} list spans of the list and of its items
 * @param {readonly unknown[]} before parsed items @param {readonly unknown[]} after @param {KnownEdits} [known]
 * @returns {Edit[]}
 */
export function listEdits(bytes, list, before, after, known = new WeakMap()) {
  const gaps = gapsBetween(before, after);
  const hasSameLengths = gaps.every(({ removed, added }) => removed.length === added.length);
  if (!hasSameLengths) return [rewrittenList(bytes, list, before, after)];
  return gaps.flatMap(({ removed, added }) =>
    removed.flatMap((index, at) => {
      const span = /** @type {Span} */ (list.items[index]);
      return itemEdits(bytes, span, before[index], after[/** @type {number} */ (added[at])], known);
    }),
  );
}

/** @param {Buffer} bytes @param {Span} span @param {unknown} before @param {unknown} after @param {KnownEdits} known */
function itemEdits(bytes, span, before, after, known) {
  const shifted = (/** @type {readonly Edit[]} */ edits, /** @type {number} */ by) =>
    edits.map(({ start, end, text }) => ({ start: start + by, end: end + by, text }));
  if (typeof before !== 'object' || before === null) return valueEdits(bytes, span, before, after);
  const earlier = known.get(before);
  if (earlier !== undefined && earlier.after === after) return shifted(earlier.edits, span.start);
  const edits = valueEdits(bytes, span, before, after);
  known.set(before, { after, edits: shifted(edits, -span.start) });
  return edits;
}

/** @typedef {{ removed: number[], added: number[] }} Gap indexes in the list before, and in the list after */

/** For each object in a list, its index. @param {readonly unknown[]} list @returns {Map<unknown, number>} */
function indexesOf(list) {
  const objects = [...list.entries()].filter(([, item]) => typeof item === 'object' && item !== null);
  return new Map(objects.map(([index, item]) => [item, index]));
}

/** @param {readonly unknown[]} before @param {readonly unknown[]} after @returns {Gap[]} */
function gapsBetween(before, after) {
  const indexesAfter = indexesOf(after);
  /** @type {Gap} */ let gap = { removed: [], added: [] };
  const gaps = [gap];
  let next = 0;
  for (const [index, item] of before.entries()) {
    const indexAfter = indexesAfter.get(item);
    if (indexAfter === undefined || indexAfter < next) {
      gap.removed.push(index);
      continue;
    }
    for (; next < indexAfter; next++) gap.added.push(next);
    next = indexAfter + 1;
    gap = { removed: [], added: [] };
    gaps.push(gap);
  }
  for (; next < after.length; next++) gap.added.push(next);
  return gaps.filter(({ removed, added }) => removed.length + added.length > 0);
}

/**
 * @param {Buffer} bytes @param {{ span: Span, items: readonly Span[] }} list @param {readonly unknown[]} before
 * @param {readonly unknown[]} after @returns {Edit}
 */
function rewrittenList(bytes, { span, items }, before, after) {
  const indexesBefore = indexesOf(before);
  const texts = after.map((item) => {
    const itemSpan = items[indexesBefore.get(item) ?? -1];
    return itemSpan === undefined ? JSON.stringify(item) : textOf(bytes, itemSpan);
  });
  return { ...span, text: `[${texts.join(',')}]` };
}

/** @param {Buffer} bytes @param {Span} span @param {any} before @param {any} after @returns {Edit[]} */
export function valueEdits(bytes, span, before, after) {
  if (before === after) return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    const { items } = itemsOf(bytes, span.start);
    if (before.length === after.length) {
      return items.flatMap((item, index) => valueEdits(bytes, item, before[index], after[index]));
    }
    return listEdits(bytes, { span, items }, before, after);
  }
  if (isObject(before) && isObject(after)) return objectEdits(bytes, span, before, after);
  return [{ start: span.start, end: span.end, text: JSON.stringify(after) }];
}

/** @param {Buffer} bytes @param {Span} span @param {Fields} before @param {Fields} after @returns {Edit[]} */
function objectEdits(bytes, span, before, after) {
  const { members, end } = membersOf(bytes, span.start);
  if (new Set(members.map(({ key }) => key)).size < members.length) throw new DuplicateKey();
  const isKept = (/** @type {string} */ key) => Object.hasOwn(after, key) && after[key] !== undefined;
  const added = Object.keys(after).filter((key) => after[key] !== undefined && !Object.hasOwn(before, key));
  const addedTexts = added.map((key) => `${JSON.stringify(key)}:${JSON.stringify(after[key])}`);
  if (members.length > 0 && members.every(({ key }) => isKept(key))) {
    const edits = members.flatMap((member) => valueEdits(bytes, member, before[member.key], after[member.key]));
    const last = /** @type {Span} */ (members.at(-1)).end;
    if (addedTexts.length > 0) edits.push({ start: last, end: last, text: `,${addedTexts.join(',')}` });
    return edits;
  }
  const kept = members
    .filter(({ key }) => isKept(key))
    .map((member) => {
      const own = bytes.subarray(member.start, member.end);
      const edits = valueEdits(own, { start: 0, end: own.length }, before[member.key], after[member.key]);
      return `${JSON.stringify(member.key)}:${spliced(own, edits)}`;
    });
  return [{ start: span.start, end, text: `{${[...kept, ...addedTexts].join(',')}}` }];
}

/** @param {unknown} value @returns {value is Fields} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
