// @ts-check
/** `<context-limit-dialog>`: the text of an overflow error, focus, and the events of its choices. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as palimpsest from 'palimpsest';
import { assertAccessible, describeInBrowser } from '../support/browser.mjs';

const { ContextLengthExceededError } = /** @type {any} */ (palimpsest);

describeInBrowser('<context-limit-dialog>', (browser) => {
  const error = (/** @type {'zh' | 'en'} */ language) =>
    new ContextLengthExceededError(5_472_941, 131_072, 'deepseek', { language }).toJSON();

  /** @param {any} given @param {import('../support/browser.mjs').PageOptions} [options] */
  async function show(given, options) {
    const body = '<button id="before">Send</button><context-limit-dialog></context-limit-dialog>';
    const opened = await browser.open(body, options);
    const { page } = opened;
    await page.locator('#before').focus();
    await page.locator('context-limit-dialog').evaluate((element, limit) => {
      const dispatched = /** @type {string[]} */ ([]);
      for (const name of ['new-session', 'compress-now', 'dialog-close'])
        element.addEventListener(name, () => dispatched.push(name));
      /** @type {any} */ (globalThis).dispatched = dispatched;
      /** @type {any} */ (element).show(limit);
    }, given);
    await page.getByRole('dialog').waitFor();
    const dispatched = () => page.evaluate(() => /** @type {any} */ (globalThis).dispatched);
    const focused = () => page.evaluate(() => document.activeElement?.id);
    return { ...opened, dialog: page.getByRole('dialog'), dispatched, focused };
  }

  it('shows the error’s message, suggestion and figures under a title', async () => {
    const { page, dialog, close } = await show(error('en'));
    const text = (await dialog.textContent()) ?? '';
    const { message, suggestion } = error('en');
    for (const words of [message, suggestion, '5,472,941 tokens', '131,072 tokens', '5,341,869 tokens too many']) {
      assert.ok(text.includes(words), words);
    }
    await page.getByRole('dialog', { name: 'The conversation is too long' }).waitFor();
    await assertAccessible(page);
    await close();
  });

  it('says in both languages by how many tokens the limit was exceeded, and nothing unless both figures show it', async () => {
    for (const [lang, words] of /** @type {const} */ ([
      ['en', '5,341,869 tokens too many'],
      ['zh', '超出 5,341,869 tokens'],
    ])) {
      const { page, dialog, close } = await show(error(lang), { lang });
      const excess = dialog.locator('.over');
      assert.equal(await excess.textContent(), words);
      for (const [requested, max, texts] of /** @type {const} */ ([
        [131_072, 131_072, []],
        [1, 131_072, []],
        [5_472_941, null, []],
        [null, 131_072, []],
        [null, null, []],
        [5_472_941, 131_072, [words]],
      ])) {
        for (const limit of [{ requestedTokens: requested, maxTokens: max }, { details: { requested, max } }]) {
          await page.locator('context-limit-dialog').evaluate(async (element, given) => {
            await Object.assign(/** @type {any} */ (element), { error: given }).updateComplete;
          }, limit);
          assert.deepEqual(await excess.allTextContents(), texts, JSON.stringify(limit));
        }
      }
      await close();
    }
  });

  it('is modal: it focuses the first choice, Tab stays inside, and Escape closes it and returns the focus', async () => {
    const { page, dispatched, focused, close } = await show(error('zh'), { lang: 'zh' });
    const within = () =>
      page.evaluate(() => document.querySelector('context-limit-dialog')?.shadowRoot?.activeElement?.textContent);
    assert.equal(await within(), '新开会话');
    for (let presses = 0; presses < 5; presses++) {
      await page.keyboard.press('Tab');
      assert.notEqual(await focused(), 'before');
    }
    await page.keyboard.press('Escape');
    assert.equal(await focused(), 'before');
    await page.waitForFunction(() => /** @type {any} */ (globalThis).dispatched.includes('dialog-close'));
    assert.deepEqual(await dispatched(), ['dialog-close']);
    assert.equal(await page.locator('context-limit-dialog').getAttribute('open'), null);
    await close();
  });

  it('dispatches the chosen event, and stays open while the application is busy after preventDefault', async () => {
    const { page, dialog, dispatched, close } = await show(error('en'));
    await page.locator('context-limit-dialog').evaluate((element) =>
      element.addEventListener('compress-now', (event) => {
        event.preventDefault();
        /** @type {any} */ (element).busy = true;
      }),
    );
    await page.getByRole('button', { name: 'Compress now' }).click();
    await page.getByRole('button', { name: 'Compressing…' }).waitFor();
    assert.ok(await page.getByRole('button', { name: 'New session' }).isDisabled());
    assert.ok(await dialog.isVisible());
    await page.locator('context-limit-dialog').evaluate((element) => Object.assign(element, { busy: false }));
    await page.getByRole('button', { name: 'New session' }).click();
    await page.waitForFunction(() => /** @type {any} */ (globalThis).dispatched.includes('dialog-close'));
    assert.deepEqual(await dispatched(), ['compress-now', 'new-session', 'dialog-close']);
    await close();
  });

  it('takes an application’s own event of the error, shows no bar without a maximum, and HTML as text', async () => {
    const message = '<img src=x onerror="document.title=\'owned\'">';
    const { page, dialog, close } = await show({ message, details: { requested: 10, max: null } }, { width: 360 });
    assert.ok((await dialog.textContent())?.includes(message));
    assert.ok((await dialog.textContent())?.includes('10 tokens'));
    assert.equal(await dialog.locator('.track').count(), 0);
    assert.equal(await page.title(), 'A page');
    await close();
  });
});
