// @ts-check
/** Serves one of the example pages with its bundle and a compressed session, as an application would. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleElements, isBundled } from '../../scripts/bundle-ui.mjs';
import { compressedRecording, pictureOfRecording, recordedMessages } from './session.mjs';

export const PAGES = ['plain', 'react', 'vue'];

/** The strictest policy that the elements work with. The pages also fetch the session. */
const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";
const ENTRIES = { plain: 'app.mjs', react: 'app.jsx', vue: 'app.mjs' };

/**
 * @param {string} name one of {@link PAGES}
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function servePage(name) {
  const files = await filesOf(/** @type {keyof typeof ENTRIES} */ (name));
  const server = createServer(({ url = '/' }, response) => {
    const [type, content] = files.get(url) ?? [];
    if (type === undefined) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': CSP });
    return response.end(content);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const close = () => {
    server.closeAllConnections();
    return new Promise((/** @type {(value?: unknown) => void} */ resolve) => server.close(resolve)).then(() => {});
  };
  return { url: `http://127.0.0.1:${port}/`, close };
}

/** @param {keyof typeof ENTRIES} name @returns {Promise<Map<string, [type: string, content: string]>>} files by path */
async function filesOf(name) {
  if (!isBundled()) await bundleElements();
  const read = (/** @type {string} */ path) => readFileSync(new URL(path, import.meta.url), 'utf8');
  return new Map([
    ['/', ['text/html', read(`${name}/index.html`)]],
    ['/page.css', ['text/css', read('page.css')]],
    ['/app.js', ['text/javascript', await bundled(`${name}/${ENTRIES[name]}`)]],
    ['/elements.js', ['text/javascript', read('../../ui/dist/elements.js')]],
    ['/session.json', ['application/json', JSON.stringify(await compressedRecording())]],
    ['/picture.json', ['application/json', JSON.stringify(pictureOfRecording())]],
    ['/messages.json', ['application/json', JSON.stringify(recordedMessages())]],
    ['/favicon.ico', ['image/x-icon', '']],
  ]);
}

/** @param {string} path */
async function bundled(path) {
  const { outputFiles } = await build({
    absWorkingDir: fileURLToPath(new URL('.', import.meta.url)),
    entryPoints: [path],
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    minify: true,
    // The plain page loads this file itself.
    external: ['/elements.js'],
    define: {
      'process.env.NODE_ENV': '"production"',
      __VUE_OPTIONS_API__: 'false',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}
