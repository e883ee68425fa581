// @ts-check
/** A connection to a server on loopback that can be slow, silent or cut. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * `open`; `silent`: data waits until the connection is open again, as if packets were dropped; `deaf`: requests arrive,
 * but responses don't; `cut`: connections close, and new ones are refused.
 * @typedef {'open' | 'silent' | 'deaf' | 'cut'} Way
 */

export class Network {
  /** @type {Way} */ #way = 'open';
  /** @type {Set<import('node:net').Socket>} */ #sockets = new Set();
  /** @type {Set<() => void>} */ #waiting = new Set();
  #server;
  /** Generation of connections; those of earlier generations are forgotten. */ #generation = 0;

  /** @param {string} target a socket's path @param {number} [delayMs] of each direction */
  constructor(target, delayMs = 0) {
    this.#server = createServer({ noDelay: true }, (client) => {
      if (this.#way === 'cut') return client.destroy();
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
  forget() {
    this.#generation++;
  }

  /** @param {Way} way */
  become(way) {
    // Responses that were held back while requests arrived are lost with their connections.
    if (way === 'cut' || this.#way === 'deaf') for (const socket of this.#sockets) socket.destroy();
    this.#way = way;
    for (const go of this.#waiting) go();
  }

  close() {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  /**
   * @param {import('node:net').Socket} from
   * @param {import('node:net').Socket} to
   * @param {number} delayMs
   * @param {readonly Way[]} blocked states in which this direction is blocked
   */
  #pass(from, to, delayMs, blocked) {
    this.#sockets.add(from);
    /** @type {Buffer[]} */
    const kept = [];
    const generation = this.#generation;
    const go = () => {
      if (generation === this.#generation && !blocked.includes(this.#way))
        for (const data of kept.splice(0)) to.write(data);
    };
    this.#waiting.add(go);
    from.on('data', (data) => {
      kept.push(data);
      if (delayMs > 0) setTimeout(go, delayMs);
      else go();
    });
    from.on('error', () => {});
    from.on('close', () => {
      this.#sockets.delete(from);
      this.#waiting.delete(go);
      to.destroy();
    });
  }
}
