// @ts-check
/** Parses a request's JSON and reuses the parsed values of earlier requests. */
import { afterSpace, endOfValue, itemsOf, LIST, membersOf, OBJECT_END, textOf } from './json-spans.mjs';
import { DuplicateKey } from './splice.mjs';

/**
 * @import { Member, Span } from './json-spans.mjs'
 * @typedef {{ span: Span, items: readonly Span[], messages: readonly any[] }} MessageList `span`: of the list; `items`:
 *   spans of the messages; `messages`: parsed, shared with other bodies, so never written to
 * @typedef {{ bytes: Buffer, fields: Record<string, any>, spans: ReadonlyMap<string, Span> } & MessageList} RequestBody
 *   `fields`: all but the list; values with the same bytes as in an earlier body are the same objects
 */

/** Maximum number of remembered bodies, and of their bytes. */
const [MAX_BODIES, MAX_BYTES] = [32, 64 * 2 ** 20];
/** Bytes. Longer fields (tools, system prompts) are repeated in each request, so they are parsed once. */ const LONG_FIELD = 256;
const DIGITS = Buffer.from('0123456789');

/** The newest bodies of one dialect. */
export class RequestBodies {
  #messagesField;
  /** Newest last. @type {RequestBody[]} */ #known = [];

  /** @param {string} messagesField */
  constructor(messagesField) {
    this.#messagesField = messagesField;
  }

  /**
   * @param {Buffer} bytes in UTF-8 @returns {RequestBody | undefined} undefined if there is no list of messages
   * @throws {SyntaxError} if it is not a JSON object @throws {DuplicateKey}
   */
  read(bytes) {
    // Before the list, fields are compared with the newest body, of whichever conversation; then with the nearest.
    /** @type {RequestBody | undefined} */ let earlier = this.#known.at(-1);
    /** @type {MessageList | undefined} */ let list;
    const { members, end } = membersOf(bytes, afterSpace(bytes, 0), (_, at, key) => {
      if (key !== this.#messagesField || bytes[at] !== LIST) {
        const known = repeatedSpan(bytes, at, earlier, key);
        return known === undefined ? endOfValue(bytes, at) : at + known.end - known.start;
      }
      const nearest = this.#nearest(bytes, at);
      earlier = nearest.body ?? earlier;
      list = listIn(bytes, at, nearest);
      return list.span.end;
    });
    if (afterSpace(bytes, end) < bytes.length) throw new SyntaxError('more than one value');
    if (new Set(members.map(({ key }) => key)).size < members.length) throw new DuplicateKey();
    const otherMembers = members.filter(({ start }) => start !== list?.span.start);
    const fields = Object.fromEntries(otherMembers.map((member) => [member.key, parsed(bytes, member, earlier)]));
    if (list === undefined) return undefined;
    const spans = new Map(otherMembers.map((member) => [member.key, member]));
    const body = { bytes, fields, spans, ...list };
    this.#remember(body);
    return body;
  }

  /** The body whose list shares most bytes with this one. @param {Buffer} bytes @param {number} start of the list */
  #nearest(bytes, start) {
    /** @type {{ body: RequestBody | undefined, shared: number }} */ let best = { body: undefined, shared: 0 };
    for (const body of this.#known) {
      const shared = sharedLength(bytes, start, body);
      // The opening bracket alone doesn't count.
      if (shared >= best.shared && shared > 1) best = { body, shared };
    }
    return best;
  }

  /**
   * Replaces the earlier bodies of the same conversation: those whose messages this body has, except for the last one,
   * which may change, such as its cache breakpoint.
   * @param {RequestBody} body
   */
  #remember(body) {
    // Shared messages form a prefix, so the second to last one decides.
    const isReplaced = (/** @type {RequestBody} */ { messages: { length }, messages }) =>
      length > 1 && length <= body.messages.length && messages[length - 2] === body.messages[length - 2];
    this.#known = this.#known.filter((known) => !isReplaced(known));
    this.#known.push(body);
    let sum = this.#known.reduce((total, { bytes }) => total + bytes.length, 0);
    while (this.#known.length > MAX_BODIES || (sum > MAX_BYTES && this.#known.length > 1)) {
      sum -= this.#known.shift()?.bytes.length ?? 0;
    }
  }
}

/** Bytes of their shared prefix. @param {Buffer} bytes @param {number} start @param {RequestBody} body */
function sharedLength(bytes, start, { bytes: bodyBytes, span: list }) {
  let low = 0;
  let high = Math.min(bytes.length - start, list.end - list.start);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const from = list.start + low;
    // Bytes below `low` are known to be equal.
    if (bodyBytes.compare(bytes, start + low, start + middle, from, list.start + middle) === 0) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Parses the list of messages; those in the prefix shared with an earlier body are already parsed.
 * @param {Buffer} bytes @param {number} start @param {{ body: RequestBody | undefined, shared: number }} nearest
 */
function listIn(bytes, start, { body, shared }) {
  const shift = start - (body?.span.start ?? 0);
  // A number at the end of the common prefix may be longer in the new body; an object can't be.
  const isClosed = (/** @type {Span} */ item) => body?.bytes[item.end - 1] === OBJECT_END;
  const neededLength = (/** @type {Span} */ item) => item.end - (body?.span.start ?? 0) + (isClosed(item) ? 0 : 1);
  const sharedItems = (body?.items ?? []).filter((item) => neededLength(item) <= shared);
  const known = sharedItems.map((item) => ({ start: item.start + shift, end: item.end + shift }));
  const { items, end } = itemsOf(bytes, start, known);
  const messages = items.map((item, at) =>
    at < known.length ? body?.messages[at] : /** @type {unknown} */ (JSON.parse(textOf(bytes, item))),
  );
  return { span: { start, end }, items, messages };
}

/** @param {Buffer} bytes @param {Member} member @param {RequestBody | undefined} earlier */
function parsed(bytes, { key, start, end }, earlier) {
  const known = repeatedSpan(bytes, start, earlier, key);
  const isSame = known !== undefined && known.end - known.start === end - start;
  return isSame ? earlier?.fields[key] : JSON.parse(textOf(bytes, { start, end }));
}

/**
 * The span of the earlier value if the bytes repeat it and it is long. The repeated value can't be longer, because it
 * ends with a bracket or a quote; numbers are excluded.
 * @param {Buffer} bytes @param {number} at @param {RequestBody | undefined} earlier @param {string} key
 */
function repeatedSpan(bytes, at, earlier, key) {
  const span = earlier?.spans.get(key);
  if (earlier === undefined || span === undefined) return undefined;
  const { start, end } = span;
  const length = end - start;
  if (length < LONG_FIELD || at + length > bytes.length || DIGITS.includes(earlier.bytes[end - 1] ?? 0))
    return undefined;
  return earlier.bytes.compare(bytes, at, at + length, start, end) === 0 ? span : undefined;
}
