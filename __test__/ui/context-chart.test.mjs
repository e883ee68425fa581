// @ts-check
/** `<context-chart>`: tokens and costs of each request as a chart and as a table. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertAccessible, describeInBrowser, setProperties } from '../support/browser.mjs';
import { samplePicture } from '../support/pictures.mjs';

/** @typedef {import('../../ui/elements.js').ContextChart} ContextChart */

describeInBrowser('<context-chart>', (browser) => {
  /**
   * A page with a chart of this picture.
   * @param {unknown} picture
   * @param {import('../support/browser.mjs').PageOptions & { set?: Record<string, unknown>, isForced?: boolean }} [options]
   */
  const open = async (picture, { set = {}, ...options } = {}) => {
    const opened = await browser.openElement('context-chart', { picture, ...set }, options);
    const { element: chart } = opened;
    const policy = (/** @type {string} */ name) =>
      chart.locator('.policies tr', { hasText: name }).locator('td').allTextContents();
    return {
      ...opened,
      chart,
      policy,
      reading: chart.locator('.reading'),
      slider: opened.page.getByRole('slider', { name: 'Request' }),
    };
  };

  it('describes a request: its tokens, those cached, the provider’s report, and lost caches', async () => {
    const { close, page, reading, slider } = await open(samplePicture(), { set: { request: 42 } });
    assert.equal(
      await reading.textContent(),
      'Request 43 of 60: 16,666 tokens; ContextView 16,666; reported by the provider 16,786, of these 0 cached; compaction: a new context; cache lost to a compaction: 13.3K tokens read again',
    );
    await slider.press('ArrowLeft');
    await page.getByText(/^Request 42 of 60: .* cached \d+%; .*cached$/).waitFor();
    await assertAccessible(page);
    await close();
  });

  it('stacks the tokens by kind, and lists each kind with its tokens at the chosen request', async () => {
    const picture = samplePicture();
    const { close, chart } = await open(picture, { set: { request: 38 } });
    const slots = await chart
      .locator('.panel path.area')
      .evaluateAll((paths) => paths.map((path) => path.getAttribute('data-slot')));
    assert.deepEqual(slots, ['fixed', 'user', 'assistant', 'reasoning', 'call', 'result', 'summary']);
    const entries = await chart.locator('.legend').first().locator('li').allTextContents();
    // From the top of the stack down.
    assert.deepEqual(
      entries.map((entry) => entry.replace(/[\d.]+K?$/, '')),
      [
        'summaries',
        'tool results',
        'tool calls',
        'reasoning',
        'assistant',
        'user',
        'system prompt and tools',
        'as ContextView sends it',
      ],
    );
    assert.ok(entries.includes('tool results71.9K'));
    await close();
  });

  it('marks compactions and lost caches with their cause, and its buttons go from mark to mark', async () => {
    const picture = samplePicture();
    const marked = picture.threads[0].requests.flatMap(({ bust, begins }, place) =>
      bust !== null || begins !== null ? [place] : [],
    );
    const { close, page, chart } = await open(picture, { set: { request: 0 } });
    assert.equal(await chart.locator('.panel .loss').count(), 3, 'three causes, each with a sign of its own');
    assert.equal(await chart.locator('.panel .compaction-line').count(), 1);
    const marks = await page.getByRole('list', { name: 'Marks' }).getByRole('listitem').allTextContents();
    assert.deepEqual(marks.map((mark) => mark.replace(/\d.*$/, '')).sort(), [
      'cache lost in a pause',
      'cache lost to a compaction',
      'cache lost, cause unknown',
      'compaction: a new context',
    ]);
    assert.equal(await page.getByRole('button', { name: 'Previous mark' }).isDisabled(), true);
    const visited = [];
    for (const _ of marked) {
      await page.getByRole('button', { name: 'Next mark' }).click();
      visited.push(await chart.evaluate((/** @type {ContextChart} */ element) => element.request));
    }
    assert.deepEqual(visited, marked);
    assert.equal(await page.getByRole('button', { name: 'Next mark' }).isDisabled(), true);
    await close();
  });

  it('compares the policies’ costs at the chosen prices: of the request, up to it, and in total', async () => {
    const picture = samplePicture();
    const { leftAlone, view } = picture.threads[0].costs[0].policies;
    const sum = (/** @type {number[]} */ list) => list.reduce((all, one) => all + one, 0);
    const { close, page, chart, policy } = await open(picture, { set: { request: 38 } });
    const percent = `${((sum(view) / sum(leftAlone) - 1) * 100).toFixed(1)}%`.replace('-', '−');
    const [now, here, total, ratio] = await policy('ContextView');
    assert.equal(now, `$${((view[38] * 5) / 1e6).toPrecision(2)}`);
    assert.equal(here, `$${((sum(view.slice(0, 39)) * 5) / 1e6).toFixed(2)}`);
    assert.equal(total, `$${((sum(view) * 5) / 1e6).toFixed(2)}`);
    assert.equal(ratio, percent);
    assert.match(
      (await chart.locator('.policies').textContent()) ?? '',
      /paid for prompts \(known for 57 of 60 requests\)/,
    );
    await page.getByLabel('Prices').selectOption('anthropic');
    // The list “anthropic” has no dollars here and no paid costs.
    await page.getByText('Cost of prompts, without output (tokens at the base price of input)').waitFor();
    assert.equal(await chart.locator('.policies tbody tr').count(), 3);
    assert.equal(await chart.evaluate((/** @type {ContextChart} */ element) => element.prices), 'anthropic');
    await close();
  });

  it('draws a line with its own stroke for each policy, and cumulative costs if chosen', async () => {
    const { close, page, chart } = await open(samplePicture());
    const lines = chart.locator('.panel .policy');
    assert.equal(await lines.count(), 4);
    const strokes = await lines.evaluateAll((all) =>
      all.map((line) => `${getComputedStyle(line).strokeDasharray} ${getComputedStyle(line).strokeWidth}`),
    );
    assert.equal(new Set(strokes).size, 4);
    const before = await lines.first().getAttribute('d');
    await page.getByRole('combobox', { name: 'Cost' }).selectOption('summed up');
    await page.waitForFunction(
      (path) =>
        document.querySelector('context-chart')?.shadowRoot?.querySelector('.panel .policy')?.getAttribute('d') !==
        path,
      before,
    );
    // Cumulative costs never fall, and y is counted from the top.
    const heights = [...((await lines.first().getAttribute('d')) ?? '').matchAll(/V([\d.]+)/g)].map(([, y]) =>
      Number(y),
    );
    assert.ok(heights.length > 10 && heights.every((y, at) => at === 0 || y <= heights[at - 1]));
    await close();
  });

  it('describes the request under the pointer, then the chosen one again, and a click chooses', async () => {
    const { close, page, chart, reading } = await open(samplePicture(), { set: { request: 38 } });
    await chart.evaluate((element) =>
      element.addEventListener('request-change', () => element.setAttribute('data-moved', '')),
    );
    const panel = page.getByRole('img', { name: /^Tokens by kind over 60 requests/ });
    await panel.hover({ position: { x: 64, y: 100 } });
    assert.match((await reading.textContent()) ?? '', /^Request 1 of 60/);
    assert.equal(await chart.getAttribute('data-moved'), null);
    await page.mouse.move(2, 2);
    assert.match((await reading.textContent()) ?? '', /^Request 39 of 60/);
    await panel.click({ position: { x: 64, y: 100 } });
    await page.mouse.move(2, 2);
    await page.getByText(/^Request 1 of 60:/).waitFor();
    assert.equal(await chart.getAttribute('data-moved'), '');
    await close();
  });

  it('shows the same values as a table of fifty requests per page', async () => {
    const picture = samplePicture();
    const { chart, close, page } = await open(picture, { set: { request: 0 } });
    assert.equal(await page.getByRole('table').count(), 1, 'only the table of policies');
    await page.getByRole('button', { name: 'Show as a table' }).click();
    const table = page.getByRole('table', { name: 'Requests 1 to 50 of 60' });
    assert.equal(await table.getByRole('row').count(), 51);
    const row = table.getByRole('row').nth(43);
    const cells = await row.getByRole('cell').allTextContents();
    const request = picture.threads[0].requests[42];
    assert.equal(await row.getByRole('rowheader').textContent(), '43');
    assert.ok(
      cells.includes(request.tokens.toLocaleString('en')) && cells.includes(request.tokensView.toLocaleString('en')),
    );
    assert.equal(cells.at(-1), 'compaction: a new context; cache lost to a compaction: 13.3K tokens read again');
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Later requests' }).press('Enter');
    await page.getByRole('table', { name: 'Requests 51 to 60 of 60' }).waitFor();
    await page.getByRole('button', { name: 'Earlier requests', disabled: false }).and(page.locator(':focus')).waitFor();
    const shorter = samplePicture({ messages: 60, requests: 20 });
    await chart.evaluate((/** @type {any} */ element, value) => Object.assign(element, { picture: value }), shorter);
    await page.getByRole('table', { name: 'Requests 1 to 20 of 20' }).waitFor();
    await page.getByRole('button', { name: 'Hide the table' }).click();
    assert.equal(await page.getByRole('table').count(), 1);
    await close();
  });

  it('R8.1 shows names of kinds, models and price lists as text', async () => {
    const attack = '<img src=x onerror="document.title=1">\u202e';
    const picture = samplePicture({ messages: 12, requests: 4 });
    picture.kinds[2] = /** @type {any} */ (attack);
    for (const request of picture.threads[0].requests) request.model = attack;
    picture.threads[0].costs[1].prices = attack;
    const { close, page, chart } = await open(picture);
    await page.getByRole('button', { name: 'Show as a table' }).click();
    assert.ok((await page.getByText('<img src=x onerror="document.title=1">RLO').count()) >= 2);
    assert.equal(await chart.locator('img').count(), 0);
    assert.equal(await page.title(), 'A page');
    await close();
  });

  it('shows a text if there is no picture, no request or no cost, or the picture is invalid', async () => {
    const { close, page, chart } = await open(null);
    await page.getByText('No session to show yet.').waitFor();

    const picture = samplePicture({ messages: 8, requests: 2 });
    picture.threads[0].costs = [];
    await setProperties(chart, { picture });
    await page.getByText('No costs are known for this conversation.').waitFor();
    assert.equal(await page.getByLabel('Prices').isVisible(), false);
    await assertAccessible(page);
    Object.assign(picture.threads[0], { requests: [] });
    await setProperties(chart, { picture });
    await page.getByText('No request was sent in this conversation yet.').waitFor();
    await setProperties(chart, { picture: { version: 1, kinds: [] } });
    await page.getByText("tools isn't as").waitFor();
    await close();
  });

  it('draws a session of one request, and a request without tokens', async () => {
    const { close, chart } = await open(samplePicture({ messages: 1, requests: 1 }));
    assert.ok((await chart.locator('.panel path.area').count()) > 0);
    const empty = samplePicture({ messages: 1, requests: 1 });
    empty.threads[0].requests[0].tokensByKind = [];
    Object.assign(empty.threads[0].requests[0], { tokens: 0, tokensView: 0 });
    const [texts] = await chart.evaluate(async (/** @type {ContextChart} */ element, picture) => {
      element.picture = picture;
      await element.updateComplete;
      return [element.shadowRoot?.innerHTML ?? ''];
    }, empty);
    assert.doesNotMatch(texts, /NaN|Infinity/);
    await close();
  });

  for (const [name, options] of /** @type {const} */ ([
    ['in the dark', { scheme: 'dark' }],
    ['in Chinese at 360 pixels', { lang: 'zh-CN', width: 360 }],
    ['at 1,600 pixels', { width: 1_600 }],
    ['in forced colours', { isForced: true }],
  ])) {
    it(`is accessible and stays within the page ${name}`, async () => {
      const { close, page, chart } = await open(samplePicture({ zh: 'lang' in options, subAgents: 1 }), {
        ...options,
        set: { request: 38 },
      });
      if ('lang' in options) await page.getByText('历史保持原样').first().waitFor();
      await chart.locator('.data button').first().click();
      await assertAccessible(page);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing overflows');
      await close();
    });
  }

  it('has fewer than 350 nodes for 1,000 requests', async () => {
    const { close, chart } = await open(samplePicture({ messages: 3_000, requests: 1_000 }));
    assert.ok((await chart.evaluate((element) => element.shadowRoot?.querySelectorAll('*').length ?? 0)) < 350);
    await close();
  });

  it('shares its request with a <context-map> by request-change events, in both directions', async () => {
    const { close, page } = await browser.open('<context-map></context-map><context-chart></context-chart>', {
      height: 1_600,
    });
    await page.evaluate(async (picture) => {
      const elements =
        /** @type {(import('../../ui/elements.js').ContextMap | import('../../ui/elements.js').ContextChart)[]} */ ([
          ...document.querySelectorAll('context-map, context-chart'),
        ]);
      for (const element of elements) {
        element.picture = picture;
        element.addEventListener('request-change', (event) => {
          const { detail } = /** @type {import('../../ui/elements.js').RequestChangeEvent} */ (event);
          for (const other of elements) Object.assign(other, detail);
        });
      }
    }, samplePicture());
    await page.locator('context-map').getByRole('slider').press('Home');
    await page
      .locator('context-chart')
      .getByText(/^Request 1 of 60:/)
      .waitFor();
    await page.getByRole('button', { name: 'Next mark' }).click();
    await page
      .locator('context-map')
      .getByText(/^Request (?!1 )\d+ of 60/)
      .first()
      .waitFor();
    await close();
  });
});
