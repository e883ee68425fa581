// @ts-check
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertAccessible, describeInBrowser } from '../support/browser.mjs';
import { samplePicture } from '../support/pictures.mjs';

/** @typedef {import('../../ui/elements.js').ContextMap} ContextMap */

describeInBrowser('<context-map>', (browser) => {
  /**
   * A page with a map of this picture.
   * @param {unknown} picture
   * @param {import('../support/browser.mjs').PageOptions & { set?: Record<string, unknown>, forced?: boolean }} [options]
   */
  const open = async (picture, { set = {}, forced = false, ...options } = {}) => {
    const opened = await browser.open('<context-map></context-map>', options);
    if (forced) await opened.page.emulateMedia({ forcedColors: 'active' });
    const map = opened.page.locator('context-map');
    await map.evaluate(
      async (/** @type {ContextMap} */ element, given) => {
        Object.assign(element, given);
        await element.updateComplete;
      },
      // What a view makes of a session shows all that a map can.
      { picture, shows: 'view', ...set },
    );
    return {
      ...opened,
      map,
      list: opened.page.getByRole('listbox'),
      reading: map.locator('.reading'),
      summary: map.locator('.summary'),
    };
  };

  /** The colours that are on the canvas, each with its share. @param {import('playwright-core').Locator} map @returns {Promise<Record<string, number>>} */
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

  it('says what a request sends: tokens, cache, what is replaced and what is still to be', async () => {
    const { close, page, summary, map } = await open(samplePicture(), { set: { request: 38 } });
    assert.equal(
      await summary.textContent(),
      '85,271 tokens in 157 cells. 90% expected from the cache. 6 replaced, which saves 21.4K. 2 outdated and still sent: 3.8K.',
    );
    await map.evaluate((/** @type {ContextMap} */ element) => Object.assign(element, { contextWindow: 200_000 }));
    await page.getByText('43% of the window of 200K').waitFor();
    await page.getByText('window: 200K').waitFor();
    await assertAccessible(page);
    await close();
  });

  it('shows what was really sent of a recorded session, and what ContextView would send when that is chosen', async () => {
    const picture = samplePicture();
    const [thread] = picture.threads;
    const cleared = thread.cells.findIndex(({ tokens }) => tokens > 300);
    Object.assign(thread.cells[cleared], { clearedFrom: 2, tokensCleared: thread.cells[cleared].tokens });
    const { close, page, summary, list, map } = await open(picture, { set: { request: 38, shows: 'sent' } });
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
    await map.evaluate(
      (/** @type {any} */ element, given) => Object.assign(element, { picture: given, shows: 'sent' }) && undefined,
      { ...picture, agent: 'live' },
    );
    await page.getByText('6 replaced, which saves').waitFor();
    assert.equal(await page.getByLabel('Shows').isVisible(), false, 'of a live view nothing else is known');
    await close();
  });

  it('moves through the session by its slider, by keyboard too, and tells the page', async () => {
    const { close, page, summary, map } = await open(samplePicture(), { set: { request: 38 } });
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

  it('names the cell that the keyboard is at, and has it as its only option for a screen reader', async () => {
    const { close, page, list, reading } = await open(samplePicture(), { set: { request: 38 } });
    await list.focus();
    assert.match((await reading.textContent()) ?? '', /^System prompt and tools/);
    await list.press('ArrowRight');
    const first = await list.getByRole('option').textContent();
    assert.match(first ?? '', /, user, message 1, \d+ tokens, cached$/);
    assert.equal(await reading.textContent(), first);
    assert.equal(await list.getAttribute('aria-activedescendant'), await list.getByRole('option').getAttribute('id'));
    assert.equal(await list.getByRole('option').getAttribute('aria-setsize'), '157');
    // A screen reader reads what becomes active, not what changes its name.
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

  it('names the cell under the pointer, and nothing when that has left', async () => {
    const { close, page, list, reading } = await open(samplePicture(), { set: { request: 38 } });
    await list.hover({ position: { x: 700, y: 38 } });
    assert.match((await reading.textContent()) ?? '', /message \d+, .*tokens/);
    await page.mouse.move(5, 5);
    assert.match((await reading.textContent()) ?? '', /^Point at a cell/);
    await close();
  });

  it('opens a message before and after, tells the page which, and gives the focus back', async () => {
    const picture = samplePicture();
    const [thread] = picture.threads;
    const place = thread.cells.findIndex(({ replacedFrom }) => replacedFrom !== null && replacedFrom <= 38);
    const { close, page, list, map } = await open(picture, { set: { request: 38 } });
    await map.evaluate((/** @type {ContextMap} */ element) => {
      element.load = async (message) => ({
        stored: {
          role: 'tool',
          timeMs: null,
          parts: [{ type: 'result', tool: 'Read', isError: true, text: `all of ${message}` }],
        },
      });
      element.addEventListener('cell-activate', (event) =>
        element.setAttribute('data-opened', JSON.stringify(/** @type {CustomEvent} */ (event).detail)),
      );
    });
    await list.focus();
    for (let step = 0; step <= place; step++) await list.press('ArrowRight');
    await list.press('Enter');
    await page.getByText(`all of ${thread.cells[place].message}`).waitFor();
    assert.deepEqual(JSON.parse((await map.getAttribute('data-opened')) ?? ''), {
      message: thread.cells[place].message,
      part: 0,
      thread: 0,
      request: 38,
    });
    await page.getByText('tool result · Read · failed').waitFor();
    // What is sent is the placeholder that the picture names.
    assert.equal(await page.getByRole('group', { name: 'As sent' }).textContent(), '[outdated: read again later]');
    assert.equal(await list.getByRole('option').getAttribute('aria-selected'), 'true');
    await assertAccessible(page);
    await page.keyboard.press('Escape');
    assert.equal(await page.getByText('As stored').isVisible(), false);
    await list.press('ArrowLeft');
    assert.equal(await list.getByRole('option').getAttribute('aria-posinset'), String(place + 1));
    await close();
  });

  it('says what it cannot show of a message: no loader, a loader that fails, one that is late', async () => {
    const { close, page, list, map } = await open(samplePicture(), { set: { request: 38 } });
    await list.focus();
    await list.press('End');
    await list.press('Enter');
    await page.getByText('Only the picture is here').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await map.evaluate((/** @type {ContextMap} */ element) => {
      element.load = () => Promise.reject(new Error('secret of the session'));
    });
    await list.press('Enter');
    await page.getByRole('alert').getByText('could not be loaded').waitFor();
    assert.equal(await page.getByText('secret').count(), 0);
    await map.evaluate((/** @type {any} */ element) => {
      element.load = (message) =>
        new Promise((resolve) => setTimeout(() => resolve({ stored: `text of ${message}` }), message === 0 ? 150 : 0));
    });
    await page.keyboard.press('Escape');
    await list.press('Home');
    await list.press('ArrowRight');
    await list.press('Enter');
    await list.focus();
    await list.press('ArrowRight');
    await list.press('Enter');
    await page.getByText('text of 1').waitFor();
    await page.waitForTimeout(200);
    assert.equal(await page.getByText('text of 0').count(), 0);
    await close();
  });

  it('keeps an opened message open while the slider moves and the session grows, and says what each request sends of it', async () => {
    const picture = samplePicture();
    const [thread] = picture.threads;
    const place = thread.cells.findIndex(({ replacedFrom }) => replacedFrom !== null && replacedFrom <= 38);
    const from = /** @type {number} */ (thread.cells[place].replacedFrom);
    const { close, page, list, map } = await open(picture, { set: { request: from } });
    await map.evaluate((/** @type {any} */ element) => {
      element.load = () => ({ stored: 'the whole result' });
    });
    await list.focus();
    for (let step = 0; step <= place; step++) await list.press('ArrowRight');
    await list.press('Enter');
    await page.getByText('[outdated: read again later]').waitFor();
    await page.getByRole('slider').press('ArrowLeft');
    await page.getByText('Sent as it is stored.').waitFor();
    assert.equal(await page.getByText('[outdated: read again later]').count(), 0);
    await page.getByRole('slider').press('End');
    // The compaction has left it behind.
    await page.getByText('This request does not send it.').waitFor();
    await page.getByRole('slider').press('Home');
    const grown = structuredClone(picture);
    await map.evaluate(
      (/** @type {any} */ element, given) => Object.assign(element, { picture: given, request: 38 }) && undefined,
      grown,
    );
    await page.getByText('[outdated: read again later]').waitFor();
    assert.equal(await page.getByText('the whole result').isVisible(), true);
    await map.evaluate(
      (/** @type {any} */ element, given) => Object.assign(element, { picture: given }) && undefined,
      samplePicture({ messages: 2, requests: 1 }),
    );
    await page.getByText('Request 1 of 1').first().waitFor();
    assert.equal(await page.getByText('the whole result').count(), 0);
    await close();
  });

  it('leaves opening to a page that prevents it', async () => {
    const { close, page, list, map } = await open(samplePicture());
    await map.evaluate((element) => element.addEventListener('cell-activate', (event) => event.preventDefault()));
    await list.focus();
    await list.press('End');
    await list.press('Enter');
    assert.equal(await page.getByRole('button', { name: 'Close' }).count(), 0);
    await close();
  });

  it('shows labels, tools and messages as text, with what cannot be seen by name', async () => {
    const picture = samplePicture({ messages: 4, requests: 1 });
    const attack = '<img src=x onerror="document.title=1">\u202etxt.exe';
    picture.tools = [attack, ...picture.tools.slice(1)];
    picture.threads[0].name = attack;
    for (const cell of picture.threads[0].cells)
      Object.assign(cell, { label: attack, tool: 0, kind: 6, tokens: 5_000 });
    const { close, page, list, reading, map } = await open(picture, { set: { sizes: 'stored' } });
    await map.evaluate((/** @type {any} */ element, text) => {
      element.load = () => ({ stored: { role: 'user', content: text }, sent: text });
    }, attack);
    await list.focus();
    await list.press('End');
    assert.match(
      (await reading.textContent()) ?? '',
      /^<img src=x onerror="document\.title=1">RLOtxt\.exe, result of <img/,
    );
    await list.press('Enter');
    await page.getByText('"role": "user"').waitFor();
    assert.equal(await map.locator('img').count(), 0);
    assert.equal(await page.title(), 'A page');
    await close();
  });

  it('says what it was given when that is no picture, or nothing was sent', async () => {
    const { close, page, map } = await open(undefined);
    await page.getByText('No session to show yet.').waitFor();
    /** @param {unknown} picture */
    const give = (picture) =>
      map.evaluate(
        (/** @type {any} */ element, given) => Object.assign(element, { picture: given }) && undefined,
        picture,
      );
    await give({ version: 7 });
    await page.getByText('This picture has version 7; version 1 can be drawn.').waitFor();
    const wrong = samplePicture({ messages: 4, requests: 2 });
    wrong.threads[0].cells[1].tokens = -1;
    await give(wrong);
    await page.getByText("threads[0].cells[1] isn't as").waitFor();
    const idle = samplePicture({ messages: 4, requests: 2 });
    Object.assign(idle.threads[0], { requests: [], costs: [] });
    await give(idle);
    await page.getByText('No request was sent in this conversation yet.').waitFor();
    await assertAccessible(page);
    const empty = samplePicture({ messages: 4, requests: 1 });
    empty.threads[0].fixedTokens = 0;
    empty.threads[0].requests[0].prompt = [];
    await give(samplePicture({ messages: 4, requests: 1 }));
    await page.getByText(/tokens in \d cells/).waitFor();
    await give(empty);
    await page.getByText('This request sent no message.').waitFor();
    assert.equal(await page.getByRole('listbox').getAttribute('aria-activedescendant'), null);
    await assertAccessible(page);
    await close();
  });

  it('stays at the latest request of a session that grows, and at the chosen one otherwise', async () => {
    const { close, page, map } = await open(samplePicture({ messages: 40, requests: 10 }));
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
    // A page that follows another element's event sets the place.
    await map.evaluate((/** @type {ContextMap} */ element) => {
      element.request = 12;
    });
    assert.equal(await grow(14), 13);
    await close();
  });

  it('shows the threads of sub-agents, one at a time', async () => {
    const { close, page, summary } = await open(samplePicture({ subAgents: 2 }));
    const before = await summary.textContent();
    await page.getByLabel('Conversation').selectOption('sub-agent: reviewer 2');
    await page
      .getByText(/^Request 10 of 10/)
      .first()
      .waitFor();
    assert.notEqual(await summary.textContent(), before);
    await close();
  });

  it('has no choice of conversations where there is one', async () => {
    const { close, page } = await open(samplePicture());
    assert.equal(
      (await page.getByLabel('Conversation').count()) && (await page.getByLabel('Conversation').isVisible()),
      false,
    );
    await close();
  });

  it('shows one class alone when its entry of the legend is pressed, and all again', async () => {
    const { close, page, map } = await open(samplePicture(), { set: { request: 38 } });
    // The user's blue is nowhere else; system prompt and tools have #bac8b6.
    const isShown = async () => ((await coloursOf(map))['186,200,182'] ?? 0) > 0.05;
    assert.equal(await isShown(), true);
    await page.getByRole('button', { name: /^Read / }).click();
    assert.equal(await page.getByRole('button', { name: /^Read / }).getAttribute('aria-pressed'), 'true');
    assert.equal(await isShown(), false);
    await page.getByRole('button', { name: /^Read / }).click();
    assert.equal(await isShown(), true);
    await close();
  });

  it('draws cells as large as what is stored when asked to', async () => {
    const { close, page, map } = await open(samplePicture(), { set: { request: 38 } });
    const before = (await coloursOf(map))['255,255,255'];
    await page.getByLabel('Cell sizes').selectOption('as stored');
    await page.waitForFunction(() => /** @type {any} */ (document.querySelector('context-map')).sizes === 'stored');
    // More of the map is hatched in white.
    assert.ok((await coloursOf(map))['255,255,255'] > before * 1.5);
    await close();
  });

  it('draws in the colours of the theme that holds, also when a page changes it later', async () => {
    const { close, map } = await open(samplePicture(), { scheme: 'dark', set: { request: 38 } });
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

  it('has no colours of its own where the system forces its, and edges around cells instead', async () => {
    const { close, page, map } = await open(samplePicture(), { forced: true, set: { request: 38 } });
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
      const { close, page, list } = await open(samplePicture({ zh: 'lang' in options, subAgents: 1 }), {
        ...options,
        set: { request: 38, contextWindow: 128_000 },
      });
      if ('lang' in options) await page.getByText('个格子').or(page.getByText('窗口的')).first().waitFor();
      await list.focus();
      await list.press('End');
      await list.press('Enter');
      await assertAccessible(page);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing overflows');
      await close();
    });
  }

  it('is as wide as it may be in a row of other things, and becomes narrower with it', async () => {
    const { close, page, map } = await open(samplePicture());
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

  it('keeps few nodes, however many cells', async () => {
    const { close, map } = await open(samplePicture({ messages: 5_000, requests: 200 }));
    assert.ok((await map.evaluate((element) => element.shadowRoot?.querySelectorAll('*').length ?? 0)) < 200);
    await close();
  });
});
