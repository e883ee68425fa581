// @ts-check
/** The built site: its files, and its pages in a browser. One test file, since a build takes half a minute. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { faultsOf, pagesOf } from '../../site/check-site.mjs';
import { hitsOf, INDEX_OPTIONS } from '../../site/search-options.mjs';
import { serveSite } from '../../site/serve.mjs';
import { assertAccessible, describeInBrowser } from '../support/browser.mjs';
import { repository } from '../support/children.mjs';
import { builtSite } from '../support/site.mjs';

const PHONE = 390;
const { site, missing } = await builtSite();

test('faultsOf finds links to missing pages and anchors, missing pictures, and scripts of other hosts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-site-'));
  try {
    mkdirSync(join(folder, 'api'));
    writeFileSync(
      join(folder, 'api', 'a.html'),
      '<h1 id="there">A</h1><a href="../b.html#there">b</a><a href="#there">a</a>',
    );
    writeFileSync(
      join(folder, 'b.html'),
      `<a href="/palimpsest/api/a.html#missing">a</a><a href="c.html">c</a><a href="/b.html">outside of the base</a>
       <a href="https://example.com/">may be followed</a><img src="p.png"><script src="https://example.com/x.js"></script>`,
    );
    assert.deepEqual(faultsOf(folder), [
      'api/a.html: ../b.html#there leads nowhere',
      'b.html: /palimpsest/api/a.html#missing leads nowhere',
      'b.html: c.html leads nowhere',
      'b.html: /b.html leads nowhere',
      'b.html: p.png is loaded, but is not there',
      'b.html: https://example.com/x.js is asked of another host',
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

if (site === undefined) {
  if (process.env.CI === 'true') it('the site', () => assert.fail(missing));
  else it('the site', { skip: missing }, () => {});
} else {
  describe('the site', () => testFiles(site));
  describeInBrowser('the site in a browser', (browser) => testInBrowser(browser, site));
}

/** @param {string} site */
function testFiles(site) {
  const pages = pagesOf(site);

  it('every link, also of the API pages, leads to an existing page and anchor', () => {
    assert.ok(pages.size > 200);
    assert.ok(pages.get('api/classes/ContextView.html')?.ids.has('project'));
    assert.deepEqual(faultsOf(site), []);
  });

  it('the search finds the right page among the first three for each of ten questions', async () => {
    assert.deepEqual(await failedQuestions(site), []);
  });

  it('every page except 404.html has a link to the other language', () => {
    for (const [place, { links }] of pages) {
      const [here, there] = place.startsWith('zh/')
        ? [/^zh\//, /^\/palimpsest\/(?!zh\/)/]
        : [/^/, /^\/palimpsest\/zh\//];
      assert.ok(here.test(place) && (place === '404.html' || links.some((link) => there.test(link))), place);
    }
  });

  it('no style or script loads a file of another host', () => {
    const names = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(css|js)$/.test(name));
    assert.ok(names.length > 100);
    const foreign = names.filter((name) =>
      /url\(\s*["']?(https?:)?\/\/|@import|\b(import|fetch)\(\s*["'`](https?:)?\/\/|\bfrom\s*["']https?:/.test(
        readFileSync(join(site, name), 'utf8').replaceAll(/"[^"\n]*@import[^"\n]*"/g, ''),
      ),
    );
    // The scripts `*.md.*.js` have the documents' text, in which `@import` and `from` load nothing.
    assert.deepEqual(
      foreign.filter((name) => !/\.md\.[^/]*\.js$/.test(name)),
      [],
    );
  });
}

/** Questions, and the page that must be among the first three hits. @type {[group: string, words: string, page: string][]} */
const QUESTIONS = [
  ['guide', 'ERR_PALIMPSEST_NATIVE', 'installing.html'],
  ['guide', 'webpack bundler', 'installing.html'],
  ['guide', 'how large is the window', 'compression.html'],
  ['guide', 'PostgreSQL store', 'stores.html'],
  ['guide', 'cache_control', 'adapters.html'],
  ['guide', 'OpenAI Agents', 'adapters.html'],
  ['guide', 'logger pino', 'logs.html'],
  ['guide', 'what does a change cost', 'cache.html'],
  ['api', 'prepare', 'api/classes/ContextView.html'],
  ['api', 'maxExtraCost', 'api/interfaces/ContextViewOptions.html'],
];

/** Questions whose page is not among the first three hits. @param {string} site */
async function failedQuestions(site) {
  // MiniSearch is installed in site/node_modules.
  const module = join(repository, 'site', 'node_modules', 'minisearch', 'dist', 'es', 'index.js');
  const { default: MiniSearch } = await import(pathToFileURL(module).href);
  const indexes = new Map(
    ['guide', 'api'].map((name) => {
      const text = readFileSync(join(site, 'search', `${name}.json`), 'utf8');
      return [name, MiniSearch.loadJSON(text, INDEX_OPTIONS)];
    }),
  );
  return QUESTIONS.filter(([group, words, page]) => {
    const first = hitsOf(indexes.get(group), words).slice(0, 3);
    return !first.some(({ id }) => id.split('#')[0] === page);
  });
}

/** @param {import('../support/browser.mjs').BrowserPages} browser @param {string} site */
function testInBrowser(browser, site) {
  /** @type {Awaited<ReturnType<typeof serveSite>>} */
  let server;
  before(async () => {
    server = await serveSite(site);
  });
  after(() => server.close());

  /** Opens a page, and waits for its scripts: before that keys and buttons do nothing. @param {string} place @param {number} width */
  async function open(place, width) {
    const opened = await browser.visit(`${server.address}${place}`, { width, height: 844 });
    await opened.page.waitForFunction(() => {
      const { document } = /** @type {any} */ (globalThis);
      return document.querySelector('#app').__vue_app__ !== undefined;
    });
    return opened;
  }

  /** @param {string} place @param {string} query */
  async function search(place, query) {
    const { page, close } = await open(place, 1280);
    await page.keyboard.press('/');
    await page.locator('.SiteSearch dialog[open] input').waitFor();
    await page.keyboard.type(query);
    await page.locator('.results [role=option]').first().waitFor();
    const titles = (/** @type {string} */ group) => page.locator(`[data-group=${group}] .title`).allInnerTexts();
    return { page, close, titles };
  }

  it('a search for “placeholder” lists pages of the guide and of the API separately, and Enter opens the first', async () => {
    const { page, close, titles } = await search('', 'placeholder');
    assert.ok((await titles('guide')).some((title) => /Placeholders and their language/.test(title)));
    assert.ok((await titles('api')).some((title) => /placeholder/.test(title)));
    await assertAccessible(page);
    await page.keyboard.press('Enter');
    await page.waitForURL(/cleanup\.html#placeholders/);
    await close();
  });

  it('the search finds an API page by its name in lower case, and by the first half of its name', async () => {
    const { page, close, titles } = await search('', 'contextview');
    assert.equal((await titles('api'))[0], 'ContextView');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('sanitize');
    await page.locator('[data-group=api] .title', { hasText: 'sanitizeToolResultsJson' }).first().waitFor();
    await close();
  });

  it('the search finds a Chinese word without spaces around it', async () => {
    const { page, close, titles } = await search('zh/', '强需求');
    await page.locator('[data-group=zh] .excerpt mark', { hasText: '强需求' }).first().waitFor();
    assert.ok((await titles('zh')).some((title) => /\p{Script=Han}/u.test(title)));
    await close();
  });

  it('the language switch leads to the page in the other language, or to its home page', async () => {
    for (const [place, other] of [
      ['', 'zh/'],
      ['zh/', ''],
      ['api/classes/ContextView.html', 'zh/'],
    ]) {
      const { page, close } = await open(place, 1400);
      await page.locator('.VPNavBarTranslations button').hover();
      await page.locator('.VPNavBarTranslations a').click();
      await page.waitForURL(`${server.address}${other}`);
      assert.equal(await page.locator('.NotFound').count(), 0);
      await close();
    }
  });

  it('the menu opens on a phone, and pages request no other host and report no error', async () => {
    for (const place of ['need.html', 'api/classes/ContextView.html', 'zh/', 'elements.html']) {
      const { page, close } = await open(place, PHONE);
      await page.locator('.VPNavBarHamburger').click();
      await page.locator('.VPNavScreen a', { hasText: 'API' }).waitFor();
      await close();
    }
  });

  it('no page is wider than a phone of 390 px', async () => {
    const places = [...pagesOf(site).keys()].filter(
      (place) => !/^(api\/.*(functions|variables|interfaces|type-aliases)\/|404)/.test(place),
    );
    // Without scripts, which don't change the layout and take most of the time.
    const { page, close } = await browser.visit(server.address, { width: PHONE, height: 844, javaScript: false });
    /** @type {string[]} */
    const tooWide = [];
    let scrollingTableCount = 0;
    for (const place of places) {
      await page.goto(`${server.address}${place}`);
      const [width = 0, tables = 0] = await page.evaluate(() => {
        const { document } = /** @type {any} */ (globalThis);
        const inside = [...document.querySelectorAll('.vp-doc table')].filter(
          (table) => table.scrollWidth > table.clientWidth,
        );
        return [document.documentElement.scrollWidth, inside.length];
      });
      if (width > PHONE) tooWide.push(`${place}: ${width} px`);
      scrollingTableCount += tables;
    }
    assert.deepEqual(tooWide, []);
    assert.ok(places.length > 60 && scrollingTableCount > 20, 'some tables are wider than the phone');
    await close();
  });
}
