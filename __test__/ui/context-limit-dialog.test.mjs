// @ts-check
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
      const heard = /** @type {string[]} */ ([]);
      for (const name of ['new-session', 'compress-now', 'dialog-close'])
        element.addEventListener(name, () => heard.push(name));
      /** @type {any} */ (globalThis).heard = heard;
      /** @type {any} */ (element).show(limit);
    }, given);
    await page.getByRole('dialog').waitFor();
    const heard = () => page.evaluate(() => /** @type {any} */ (globalThis).heard);
    const focused = () => page.evaluate(() => document.activeElement?.id);
    return { ...opened, dialog: page.getByRole('dialog'), heard, focused };
  }

  it('says what the error says, with its figures, under its title', async () => {
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

  it('is modal: the first choice has the focus, Tab stays inside, Escape closes, and the focus goes back', async () => {
    const { page, heard, focused, close } = await show(error('zh'), { lang: 'zh' });
    const within = () =>
      page.evaluate(() => document.querySelector('context-limit-dialog')?.shadowRoot?.activeElement?.textContent);
    assert.equal(await within(), '新开会话');
    for (let presses = 0; presses < 5; presses++) {
      await page.keyboard.press('Tab');
      assert.notEqual(await focused(), 'before');
    }
    await page.keyboard.press('Escape');
    assert.equal(await focused(), 'before');
    await page.waitForFunction(() => /** @type {any} */ (globalThis).heard.includes('dialog-close'));
    assert.deepEqual(await heard(), ['dialog-close']);
    assert.equal(await page.locator('context-limit-dialog').getAttribute('open'), null);
    await close();
  });

  it('tells the host what was chosen, and stays open while the host works if that wants it', async () => {
    const { page, dialog, heard, close } = await show(error('en'));
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
    await page.waitForFunction(() => /** @type {any} */ (globalThis).heard.includes('dialog-close'));
    assert.deepEqual(await heard(), ['compress-now', 'new-session', 'dialog-close']);
    await close();
  });

  it('takes the event that a host makes of the error, shows no figures where there are none, and text as text', async () => {
    const message = '<img src=x onerror="document.title=\'owned\'">';
    const { page, dialog, close } = await show({ message, details: { requested: 10, max: null } }, { width: 360 });
    assert.ok((await dialog.textContent())?.includes(message));
    assert.ok((await dialog.textContent())?.includes('10 tokens'));
    assert.equal(await dialog.locator('.track').count(), 0);
    assert.equal(await page.title(), 'A page');
    await close();
  });
});
