// @ts-check
/** Runs the documents' snippets for pages in a page, as module scripts; the test defines what a snippet expects. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { ContextLengthExceededError } from 'palimpsest';
import { describeInBrowser } from '../support/browser.mjs';
import { repository } from '../support/children.mjs';
import { compressedSession } from '../support/compressed-sessions.mjs';
import { samplePicture } from '../support/pictures.mjs';
import { documents, snippetsIn } from '../support/snippets.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** An HTML page in a document; its script fetches `files`. */
const HTML = /^ *```html in: a page\n([\s\S]*?)^ *```$/gm;
const fetching = (/** @type {Record<string, unknown>} */ files) =>
  `const files = ${JSON.stringify(files)};
globalThis.fetch = async (path) => ({ json: async () => files[path] });\n`;

/**
 * For each element that a snippet names: the page's body, the globals that the snippet expects, and a check of the result.
 * @type {Record<string, { body: string, given: () => string | Promise<string>, seen: (page: Page) => Promise<void> }>}
 */
const PAGES = {
  'context-map': {
    body: '<context-chart></context-chart><context-map></context-map>',
    given: () => `${fetching({ '/picture.json': samplePicture() })}globalThis.messages = [];`,
    async seen(page) {
      await page.getByRole('slider').first().press('Home');
      await page.getByRole('listbox', { name: 'What request 1 sends' }).waitFor();
      await page
        .locator('context-chart')
        .getByText(/^Request 1 of \d+/)
        .first()
        .waitFor();
    },
  },
  'context-limit-dialog': {
    body: '<context-limit-dialog></context-limit-dialog>',
    given: () => {
      const error = new ContextLengthExceededError(182_400, 131_072, 'deepseek', { language: 'en' }).toJSON();
      return `globalThis.agent = { on: (name, tell) => setTimeout(() => tell(${JSON.stringify(error)})) };
globalThis.compress = async () => { globalThis.compressed = document.querySelector('context-limit-dialog').busy; };`;
    },
    async seen(page) {
      await page.getByRole('dialog').getByText('182,400 tokens').waitFor();
      await page.getByRole('button', { name: 'Compress' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.equal(await page.evaluate(() => /** @type {any} */ (globalThis).compressed), true);
    },
  },
  'tool-progress': {
    body: '<tool-progress></tool-progress>',
    given: () => {
      const event = { tool: 'image_generate', stage: 'generating', message: 'Generating', progress: 34 };
      return `globalThis.agent = { on: (name, tell) => tell(${JSON.stringify(event)}) };`;
    },
    async seen(page) {
      const bar = page.getByRole('progressbar', { name: 'image_generate' });
      await bar.waitFor();
      assert.equal(await bar.getAttribute('aria-valuenow'), '34');
    },
  },
};

/** The parts of Electron that a snippet calls; as in Electron, an exposed API can't have the name of a global. */
const ELECTRON = `const handlers = new Map();
Object.assign(globalThis, {
  ipcMain: { handle: (name, answer) => handlers.set(name, answer) },
  ipcRenderer: { invoke: async (name, ...given) => structuredClone(await handlers.get(name)({}, ...given)) },
  contextBridge: {
    exposeInMainWorld(name, api) {
      if (name in window) throw new Error('cannot bind an API on top of window.' + name);
      window[name] = api;
    },
  },
});\n`;

describeInBrowser('the documents’ code on a page', (browser) => {
  /** @param {string} body @param {string} given @param {string} code */
  async function opened(body, given, code) {
    const scripts = { '/given.js': given, '/snippet.js': code };
    const tags = Object.keys(scripts).map((path) => `<script type="module" src="${path}"></script>`);
    return browser.open(body + tags.join(''), { scripts });
  }

  for (const { place, code } of snippetsIn('a page')) {
    it(`runs: ${place}`, async () => {
      const [, wanted] = Object.entries(PAGES).find(([element]) => code.includes(element)) ?? [];
      assert.ok(wanted, 'the snippet names an element of PAGES');
      const { page, close } = await opened(wanted.body, await wanted.given(), code);
      await wanted.seen(page);
      await close();
    });
  }

  for (const { place, code } of snippetsIn("Electron's processes")) {
    it(`runs: ${place}`, async () => {
      /** @type {Record<string, any[]>} */
      const batches = {};
      const archive = {
        append: async (/** @type {string} */ _, /** @type {any} */ { id, messages }) =>
          void Object.assign(batches, { [id]: messages }),
      };
      const { messages } = await compressedSession({ options: { archive, sessionId: 'mine' } });
      const given = `${ELECTRON}const batches = ${JSON.stringify(batches)};
Object.assign(globalThis, { session: { id: 'mine' }, messages: ${JSON.stringify(messages)} });
globalThis.archive = { get: async (session, id) => session === 'mine' && batches[id] };`;
      const { page, close } = await opened('<compression-history></compression-history>', given, code);
      await page.locator('.disclosure').first().click();
      await page.locator('article[aria-setsize="38"]').first().waitFor();
      await close();
    });
  }

  for (const path of documents()) {
    for (const [, html = ''] of readFileSync(join(repository, path), 'utf8').matchAll(HTML)) {
      it(`runs: the page of ${path}`, async () => {
        const { messages } = await compressedSession();
        assert.match(html, /src="node_modules\/palimpsest\/ui\/dist\/elements.js"/);
        const [, code = ''] = /<script type="module">([\s\S]*?)<\/script>/.exec(html) ?? [];
        const body = html.replaceAll(/<script[\s\S]*?<\/script>/g, '');
        const { page, close } = await opened(body, fetching({ '/session.json': messages }), code);
        await page.getByText('3 compressions').waitFor();
        await close();
      });
    }
  }
});
