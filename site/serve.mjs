// @ts-check
/** Serves the built site on loopback as GitHub Pages does: under its base path and with its 404 page. */
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { BASE } from './pages.mjs';

const TYPES = new Map([
  ['.css', 'text/css'],
  ['.html', 'text/html'],
  ['.js', 'text/javascript'],
  ['.json', 'application/json'],
  ['.png', 'image/png'],
  ['.svg', 'image/svg+xml'],
]);

/**
 * The file to serve; undefined if there is none.
 * @param {string} site the folder @param {string} path of a request @returns {string | undefined}
 */
function fileFor(site, path) {
  if (!path.startsWith(BASE)) return undefined;
  const inSite = normalize(decodeURIComponent(path.slice(BASE.length)));
  if (inSite.startsWith('..')) return undefined;
  const file = join(site, path.endsWith('/') ? join(inSite, 'index.html') : inSite);
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined;
}

/**
 * Starts the server on any free port.
 * @param {string} site the folder @returns {Promise<{ address: string, close: () => Promise<void> }>}
 */
export async function serveSite(site) {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://127.0.0.1');
    const file = fileFor(site, pathname);
    const type = TYPES.get(extname(file ?? '404.html')) ?? 'application/octet-stream';
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': `${type}; charset=utf-8` });
    response.end(readFileSync(file ?? join(site, '404.html')));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { address: `http://127.0.0.1:${port}${BASE}`, close };
}
