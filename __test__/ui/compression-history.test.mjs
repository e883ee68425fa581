// @ts-check
/** `<compression-history>`: compressions with their figures and originals, search, keyboard, accessibility, growth. */
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { assertAccessible, describeInBrowser } from '../support/browser.mjs';
import { compressedSession, longHistory } from '../support/compressed-sessions.mjs';

/** @typedef {import('../support/browser.mjs').PageOptions} PageOptions */

describeInBrowser('REQ-3.7 <compression-history>', (browser) => {
  /** @type {Awaited<ReturnType<typeof compressedSession>>} */
  let session;
  before(async () => {
    session = await compressedSession();
  });

  /** A page that shows these messages. @param {any[]} messages @param {PageOptions} [options] */
  async function show(messages, options) {
    const opened = await browser.open('<compression-history></compression-history>', options);
    const history = opened.page.locator('compression-history');
    await history.evaluate((element, given) => {
      const events = /** @type {any[]} */ ([]);
      for (const name of [
        'point-expand',
        'point-collapse',
        'message-activate',
        'message-copy',
        'history-error',
        'expand-all',
        'collapse-all',
      ]) {
        element.addEventListener(name, (event) => events.push([name, /** @type {CustomEvent} */ (event).detail]));
      }
      return Object.assign(element, { messages: given, events });
    }, messages);
    const points = history.locator('article.point');
    const events = () => history.evaluate((element) => JSON.parse(JSON.stringify(/** @type {any} */ (element).events)));
    return { ...opened, history, points, events };
  }

  it('shows a compression’s summary, time, messages and tokens before and after, saved tokens, model and level', async () => {
    const { history, points, close } = await show(session.messages);
    const { compression, compressedAt } = session.messages.find(({ isCompressed }) => isCompressed);
    const text = (await points.first().textContent()) ?? '';
    const count = (/** @type {number} */ value) => value.toLocaleString('en');
    const { beforeCount, afterCount, tokensBefore, tokensAfter, model, level } = compression;
    assert.match(text, new RegExp(`Summarised · level ${level}`));
    assert.ok(text.includes(`${beforeCount} → ${afterCount} messages`), text);
    assert.ok(text.includes(`${count(tokensBefore)} → ${count(tokensAfter)} tokens`), text);
    assert.ok(text.includes(`${count(tokensBefore - tokensAfter)} saved`), text);
    assert.ok(text.includes(model), text);
    assert.ok(text.includes('Repair the login page'), text);
    assert.equal(await points.first().locator('time').getAttribute('datetime'), new Date(compressedAt).toISOString());
    const originals = session.originals.length;
    assert.ok((await history.locator('.counts').textContent())?.startsWith(`${originals} messages · 3 compressions`));
    await close();
  });

  it('opens and closes the originals of each level, and dispatches point-expand and point-collapse', async () => {
    const { history, points, events, close } = await show(session.messages);
    const shownCount = () =>
      history.evaluate((element) => Number(element.shadowRoot?.querySelector('article')?.getAttribute('aria-setsize')));
    const folded = await shownCount();
    const disclosure = points.first().locator('.disclosure');
    assert.equal(await disclosure.getAttribute('aria-expanded'), 'false');
    await disclosure.click();
    assert.equal(await disclosure.getAttribute('aria-expanded'), 'true');
    const { id, messageCount } = session.messages.find(({ isCompressed }) => isCompressed).compression;
    assert.equal(await shownCount(), folded + messageCount + 1, 'the originals and the row at their end');
    await points.nth(1).locator('.disclosure').click();
    await points.nth(2).locator('.disclosure').click();
    await history.getByText('Step 1: I look at how the form is handled.').waitFor();
    await history.locator('.scroller').evaluate((element) => element.scrollTo(0, 0));
    await history.locator('article[aria-posinset="2"] .disclosure').click();
    assert.equal(await shownCount(), folded);
    const dispatched = await events();
    assert.deepEqual(
      dispatched.map((/** @type {any} */ [name]) => name),
      ['point-expand', 'point-expand', 'point-expand', 'point-collapse'],
    );
    assert.equal(dispatched[0][1].id, id);
    await close();
  });

  it('shows all originals after “Expand all”, and one compression after “Collapse all”', async () => {
    const { history, points, page, close } = await show(session.messages);
    await page.getByRole('button', { name: 'Expand all' }).click();
    for (const text of ['Step 1: I look', 'Step 42: I look']) {
      await page.getByRole('searchbox').fill(text);
      await history.getByText('1 of 1').or(history.getByText('– of 1')).waitFor();
    }
    await page.getByRole('button', { name: 'Collapse all' }).click();
    assert.equal(await points.count(), 1);
    await close();
  });

  it('labels a cut at the hard limit as a cut, and opens to its originals', async () => {
    const cut = await compressedSession({ rounds: 2, isCut: true });
    const { points, history, close } = await show(cut.messages);
    assert.match((await points.first().textContent()) ?? '', /^Cut at the hard limit/);
    await points.first().locator('.disclosure').click();
    await history.getByText('Step 1: I look').waitFor();
    assert.ok(cut.messages.some(({ compression }) => compression?.kind === 'truncation'));
    await close();
  });

  it('finds and counts words in folded messages, scrolls to a match, and searches added messages', async () => {
    const { page, history, close } = await show(session.messages);
    await page.getByRole('searchbox', { name: 'Search in all messages' }).fill('STEP 3: I look');
    await history.getByText('– of 1').waitFor();
    await page.keyboard.press('Enter');
    await history.getByText('1 of 1').waitFor();
    const mark = history.locator('mark.current');
    assert.equal(await mark.textContent(), 'Step 3: I look');
    assert.ok(await mark.isVisible());
    await page.getByRole('searchbox').fill('nothing of the kind (');
    await history.getByText('No match').waitFor();
    await history.evaluate((element) => {
      const self = /** @type {any} */ (element);
      self.messages = [...self.messages, { role: 'user', content: 'Nothing of the kind (yet)' }];
    });
    await history.getByText('– of 1').waitFor();
    await close();
  });

  it('can be used with the keyboard only: rows, levels, messages, search', async () => {
    const { page, history, points, events, close } = await show(session.messages);
    const focused = () =>
      history.evaluate((element) => element.shadowRoot?.activeElement?.getAttribute('aria-label') ?? '');
    for (let presses = 0; presses < 12 && !(await focused()).startsWith('System'); presses++)
      await page.keyboard.press('Tab');
    assert.equal(await focused(), 'System');
    await page.keyboard.press('ArrowDown');
    assert.match(await focused(), /^Summarised/);
    await page.keyboard.press('ArrowRight');
    assert.equal(await points.first().locator('.disclosure').getAttribute('aria-expanded'), 'true');
    assert.match(await focused(), /^Summarised/);
    await page.keyboard.press('ArrowRight');
    assert.notEqual(await focused(), '', 'a row of the originals has the focus');
    await page.keyboard.press('ArrowLeft');
    assert.match(await focused(), /^Summarised · level 3/, 'the compression has the focus again');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await points.first().locator('.disclosure').getAttribute('aria-expanded'), 'false');
    await page.keyboard.press('End');
    assert.equal(await focused(), 'User');
    await page.keyboard.press('Enter');
    const [name, detail] = (await events()).at(-1);
    assert.equal(name, 'message-activate');
    assert.deepEqual(detail.message, session.messages.at(-1));
    await page.keyboard.press('Control+f');
    assert.equal(await focused(), 'Search in all messages');
    await close();
  });

  it('dispatches message-copy with the text of the message, and a page can prevent its default', async () => {
    const { page, history, events, close } = await show(session.messages);
    await history.evaluate((element) => element.addEventListener('message-copy', (event) => event.preventDefault()));
    await history.locator('article').first().hover();
    await page.getByRole('button', { name: 'Copy' }).first().click();
    assert.deepEqual((await events()).at(-1), ['message-copy', { text: session.messages[0].content }]);
    await close();
  });

  it('shows every field of a message as JSON', async () => {
    const { page, history, close } = await show(session.messages);
    const row = history.locator('article[aria-posinset="4"]');
    await row.hover();
    await row.getByRole('button', { name: 'JSON' }).click();
    const json = await history.locator('.json').textContent();
    assert.deepEqual(JSON.parse(json ?? ''), session.messages[3]);
    await page.getByRole('button', { name: 'Text' }).waitFor();
    await close();
  });

  for (const { lang, scheme, width } of /** @type {const} */ ([
    { lang: 'en', scheme: 'light', width: 800 },
    { lang: 'zh', scheme: 'dark', width: 360 },
    { lang: 'zh-CN', scheme: 'light', width: 1600 },
  ])) {
    it(`is accessible by axe-core’s rules, and no wider than the page: ${lang}, ${scheme}, ${width} px`, async () => {
      const { messages } = await compressedSession({ rounds: 2, language: lang === 'en' ? 'en' : 'zh' });
      const { page, points, history, close } = await show(messages, { lang, scheme, width });
      await points.first().locator('.disclosure').click();
      await history.evaluate((element) => /** @type {any} */ (element).search('8443'));
      await assertAccessible(page);
      const tooWide = await history.evaluate((element) => {
        const all = [...(element.shadowRoot?.querySelectorAll('*') ?? [])];
        return all
          .filter(
            (one) =>
              !one.classList.contains('visually-hidden') && one.getBoundingClientRect().right > window.innerWidth + 1,
          )
          .map((one) => one.className);
      });
      assert.deepEqual(tooWide, []);
      assert.match(
        (await history.locator('.counts').textContent()) ?? '',
        lang === 'en' ? /2 compressions/ : /2 次压缩/,
      );
      await close();
    });
  }

  it('has fewer than 600 nodes for 5,000 messages, folded and open', async () => {
    const { page, history, points, close } = await show(longHistory(5_000, 20));
    const nodes = () => history.evaluate((element) => element.shadowRoot?.querySelectorAll('*').length ?? 0);
    const rows = () =>
      history.evaluate((element) => Number(element.shadowRoot?.querySelector('article')?.getAttribute('aria-setsize')));
    assert.equal(await rows(), 520);
    assert.ok((await nodes()) < 600, `${await nodes()} nodes`);
    await points.first().locator('.disclosure').click();
    assert.equal(await rows(), 520 + 225 + 1);
    await page.getByRole('button', { name: 'Expand all' }).click();
    assert.equal(await rows(), 5_000 + 40);
    assert.ok((await nodes()) < 600, `${await nodes()} nodes`);
    await history.locator('article').first().focus();
    await page.keyboard.press('End');
    await history.getByText('message 4999:').waitFor();
    assert.ok((await nodes()) < 600, `${await nodes()} nodes`);
    await close();
  });

  it('keeps its scroll position while the conversation grows, and follows the end if it is at the end', async () => {
    const messages = longHistory(200, 2);
    const { page, history, close } = await show(messages.slice(0, -2));
    const scroller = history.locator('.scroller');
    const grow = (/** @type {any[]} */ given) =>
      history.evaluate((element, now) => {
        const self = /** @type {any} */ (element);
        self.messages = [...self.messages, ...now];
        return self.updateComplete;
      }, given);
    const first = history.locator('article').first();
    await first.evaluate((element) => element.setAttribute('data-same', 'yes'));
    await grow(messages.slice(-2, -1));
    assert.equal(await first.getAttribute('data-same'), 'yes', 'the existing row is kept');
    assert.equal(await scroller.evaluate((element) => element.scrollTop), 0);
    await first.focus();
    await page.keyboard.press('End');
    await page.waitForTimeout(100);
    await grow(messages.slice(-1));
    await history.getByText('message 199:').waitFor();
    await page.waitForTimeout(100);
    const left = await scroller.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
    assert.ok(left < 30, `${left} px below`);
    await close();
  });

  it('updates when a compression replaces messages, and after refresh() when messages are changed in place', async () => {
    const { history, points, close } = await show(session.originals.slice(0, 20));
    assert.equal(await points.count(), 0);
    await history.evaluate((element, given) => Object.assign(element, { messages: given }), session.messages);
    await points.first().waitFor();
    await history.evaluate((element) => {
      const self = /** @type {any} */ (element);
      self.messages[0].content = 'another prompt';
      self.messages.push({ role: 'user', content: 'the newest' });
      self.refresh();
    });
    await history.getByText('another prompt').waitFor();
    const count = await history.locator('article').first().getAttribute('aria-setsize');
    assert.equal(count, String(session.messages.length + 1));
    await close();
  });

  it('shows “No messages yet.” for an empty array, and for a value that is not an array', async () => {
    const { history, close } = await show([]);
    await history.getByText('No messages yet.').waitFor();
    await history.evaluate((element) => Object.assign(element, { messages: null }));
    await history.getByText('No messages yet.').waitFor();
    await close();
  });
});
