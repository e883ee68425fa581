// @ts-check
/** What the gateway and the page's server share: both listen on 127.0.0.1, and a token authorises their use. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { UsageError } from './option-values.mjs';

/** @import { IncomingMessage, Server } from 'node:http' */

/** 256 bits. */
export const newToken = () => randomBytes(32).toString('base64url');

/** Constant-time comparison. @param {string} a @param {string} b */
export function isSameToken(a, b) {
  const digest = (/** @type {string} */ text) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** Against DNS rebinding by a page whose domain points here. @param {IncomingMessage} request @param {number} port */
export const isOwnHost = ({ headers }, port) => [`127.0.0.1:${port}`, `localhost:${port}`].includes(headers.host ?? '');

/** @param {Server} server @param {number} port 0 for a free one @returns {Promise<void>} @throws {UsageError} if the port is taken or not allowed */
export function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      const why = error.code === 'EACCES' ? 'may not be listened on' : 'is taken';
      const isOfPort = port !== 0 && (error.code === 'EADDRINUSE' || error.code === 'EACCES');
      reject(isOfPort ? new UsageError(`--port: port ${port} ${why}; without --port a free one is used`) : error);
    });
    server.listen(port, '127.0.0.1', () => resolve());
  });
}

/** @param {Server} server that listens */
export const portOf = (server) => /** @type {import('node:net').AddressInfo} */ (server.address()).port;

/** Ends open connections too. @param {Server} server @returns {Promise<void>} */
export function close(server) {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** @returns {Promise<unknown>} resolves at the first signal to end */
export function untilSignal() {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, resolve);
  });
}
