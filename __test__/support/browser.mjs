// @ts-check
/**
 * Chromium for the elements' tests: one browser per test file, pages from a server on loopback under a strict
 * Content-Security-Policy, and a record of everything that a page must not do.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { bundleElements, isBundled } from '../../scripts/bundle-ui.mjs';
import { findBrowser } from '../../scripts/find-program.mjs';

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/**
 * @typedef {import('playwright-core').Page} Page
 * @typedef {{ lang?: string, scheme?: 'light' | 'dark', width?: number, height?: number, javaScript?: boolean, scripts?: Record<string, string>, head?: string }} PageOptions
 *   `scripts`: module scripts on the server by path, such as `/app.js`; the page's body refers to those that it needs
 */

/**
 * Defines tests that run in a browser. Without a browser they are skipped, but fail in CI.
 * @param {string} title
 * @param {(browser: BrowserPages) => void} define
 */
export function describeInBrowser(title, define) {
  const executablePath = findBrowser();
  if (executablePath === undefined) {
    const reason = 'no Chromium found: install one (apt-get install chromium), or name it in PALIMPSEST_CHROMIUM';
    if (process.env.CI === 'true') it(title, () => assert.fail(reason));
    else it(title, { skip: reason }, () => {});
    return;
  }
  describe(title, () => {
    const pages = new BrowserPages(executablePath);
    before(() => pages.start());
    after(() => pages.stop());
    define(pages);
  });
}

/** One browser and the server for its pages. */
export class BrowserPages {
  /** @type {import('playwright-core').Browser | undefined} */
  #browser;
  #server = createServer((request, response) => this.#answer(request, response));
  /** Files on the server, by path: type and content. @type {Map<string, [string, string]>} */
  #files = new Map();
  #count = 0;

  /** @param {string} executablePath */
  constructor(executablePath) {
    this.executablePath = executablePath;
  }

  async start() {
    if (!isBundled()) await bundleElements();
    const bundle = readFileSync(new URL('../../ui/dist/elements.js', import.meta.url), 'utf8');
    this.#files.set('/elements.js', ['text/javascript', bundle]);
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', () => resolve(undefined)));
    // CI runs as root, where Chromium doesn't start with its sandbox. It loads only our own pages.
    const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking'];
    this.#browser = await chromium.launch({ executablePath: this.executablePath, args });
  }

  async stop() {
    await this.#browser?.close();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get origin() {
    const address = /** @type {import('node:net').AddressInfo} */ (this.#server.address());
    return `http://127.0.0.1:${address.port}`;
  }

  /**
   * Opens a page with the elements and this body. `close()` fails the test if the page requested another host, violated
   * the policy, or reported an error.
   * @param {string} body HTML
   * @param {PageOptions} [options]
   * @returns {Promise<{ page: Page, close: () => Promise<void>, problems: string[] }>}
   */
  async open(body, options = {}) {
    const { lang = 'en', scripts = {}, head = '' } = options;
    const path = `/page-${this.#count++}.html`;
    const html = `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>A page</title><meta name="color-scheme" content="light dark">
<script type="module" src="/elements.js"></script>${head}</head><body><main><h1>A page</h1>${body}</main></body></html>`;
    this.#files.set(path, ['text/html', html]);
    for (const [name, source] of Object.entries(scripts)) this.#files.set(name, ['text/javascript', source]);
    return this.visit(`${this.origin}${path}`, options);
  }

  /**
   * Opens a page with one element, and waits until it has rendered these properties.
   * @param {string} name such as `context-map`
   * @param {Record<string, unknown>} properties
   * @param {PageOptions & { isForced?: boolean }} [options] `isForced`: with forced colours
   */
  async openElement(name, properties, { isForced = false, ...options } = {}) {
    const opened = await this.open(`<${name}></${name}>`, options);
    if (isForced) await opened.page.emulateMedia({ forcedColors: 'active' });
    const element = opened.page.locator(name);
    await setProperties(element, properties);
    return { ...opened, element };
  }

  /**
   * Opens any page: of another server on loopback, or a file.
   * @param {string} url
   * @param {PageOptions} [options]
   */
  async visit(url, { scheme = 'light', width = 800, height = 700, lang = 'en', javaScript = true } = {}) {
    assert.ok(this.#browser, 'the browser has started');
    const context = await this.#browser.newContext({
      viewport: { width, height },
      colorScheme: scheme,
      locale: lang,
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      javaScriptEnabled: javaScript,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    /** @type {string[]} */
    const problems = [];
    const own = new URL(url);
    page.on('request', (request) => {
      const { protocol, host } = new URL(request.url());
      const isOwn = (protocol === own.protocol && host === own.host) || protocol === 'data:' || protocol === 'blob:';
      if (!isOwn) problems.push(`requested another host: ${request.url()}`);
    });
    page.on('pageerror', (error) => problems.push(`threw: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(`console error: ${message.text()}`);
    });
    await page.goto(url);
    const close = async () => {
      await context.close();
      assert.deepEqual(problems, []);
    };
    return { page, close, problems };
  }

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  #answer({ url = '/' }, response) {
    if (url === '/favicon.ico') return response.writeHead(204).end();
    const [type, content] = this.#files.get(url) ?? [];
    if (type === undefined) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': CSP });
    return response.end(content);
  }
}

/**
 * Sets properties of an element on a page, and waits until it has rendered them.
 * @param {import('playwright-core').Locator} element
 * @param {Record<string, unknown>} properties
 */
export async function setProperties(element, properties) {
  await element.evaluate(async (shown, given) => {
    await /** @type {any} */ (Object.assign(shown, given)).updateComplete;
  }, properties);
}

/**
 * Opens a page with a map of this picture, which shows what a `ContextView` sends unless `set` has another `shows`.
 * @param {BrowserPages} browser
 * @param {unknown} picture
 * @param {PageOptions & { set?: Record<string, unknown>, isForced?: boolean }} [options]
 */
export async function openContextMap(browser, picture, { set = {}, ...options } = {}) {
  const opened = await browser.openElement('context-map', { picture, shows: 'view', ...set }, options);
  const { page, element: map } = opened;
  const list = page.getByRole('listbox');
  return { ...opened, map, list, reading: map.locator('.reading'), summary: map.locator('.summary') };
}

/**
 * Writes a picture into docs/pictures/ if `PALIMPSEST_PICTURES=true` is set; review pictures before committing them.
 * @param {{ screenshot: (options: { path: string }) => Promise<unknown> }} shown a page or an element
 * @param {string} name
 */
export async function takePicture(shown, name) {
  if (process.env.PALIMPSEST_PICTURES !== 'true') return;
  await shown.screenshot({ path: fileURLToPath(new URL(`../../docs/pictures/${name}.png`, import.meta.url)) });
}

/** Fails with axe-core's findings, by rule and element. @param {Page} page */
export async function assertAccessible(page) {
  await page.evaluate(readFileSync(axePath, 'utf8'));
  const violations = await page.evaluate(async () => {
    const page = /** @type {any} */ (globalThis);
    const { violations: found } = await page.axe.run(page.document, {
      resultTypes: ['violations'],
    });
    return found.map(
      (/** @type {any} */ { id, nodes }) =>
        `${id}: ${nodes.map((/** @type {any} */ n) => `${n.target.join(' ')} ${n.failureSummary}`).join('; ')}`,
    );
  });
  assert.deepEqual(violations, []);
}
