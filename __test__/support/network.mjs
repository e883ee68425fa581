// @ts-check
/** A connection to a server on loopback that can be slow, silent or cut. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * `open`; `silent`: data waits until the connection is open again, as if packets were dropped; `deaf`: requests arrive,
 * but responses don't; `cut`: connections close, and new ones are refused.
 * @typedef {'open' | 'silent' | 'deaf' | 'cut'} State
 */

export class Network {
  /** @type {State} */ #state = 'open';
  /** @type {Set<import('node:net').Socket>} */ #sockets = new Set();
  /** @type {Set<() => void>} */ #waiting = new Set();
  #server;
  /** Generation of connections; those of earlier generations are forgotten. */ #generation = 0;

  /** @param {string} target a socket's path @param {number} [delayMs] of each direction */
  constructor(target, delayMs = 0) {
    this.#server = createServer({ noDelay: true }, (client) => {
      if (this.#state === 'cut') return client.destroy();
      const server = connect(target);
      this.#pass(client, server, delayMs, ['silent']);
      this.#pass(server, client, delayMs, ['silent', 'deaf']);
    });
  }

  async listen() {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const { port } = /** @type {import('node:net').AddressInfo} */ (this.#server.address());
    return { host: '127.0.0.1', port };
  }

  /** Existing connections stay silent forever, as if a router had forgotten them; new ones work. */
  forgetConnections() {
    this.#generation++;
  }

  /** @param {State} state */
  setState(state) {
    // Responses that were held back while requests arrived are lost with their connections.
    if (state === 'cut' || this.#state === 'deaf') for (const socket of this.#sockets) socket.destroy();
    this.#state = state;
    for (const flush of this.#waiting) flush();
  }

  close() {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  /**
   * @param {import('node:net').Socket} from
   * @param {import('node:net').Socket} to
   * @param {number} delayMs
   * @param {readonly State[]} blocked states in which this direction is blocked
   */
  #pass(from, to, delayMs, blocked) {
    this.#sockets.add(from);
    /** @type {Buffer[]} */
    const held = [];
    const generation = this.#generation;
    const flush = () => {
      if (generation === this.#generation && !blocked.includes(this.#state))
        for (const data of held.splice(0)) to.write(data);
    };
    this.#waiting.add(flush);
    from.on('data', (data) => {
      held.push(data);
      if (delayMs > 0) setTimeout(flush, delayMs);
      else flush();
    });
    from.on('error', () => {});
    from.on('close', () => {
      this.#sockets.delete(from);
      this.#waiting.delete(flush);
      to.destroy();
    });
  }
}
