// @ts-check
/** The server's client. Its signal option is `abortSignal`. It removes the server's own fields from each message. */
export class LlmClient {
  #url;

  /** @param {string} url */
  constructor(url) {
    this.#url = url;
  }

  /** @param {any} request @returns {Promise<any>} */
  async call({ model, messages, max_tokens, temperature, abortSignal }) {
    const sent = messages.map((/** @type {any} */ { timestamp, _usage, ...message }) => message);
    const response = await fetch(`${this.#url}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model, messages: sent, max_tokens, temperature }),
      signal: abortSignal,
    });
    const body = /** @type {any} */ (await response.json());
    if (!response.ok) throw Object.assign(new Error(body.error.message), { status: response.status, ...body.error });
    return body;
  }
}
