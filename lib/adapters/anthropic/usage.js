// @ts-check
'use strict';

/** @typedef {(usage: unknown) => void} Observe */
/** A refused prompt may be quoted at any length; the provider's own sentence is short. */
const LONGEST_ERROR = 65_536;

/**
 * Reads what Anthropic reports about a request; the bytes go on to the client as they came.
 * @param {Response} response
 * @param {(response: Response) => Promise<unknown>} parse reads a copy
 * @param {{ observe: Observe, failed: (error: unknown) => void }} request
 * @returns {Promise<Response>} the same response, or one with the same bytes
 */
async function observed(response, parse, { observe, failed }) {
  if (response.body === null) return response;
  if (!response.ok) {
    await readError(response, failed);
    return response;
  }
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('text/event-stream')) return streamed(response, response.body, observe);
  if (!type.includes('json')) return response;
  try {
    observe(/** @type {any} */ (await parse(response))?.usage);
  } catch {
    // The client finds out what is wrong with the body when it reads it.
  }
  return response;
}

/** @param {Response} response @param {(error: unknown) => void} failed */
async function readError(response, failed) {
  // Only these errors name a window; requests that are sent again are not held up.
  if (response.status < 400 || response.status >= 500) return;
  if (Number(response.headers.get('content-length') ?? 0) > LONGEST_ERROR) return;
  try {
    failed({ status: response.status, body: await response.clone().text() });
  } catch {
    // The client finds out what is wrong with the body when it reads it.
  }
}

/**
 * The bytes pass through as the client asks for them: nothing is read ahead, and an abort reaches the provider.
 * @param {Response} response @param {ReadableStream<Uint8Array>} body @param {Observe} observe
 */
function streamed(response, body, observe) {
  const lines = new Lines((line) => usageIn(line, observe));
  const passing = new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk);
      lines.add(chunk);
    },
  });
  const copy = new Response(body.pipeThrough(passing), response);
  // A response that is made by hand has no address.
  Object.defineProperty(copy, 'url', { value: response.url });
  return copy;
}

/** The first event has the prompt's usage; some gateways report it with the last. @param {string} line @param {Observe} observe */
function usageIn(line, observe) {
  if (!line.startsWith('data:') || !line.includes('"usage"')) return;
  try {
    const event = JSON.parse(line.slice('data:'.length));
    if (event.type === 'message_start') observe(event.message?.usage);
    else if (event.type === 'message_delta') observe(event.usage);
  } catch {
    // Not an event of this API.
  }
}

class Lines {
  #decoder = new TextDecoder();
  #rest = '';

  /** @param {(line: string) => void} each */
  constructor(each) {
    this.each = each;
  }

  /** @param {Uint8Array} bytes */
  add(bytes) {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split(/\r\n|\n|\r/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.each(line);
  }
}

module.exports = { observed };
