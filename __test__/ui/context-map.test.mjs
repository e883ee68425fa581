// @ts-check
/** `<context-map>`: what it draws and names, navigation through requests and cells, themes and sizes. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertAccessible, describeInBrowser, openContextMap, setProperties } from '../support/browser.mjs';
import { samplePicture } from '../support/pictures.mjs';

/** @typedef {import('../../ui/elements.js').ContextMap} ContextMap */

describeInBrowser('<context-map>', (browser) => {
  /** For each colour of the canvas, its share of the pixels. @param {import('playwright-core').Locator} map @returns {Promise<Record<string, number>>} */
  const coloursOf = (map) =>
    map.evaluate((/** @type {ContextMap} */ element) => {
      const canvas = /** @type {HTMLCanvasElement} */ (element.shadowRoot?.querySelector('.surface canvas'));
      const { data } = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')).getImageData(
        0,
        0,
        canvas.width,
        canvas.height,
      );
      /** @type {Record<string, number>} */
      const shares = {};
      for (let at = 0; at < data.length; at += 4) {
        const colour = `${data[at]},${data[at + 1]},${data[at + 2]}`;
        shares[colour] = (shares[colour] ?? 0) + 4 / data.length;
      }
      return shares;
    });

  it('summarises a request: tokens, cached share, replaced results and pending results', async () => {
    const { close, page, summary, map } = await openContextMap(browser, samplePicture(), { set: { request: 38 } });
    assert.equal(
      await summary.textContent(),
      '85,271 tokens in 157 cells. 90% expected from the cache. 6 replaced, which saves 21.4K. 2 outdated and still sent: 3.8K.',
    );
    await setProperties(map, { contextWindow: 200_000 });
    await page.getByText('43% of the window of 200K').waitFor();
    await page.getByText('window: 200K').waitFor();
    await assertAccessible(page);
    await close();
  });

  it('shows what the agent sent in a recorded session, and what ContextView would send if chosen', async () => {
    const picture = samplePicture();
    const [thread] = picture.threads;
    const cleared = thread.cells.findIndex(({ tokens }) => tokens > 300);
    Object.assign(thread.cells[cleared], { clearedFrom: 2, tokensCleared: thread.cells[cleared].tokens });
    const { close, page, summary, list, map } = await openContextMap(browser, picture, {
      set: { request: 38, shows: 'sent' },
    });
    assert.match((await summary.textContent()) ?? '', /1 cleared by the agent: .* gone, by the provider's count/);
    assert.doesNotMatch((await summary.textContent()) ?? '', /replaced/);
    await map.evaluate((/** @type {ContextMap} */ element, cell) => element.openCell(cell), cleared);
    await page.getByText('Only the picture is here').waitFor();
    await map.evaluate((/** @type {any} */ element, cell) => {
      element.load = () => ({ stored: 'the whole result' });
      element.openCell(cell);
    }, cleared);
    await page.getByText('Cleared by the agent since request 3').waitFor();
    await assertAccessible(page);
    await page.keyboard.press('Escape');
    assert.match((await list.getByRole('option').textContent()) ?? '', /cleared by the agent: 0 tokens instead of/);
    await page.getByLabel('Shows').selectOption('with ContextView');
    await page.getByText('6 replaced, which saves').waitFor();
    await setProperties(map, { picture: { ...picture, agent: 'live' }, shows: 'sent' });
    await page.getByText('6 replaced, which saves').waitFor();
    assert.equal(await page.getByLabel('Shows').isVisible(), false, 'a live view has no other form');
    await close();
  });

  it('changes the request by its slider, and dispatches request-change', async () => {
    const { close, page, summary, map } = await openContextMap(browser, samplePicture(), { set: { request: 38 } });
    const before = await summary.textContent();
    await map.evaluate((element) => {
      element.addEventListener('request-change', (event) =>
        element.setAttribute('data-at', JSON.stringify(/** @type {CustomEvent} */ (event).detail)),
      );
    });
    const slider = page.getByRole('slider', { name: 'Request' });
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /^Request 39 of 60 · May 4, 2026/);
    await slider.press('ArrowRight');
    await page
      .getByText(/^Request 40 of 60/)
      .first()
      .waitFor();
    assert.equal(await map.getAttribute('data-at'), '{"thread":0,"request":39}');
    assert.notEqual(await summary.textContent(), before);
    await slider.press('Home');
    assert.equal(await map.evaluate((/** @type {ContextMap} */ element) => element.request), 0);
    await close();
  });

  it('names the cell chosen by keyboard, which is its only option for a screen reader', async () => {
    const { close, page, list, reading } = await openContextMap(browser, samplePicture(), { set: { request: 38 } });
    await list.focus();
    assert.match((await reading.textContent()) ?? '', /^System prompt and tools/);
    await list.press('ArrowRight');
    const first = await list.getByRole('option').textContent();
    assert.match(first ?? '', /, user, message 1, \d+ tokens, cached$/);
    assert.equal(await reading.textContent(), first);
    assert.equal(await list.getAttribute('aria-activedescendant'), await list.getByRole('option').getAttribute('id'));
    assert.equal(await list.getByRole('option').getAttribute('aria-setsize'), '157');
    // A screen reader reads an element that becomes active, not one whose name changes.
    const firstId = await list.getAttribute('aria-activedescendant');
    await list.press('End');
    assert.notEqual(await list.getAttribute('aria-activedescendant'), firstId);
    assert.equal(await list.getByRole('option').getAttribute('aria-posinset'), '157');
    await list.press('ArrowUp');
    const up = Number(await list.getByRole('option').getAttribute('aria-posinset'));
    assert.ok(up < 157, `one row up from the last cell is cell ${up}`);
    await list.press('Home');
    assert.equal(await list.getByRole('option').getAttribute('aria-posinset'), '1');
    await assertAccessible(page);
    await close();
  });

  it('names the cell under the pointer, and none after the pointer has left', async () => {
    const { close, page, list, reading } = await openContextMap(browser, samplePicture(), { set: { request: 38 } });
    await list.hover({ position: { x: 700, y: 38 } });
    assert.match((await reading.textContent()) ?? '', /message \d+, .*tokens/);
    await page.mouse.move(5, 5);
    assert.match((await reading.textContent()) ?? '', /^Point at a cell/);
    await close();
  });

  it('shows why it draws nothing: no picture, an invalid one, no request, no message', async () => {
    const { close, page, map } = await openContextMap(browser, undefined);
    await page.getByText('No session to show yet.').waitFor();
    await setProperties(map, { picture: { version: 7 } });
    await page.getByText('This picture has version 7; version 1 can be drawn.').waitFor();
    const wrong = samplePicture({ messages: 4, requests: 2 });
    wrong.threads[0].cells[1].tokens = -1;
    await setProperties(map, { picture: wrong });
    await page.getByText("threads[0].cells[1] isn't as").waitFor();
    const idle = samplePicture({ messages: 4, requests: 2 });
    Object.assign(idle.threads[0], { requests: [], costs: [] });
    await setProperties(map, { picture: idle });
    await page.getByText('No request was sent in this conversation yet.').waitFor();
    await assertAccessible(page);
    const empty = samplePicture({ messages: 4, requests: 1 });
    empty.threads[0].fixedTokens = 0;
    empty.threads[0].requests[0].prompt = [];
    await setProperties(map, { picture: samplePicture({ messages: 4, requests: 1 }) });
    await page.getByText(/tokens in \d cells/).waitFor();
    await setProperties(map, { picture: empty });
    await page.getByText('This request sent no message.').waitFor();
    assert.equal(await page.getByRole('listbox').getAttribute('aria-activedescendant'), null);
    await assertAccessible(page);
    await close();
  });

  it('follows the newest request of a growing session, unless another request is chosen', async () => {
    const { close, page, map } = await openContextMap(browser, samplePicture({ messages: 40, requests: 10 }));
    const grow = (/** @type {number} */ requests) =>
      map.evaluate(
        async (/** @type {ContextMap} */ element, picture) => {
          element.picture = picture;
          await element.updateComplete;
          return element.request;
        },
        samplePicture({ messages: requests * 4, requests }),
      );
    assert.equal(await grow(11), 10);
    await page.getByRole('slider').press('ArrowLeft');
    assert.equal(await grow(12), 9);
    await page.getByRole('slider').press('End');
    assert.equal(await grow(13), 12);
    // A page sets the request when another element dispatches its event.
    await setProperties(map, { request: 12 });
    assert.equal(await grow(14), 13);
    await close();
  });

  it('shows the thread of the chosen sub-agent', async () => {
    const { close, page, summary } = await openContextMap(browser, samplePicture({ subAgents: 2 }));
    const before = await summary.textContent();
    await page.getByLabel('Conversation').selectOption('sub-agent: reviewer 2');
    await page
      .getByText(/^Request 10 of 10/)
      .first()
      .waitFor();
    assert.notEqual(await summary.textContent(), before);
    await close();
  });

  it('has no choice of conversations if there is only one', async () => {
    const { close, page } = await openContextMap(browser, samplePicture());
    assert.equal(
      (await page.getByLabel('Conversation').count()) && (await page.getByLabel('Conversation').isVisible()),
      false,
    );
    await close();
  });

  it('shows only the class whose legend entry is pressed, and all after a second press', async () => {
    const { close, page, map } = await openContextMap(browser, samplePicture(), { set: { request: 38 } });
    // Only the system prompt and tools have the colour #bac8b6.
    const isShown = async () => ((await coloursOf(map))['186,200,182'] ?? 0) > 0.05;
    assert.equal(await isShown(), true);
    await page.getByRole('button', { name: /^Read / }).click();
    assert.equal(await page.getByRole('button', { name: /^Read / }).getAttribute('aria-pressed'), 'true');
    assert.equal(await isShown(), false);
    await page.getByRole('button', { name: /^Read / }).click();
    assert.equal(await isShown(), true);
    await close();
  });

  it('draws cells in their stored sizes if chosen', async () => {
    const { close, page, map } = await openContextMap(browser, samplePicture(), { set: { request: 38 } });
    const before = (await coloursOf(map))['255,255,255'];
    await page.getByLabel('Cell sizes').selectOption('as stored');
    await page.waitForFunction(() => /** @type {any} */ (document.querySelector('context-map')).sizes === 'stored');
    // Replaced cells are hatched in white, and larger than before.
    assert.ok((await coloursOf(map))['255,255,255'] > before * 1.5);
    await close();
  });

  it('draws in the colours of the current theme, also after the page changed it', async () => {
    const { close, map } = await openContextMap(browser, samplePicture(), { scheme: 'dark', set: { request: 38 } });
    const isDark = async () => ((await coloursOf(map))['97,91,104'] ?? 0) > 0.05;
    assert.equal(await isDark(), true);
    await map.evaluate((element) => element.ownerDocument.documentElement.setAttribute('class', 'light'));
    await map.evaluate((element) => {
      element.ownerDocument.documentElement.style.colorScheme = 'light';
    });
    for (let tries = 0; tries < 40 && (await isDark()); tries++) await map.page().waitForTimeout(25);
    assert.equal(await isDark(), false);
    await map.evaluate((element) => element.style.setProperty('--palimpsest-cell-fixed', 'rgb(1, 200, 3)'));
    for (let tries = 0; tries < 40 && !((await coloursOf(map))['1,200,3'] > 0.05); tries++)
      await map.page().waitForTimeout(25);
    assert.ok((await coloursOf(map))['1,200,3'] > 0.05);
    await close();
  });

  it('draws edges around cells instead of its own colours in forced colours', async () => {
    const { close, page, map } = await openContextMap(browser, samplePicture(), {
      isForced: true,
      set: { request: 38 },
    });
    const colours = Object.entries(await coloursOf(map)).filter(([colour, share]) => {
      const [red, green, blue] = colour.split(',').map(Number);
      return share > 0.02 && Math.max(red, green, blue) - Math.min(red, green, blue) > 20;
    });
    assert.deepEqual(colours, []);
    assert.ok((await coloursOf(map))['0,0,0'] > 0.05);
    await assertAccessible(page);
    await close();
  });

  for (const [name, options] of /** @type {const} */ ([
    ['in the dark', { scheme: 'dark' }],
    ['in Chinese at 360 pixels', { lang: 'zh-CN', width: 360 }],
    ['at 1,600 pixels', { width: 1_600 }],
  ])) {
    it(`is accessible and stays within the page ${name}`, async () => {
      const { close, page, list } = await openContextMap(
        browser,
        samplePicture({ zh: 'lang' in options, subAgents: 1 }),
        {
          ...options,
          set: { request: 38, contextWindow: 128_000 },
        },
      );
      if ('lang' in options) await page.getByText('个格子').or(page.getByText('窗口的')).first().waitFor();
      await list.focus();
      await list.press('End');
      await list.press('Enter');
      await assertAccessible(page);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing overflows');
      await close();
    });
  }

  it('fills the width of a flex container, and shrinks with it', async () => {
    const { close, page, map } = await openContextMap(browser, samplePicture());
    const width = () =>
      map.evaluate((element) => element.shadowRoot?.querySelector('.surface canvas')?.clientWidth ?? 0);
    await page.locator('main').evaluate((main) => {
      main.style.display = 'flex';
    });
    assert.ok((await width()) > 300, `${await width()} px`);
    await page.setViewportSize({ width: 480, height: 700 });
    await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth);
    assert.ok((await width()) < 480);
    await close();
  });

  it('has fewer than 200 nodes for 5,000 messages', async () => {
    const { close, map } = await openContextMap(browser, samplePicture({ messages: 5_000, requests: 200 }));
    assert.ok((await map.evaluate((element) => element.shadowRoot?.querySelectorAll('*').length ?? 0)) < 200);
    await close();
  });
});
