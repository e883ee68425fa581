// @ts-check
/** Reads a request's JSON without parsing again what the requests before it held. */
import { afterSpace, endOfValue, itemsOf, membersOf } from './json-spans.mjs';
import { DuplicateKey } from './splice.mjs';

/** @typedef {import('./json-spans.mjs').Span} Span */
/**
 * @typedef {object} RequestBody
 * @property {string} text
 * @property {Record<string, any>} fields all but the list
 * @property {Record<string, string>} texts of the fields, as they are written
 * @property {Span} list the list of messages
 * @property {Span[]} items in it
 * @property {any[]} messages the same, parsed; shared with other bodies, so never written to
 */

/** So many bodies are remembered, and so many characters of them. */
const MOST_BODIES = 32;
const MOST_UNITS = 64 * 2 ** 20;
/** Longer fields (tools, system prompts) come again in each request: they are parsed once. */
const LONG_FIELD = 1024;
const MOST_FIELDS = 64;

/** The bodies of one kind of request. */
export class RequestBodies {
  #listName;
  /** The newest at the end. @type {RequestBody[]} */ #known = [];
  /** Long fields by their text. @type {Map<string, unknown>} */ #fields = new Map();

  /** @param {string} listName of the field that holds the messages */
  constructor(listName) {
    this.#listName = listName;
  }

  /**
   * @param {string} text
   * @returns {RequestBody | undefined} undefined if there is no list of messages
   * @throws {SyntaxError} if it is no JSON object @throws {DuplicateKey}
   */
  read(text) {
    const { members, end } = membersOf(text, afterSpace(text, 0));
    if (afterSpace(text, end) < text.length) throw new SyntaxError('more than one value');
    if (new Set(members.map(({ key }) => key)).size < members.length) throw new DuplicateKey();
    const list = members.find(({ key }) => key === this.#listName);
    /** @type {[string, string][]} */
    const written = members.filter((member) => member !== list).map((one) => [one.key, text.slice(one.start, one.end)]);
    const fields = Object.fromEntries(written.map(([key, value]) => [key, this.#parsed(value)]));
    if (list === undefined || text[list.start] !== '[') return undefined;
    const { items, messages } = this.#itemsOf(text, list.start);
    const body = { text, fields, texts: Object.fromEntries(written), list, items, messages };
    this.#remember(body);
    return body;
  }

  /** @param {string} value */
  #parsed(value) {
    if (value.length < LONG_FIELD) return JSON.parse(value);
    if (this.#fields.has(value)) return this.#fields.get(value);
    const parsed = JSON.parse(value);
    if (this.#fields.size >= MOST_FIELDS) this.#fields.clear();
    // A copy: a slice would keep the whole body in memory.
    this.#fields.set(Buffer.from(value).toString(), parsed);
    return parsed;
  }

  /** @param {string} text @param {number} start */
  #itemsOf(text, start) {
    const before = this.#nearest(text, afterSpace(text, start + 1));
    /** @type {any[]} */ const messages = [];
    const { items } = itemsOf(text, start, (_, at, index) => {
      const known = before?.items[index];
      const own = known === undefined ? '' : /** @type {RequestBody} */ (before).text.slice(known.start, known.end);
      if (own.startsWith('{') && text.startsWith(own, at)) {
        messages.push(before?.messages[index]);
        return at + own.length;
      }
      const end = endOfValue(text, at);
      messages.push(JSON.parse(text.slice(at, end)));
      return end;
    });
    return { items, messages };
  }

  /** The body with the longest common beginning. @param {string} text @param {number} start of the first message */
  #nearest(text, start) {
    let best;
    let most = 0;
    for (const body of this.#known) {
      const from = body.items[0]?.start ?? 0;
      let shared = 0;
      // Half of the rest is compared at once.
      for (let low = 0, high = body.items.length; low < high; ) {
        const middle = (low + high + 1) >> 1;
        const end = body.items[middle - 1]?.end ?? 0;
        if (text.startsWith(body.text.slice(from, end), start)) low = shared = middle;
        else high = middle - 1;
      }
      if (shared >= most && shared > 0) [best, most] = [body, shared];
    }
    return best;
  }

  /** @param {RequestBody} body */
  #remember(body) {
    const { items } = body;
    const isEarlier = (/** @type {RequestBody} */ { messages }) =>
      messages.length > 1 && messages.length <= items.length && messages.at(-2) === body.messages[messages.length - 2];
    this.#known = this.#known.filter((known) => !isEarlier(known));
    this.#known.push(body);
    let units = this.#known.reduce((sum, { text }) => sum + text.length, 0);
    while (this.#known.length > MOST_BODIES || (units > MOST_UNITS && this.#known.length > 1)) {
      units -= this.#known.shift()?.text.length ?? 0;
    }
  }
}
