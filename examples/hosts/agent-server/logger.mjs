// @ts-check
import { appendFileSync } from 'node:fs';

/** The server's logger: methods take a message and data. @param {string} path @returns {any} */
export function createLogger(path) {
  const on =
    (/** @type {string} */ level) =>
    (/** @type {string} */ message, /** @type {unknown} */ data = '') =>
      appendFileSync(
        path,
        `[${level}] ${message} ${data !== null && typeof data === 'object' ? JSON.stringify(data) : data}\n`,
      );
  return { debug: on('DEBUG'), info: on('INFO'), warn: on('WARN'), error: on('ERROR') };
}
