// @ts-check
/** Reads the provider's usage report from a response, whole or streamed, as its bytes pass. */
import { StringDecoder } from 'node:string_decoder';
import { encodingOf } from './encodings.mjs';

/** Longer responses, or lines of a stream, are not searched; UTF-16 units. */ const MAX_UNITS = 16 * 2 ** 20;
/** Each API's name for the prompt's token count; then Anthropic's names for cache hits and writes. */
const PROMPT_FIGURES = ['input_tokens', 'prompt_tokens', 'promptTokenCount'];
const CACHE_FIGURES = ['cache_read_input_tokens', 'cache_creation_input_tokens'];

/** Receives one response's bytes, and calls back with its usage report. */
export class UsageReader {
  #usageIn;
  #onUsage;
  #decoder = new StringDecoder('utf8');
  #isStream;
  #text = '';
  /** True once the report can't be found: the response is too long, or in an unknown encoding. */ #isLost = false;
  /** @type {any} */ #usage;
  /** @type {import('node:stream').Transform | null} */ #unpacked = null;

  /**
   * @param {import('./dialects.mjs').Api} api @param {import('node:http').IncomingHttpHeaders} headers of the response
   * @param {(usage: unknown) => void} onUsage called once, if there is a report
   */
  constructor({ usageIn }, headers, onUsage) {
    this.#usageIn = usageIn;
    this.#onUsage = onUsage;
    this.#isStream = (headers['content-type'] ?? '').includes('event-stream');
    const encoding = encodingOf(headers['content-encoding']);
    if (encoding === undefined) this.#isLost = true;
    if (!encoding) return;
    this.#unpacked = encoding.decoder();
    this.#unpacked.on('data', (bytes) => this.#take(bytes));
    this.#unpacked.once('end', () => this.#finish());
    this.#unpacked.on('error', () => this.#finish());
  }

  /** @param {Buffer} bytes */
  add(bytes) {
    if (this.#isLost) return;
    if (this.#unpacked === null) this.#take(bytes);
    else if (!this.#unpacked.destroyed) this.#unpacked.write(bytes);
  }

  /** Call this when the response has ended or was truncated. */
  end() {
    if (this.#unpacked === null) this.#finish();
    else if (!this.#unpacked.destroyed) this.#unpacked.end();
  }

  /** @param {Buffer} bytes */
  #take(bytes) {
    this.#text += this.#decoder.write(bytes);
    const end = this.#isStream ? this.#text.lastIndexOf('\n') : -1;
    const lines = end < 0 ? [] : this.#text.slice(0, end).split('\n');
    for (const line of lines) {
      if (line.startsWith('data:') && line.includes('"usage')) this.#readEvent(line.slice('data:'.length));
    }
    this.#text = this.#text.slice(end + 1);
    if (this.#text.length <= MAX_UNITS) return;
    this.#isLost = true;
    this.#text = '';
  }

  /** @param {string} text */
  #readEvent(text) {
    try {
      const parsed = JSON.parse(text);
      // Gemini streams a JSON list unless the client asks for events.
      for (const event of Array.isArray(parsed) ? parsed : [parsed]) this.#merge(this.#usageIn(event));
    } catch {
      // Not an event of this API.
    }
  }

  /** The last figures win, except null and zeros: Anthropic's last event has only some of them. @param {any} usage */
  #merge(usage) {
    if (typeof usage !== 'object' || usage === null) return;
    const given = Object.entries(usage).filter(([name, value]) => {
      const isPrompt = PROMPT_FIGURES.includes(name) || CACHE_FIGURES.includes(name);
      return value !== null && !(isPrompt && value === 0 && this.#usage?.[name] > 0);
    });
    this.#usage = { ...this.#usage, ...Object.fromEntries(given) };
  }

  #finish() {
    if (!this.#isStream && this.#text !== '') this.#readEvent(this.#text);
    else if (this.#text.startsWith('data:')) this.#readEvent(this.#text.slice('data:'.length));
    const usage = this.#usage;
    [this.#usage, this.#text] = [undefined, ''];
    if (usage !== undefined && PROMPT_FIGURES.some((name) => typeof usage[name] === 'number')) this.#onUsage(usage);
  }
}

/** Prompt tokens, and how many of them were cache hits. @param {any} usage a report in any of the forms */
export function promptTokensOf(usage) {
  const { cache_read_input_tokens: read, cache_creation_input_tokens: written } = usage;
  const given = PROMPT_FIGURES.map((name) => usage[name]).find(Number.isFinite) ?? 0;
  const details = usage.input_tokens_details ?? usage.prompt_tokens_details;
  const named = [read, details?.cached_tokens, usage.prompt_cache_hit_tokens, usage.cachedContentTokenCount];
  const cached = named.find(Number.isFinite) ?? 0;
  // Anthropic's `input_tokens` excludes cached tokens.
  const total = given + (Number.isFinite(read) ? read : 0) + (Number.isFinite(written) ? written : 0);
  return { total, cached: Math.min(cached, total) };
}
