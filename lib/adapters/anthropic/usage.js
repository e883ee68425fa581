// @ts-check
'use strict';

/** Reads what a response of Anthropic's API says about its request: the usage, or the error. */

/** @typedef {(usage: unknown) => void} Observe */

/** Longer error bodies are not read: they quote a rejected prompt, and the provider's own message is short. */
const MAX_ERROR_BYTES = 65_536;

/**
 * Reads Anthropic's usage report of a request; the bytes are passed to the client unchanged.
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
    // The client will get the same error when it reads the body.
  }
  return response;
}

/** @param {Response} response @param {(error: unknown) => void} failed */
async function readError(response, failed) {
  // Only these errors state a context window; reading others would delay retries.
  if (response.status < 400 || response.status >= 500) return;
  if (Number(response.headers.get('content-length') ?? 0) > MAX_ERROR_BYTES) return;
  try {
    failed({ status: response.status, body: await response.clone().text() });
  } catch {
    // The client will get the same error when it reads the body.
  }
}

/**
 * Passes the bytes through as the client reads them: nothing is read ahead, and an abort reaches the provider.
 * @param {Response} response @param {ReadableStream<Uint8Array>} body @param {Observe} observe
 */
function streamed(response, body, observe) {
  const read = lineReader((line) => usageIn(line, observe));
  const passing = new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk);
      read(chunk);
    },
  });
  const copy = new Response(body.pipeThrough(passing), response);
  // A constructed response has no `url`.
  Object.defineProperty(copy, 'url', { value: response.url });
  return copy;
}

/** The first event has the prompt's usage; some gateways report it in the last one. @param {string} line @param {Observe} observe */
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

/** @param {(line: string) => void} each @returns {(bytes: Uint8Array) => void} calls `each` with every complete line */
function lineReader(each) {
  const decoder = new TextDecoder();
  let rest = '';
  return (bytes) => {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split(/\r\n|\n|\r/);
    rest = lines.pop() ?? '';
    lines.forEach(each);
  };
}

module.exports = { observed };
