// @ts-check
/** `<tool-progress>`: its bar, text, time and language. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertAccessible, describeInBrowser } from '../support/browser.mjs';

describeInBrowser('<tool-progress>', (browser) => {
  /** @param {string} [body] @param {import('../support/browser.mjs').PageOptions} [options] */
  const open = (body = '<tool-progress></tool-progress>', options = {}) => browser.open(body, options);
  const event = { tool: 'image_generate', stage: 'generating', message: 'Generating… 5s', progress: 34.4 };

  it('shows an event of runWithProgress as a bar, a text and a time, with values for a screen reader', async () => {
    const { page, close } = await open();
    const progress = page.locator('tool-progress');
    await progress.evaluate(
      (element, given) => Object.assign(element, { event: given, startedAt: Date.now() - 65_000 }),
      event,
    );
    const bar = page.getByRole('progressbar', { name: 'image_generate' });
    assert.equal(await bar.getAttribute('aria-valuenow'), '34');
    assert.equal(await bar.getAttribute('aria-valuetext'), '34% Generating… 5s');
    assert.match((await progress.locator('.words').textContent()) ?? '', /Generating… 5s *1 min \d s so far/);
    await assertAccessible(page);
    await progress.evaluate((element) =>
      Object.assign(element, { event: { stage: 'complete', message: 'Done', progress: 100 } }),
    );
    assert.equal(await bar.getAttribute('aria-valuenow'), '100');
    assert.doesNotMatch((await progress.locator('.words').textContent()) ?? 'none', /so far/);
    await close();
  });

  it('has no value while progress is unknown, and at most 100', async () => {
    const { page, close } = await open('<tool-progress message="Waiting"></tool-progress>');
    const bar = page.getByRole('progressbar');
    assert.equal(await bar.getAttribute('aria-valuenow'), null);
    await page.locator('tool-progress').evaluate((element) => element.setAttribute('value', '250'));
    assert.equal(await bar.getAttribute('aria-valuenow'), '100');
    await close();
  });

  it('uses the language of its ancestor, also after that changes', async () => {
    const { page, close } = await open('<section lang="zh-CN"><tool-progress></tool-progress></section>');
    const bar = page.getByRole('progressbar');
    await page.getByRole('progressbar', { name: '进度' }).waitFor({ state: 'attached' });
    assert.equal(await bar.getAttribute('aria-label'), '进度');
    await page.locator('section').evaluate((section) => section.setAttribute('lang', 'en-GB'));
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor({ state: 'attached' });
    assert.equal(await bar.getAttribute('aria-label'), 'Progress');
    await close();
  });

  it('uses a property that was set before the element was defined', async () => {
    const scripts = { '/early.js': `document.querySelector('tool-progress').event = ${JSON.stringify(event)};` };
    const { page, close } = await open('<tool-progress></tool-progress><script src="/early.js"></script>', { scripts });
    await page.getByText('Generating… 5s').first().waitFor();
    assert.equal(await page.getByRole('progressbar').getAttribute('aria-valuetext'), '34% Generating… 5s');
    await close();
  });
});
