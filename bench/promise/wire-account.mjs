// @ts-check
import { PRICES } from '../../__test__/support/cache-biller.mjs';
import { PlainBreakpoints } from './forms.mjs';
import { ProviderAccount } from './provider-account.mjs';

/** @typedef {import('./provider-account.mjs').Billed} Billed */
/** @typedef {import('./prompts.mjs').Prompts} Prompts */

/** Bills what is sent over a connection, by bytes and breakpoints. Also serves as the mock provider's cache, and so determines the reported usage. */
export class WireAccount {
  /** @type {Billed[]} */ bills = [];
  #account;
  #plain = new PlainBreakpoints();
  /** Messages by the bytes of a part. @type {Map<string, any>} */ #messages = new Map();

  /** @param {{ prompts: Prompts, price: string, isMarked: boolean, isAlone: boolean, loses: (request: number) => boolean, nowMs: () => number }} of */
  constructor(of) {
    this.of = of;
    this.#account = new ProviderAccount(/** @type {any} */ (PRICES)[of.price], of.prompts, { tools: 1, rest: 1 });
  }

  /**
   * @param {readonly import('../../examples/provider/prompt-cache.mjs').Part[]} parts
   * @param {unknown} _price
   * @param {import('../../examples/provider/provider.mjs').Asked} asked
   */
  read(parts, _price, { prefix, marked = [] }) {
    const { isMarked, isAlone, loses, nowMs } = this.of;
    const messages = prefix.map((part, at) => this.#messageOf(part, parts[at]?.bytes ?? ''));
    const keepsOnly = loses(this.bills.length) ? 0 : null;
    const plain = isAlone ? this.#plain.places(messages, true) : marked;
    const billed = this.#account.bill(messages, { nowMs: nowMs(), keepsOnly, marks: isMarked ? plain : null });
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
    const known =
      this.#messages.get(bytes) ?? (isText || isTool ? { role: 'system', content: part.text ?? bytes } : part);
    this.#messages.set(bytes, known);
    return known;
  }
}
