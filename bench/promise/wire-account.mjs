// @ts-check
/**
 * Bills what an SDK sends over a connection, by bytes and breakpoints. It is also the mock provider's cache, and so
 * determines the reported usage.
 */
import { PRICES } from '../../__test__/support/cache-biller.mjs';
import { PlainBreakpoints } from './forms.mjs';
import { ProviderAccount } from './provider-account.mjs';

/** @typedef {import('./provider-account.mjs').Billed} Billed */
/** @typedef {import('./prompts.mjs').Prompts} Prompts */

export class WireAccount {
  /** @type {Billed[]} */ bills = [];
  #account;
  #plainBreakpoints = new PlainBreakpoints();
  /** Messages by the bytes of a part. @type {Map<string, any>} */ #messages = new Map();

  /**
   * @param {object} options
   * @param {Prompts} options.prompts
   * @param {string} options.price
   * @param {boolean} options.isMarked true if the provider caches only at breakpoints
   * @param {boolean} options.isAlone true for unmodified history
   * @param {(request: number) => boolean} options.loses true if the cache is lost before a request
   * @param {() => number} options.nowMs
   */
  constructor(options) {
    this.options = options;
    this.#account = new ProviderAccount(/** @type {any} */ (PRICES)[options.price], options.prompts, {
      tools: 1,
      rest: 1,
    });
  }

  /**
   * Bills a request.
   * @param {readonly import('../../examples/provider/prompt-cache.mjs').Part[]} parts
   * @param {unknown} _price
   * @param {import('../../examples/provider/provider.mjs').ParsedRequest} parsed
   */
  read(parts, _price, { prefix, marked = [] }) {
    const { isMarked, isAlone, loses, nowMs } = this.options;
    const messages = prefix.map((part, index) => this.#messageOf(part, parts[index]?.bytes ?? ''));
    const keepsOnly = loses(this.bills.length) ? 0 : null;
    const breakpoints = isAlone ? this.#plainBreakpoints.indexesIn(messages, true) : marked;
    const billed = this.#account.bill(messages, { nowMs: nowMs(), keepsOnly, marks: isMarked ? breakpoints : null });
    this.bills.push(billed);
    const [total, cached] = [Math.round(billed.total), Math.round(billed.cached)];
    return { total, cached, written: Math.min(total - cached, Math.round(billed.written)) };
  }

  /**
   * Converts a part of a request to a message. Tools and instructions count as system text; the same bytes give the
   * same object.
   * @param {any} part @param {string} bytes of it
   */
  #messageOf(part, bytes) {
    const isText = typeof part === 'string' || (part.type === 'text' && part.role === undefined);
    const isTool = part.role === undefined && (part.input_schema ?? part.parameters ?? part.function) !== undefined;
    const message =
      this.#messages.get(bytes) ?? (isText || isTool ? { role: 'system', content: part.text ?? bytes } : part);
    this.#messages.set(bytes, message);
    return message;
  }
}
