// @ts-check
/** The states of the elements that docs/elements.md shows; `PALIMPSEST_PICTURES=true` writes these pictures again. */
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { compressedRecording } from '../../examples/elements/session.mjs';
import { describeInBrowser, takePicture } from '../support/browser.mjs';
import { compressedSession } from '../support/compressed-sessions.mjs';

describeInBrowser('the other pictures of docs/elements.md', (browser) => {
  /** @type {any[]} */
  let recording;
  before(async () => {
    recording = await compressedRecording();
  });

  /** @param {any[]} messages @param {import('../support/browser.mjs').PageOptions} options */
  async function show(messages, options) {
    const opened = await browser.openElement('compression-history', { messages }, { height: 720, ...options });
    const history = opened.element;
    await history.locator('.disclosure').first().waitFor();
    return { ...opened, history };
  }

  it('show a history whose folded compressions have their figures and summary in sight', async () => {
    const { messages } = await compressedSession();
    const { history, close } = await show(messages, { width: 800 });
    for (const part of ['.counts', '.figures', '.summary', '.disclosure']) {
      const box = await history.locator(part).first().boundingBox();
      assert.ok(box !== null && box.y < 650, part);
    }
    await takePicture(history, 'compression-history');
    await close();
  });

  it('show an open compression with its first originals, in the dark', async () => {
    const { history, close } = await show(recording, { width: 800, scheme: 'dark' });
    await history.locator('.disclosure').first().click();
    await history.locator('article[aria-posinset="4"]').waitFor();
    await takePicture(history, 'compression-history-open-dark');
    await close();
  });

  it('show a search in Chinese on a narrow page with the match in sight', async () => {
    const { messages } = await compressedSession({ language: 'zh' });
    const { page, history, close } = await show(messages, { width: 360, lang: 'zh-CN' });
    await page.getByRole('searchbox').fill('验证码');
    await history.getByText(/^第 – 个/).waitFor();
    await page.keyboard.press('Enter');
    const box = await history.locator('mark.current').boundingBox();
    assert.ok(box !== null && box.y > 100 && box.y < 650, JSON.stringify(box));
    await takePicture(history, 'compression-history-search-zh');
    await close();
  });

  it('show <tool-progress> and <context-limit-dialog>', async () => {
    const { page, close } = await browser.open(
      '<tool-progress></tool-progress><context-limit-dialog></context-limit-dialog>',
      { width: 560, height: 420 },
    );
    await page.locator('tool-progress').evaluate((element) =>
      Object.assign(element, {
        startedAt: Date.now() - 25_000,
        event: { tool: 'image_generate', message: 'Generating… 25s', progress: 54 },
      }),
    );
    await page.locator('tool-progress').getByText('25 s so far').waitFor();
    await takePicture(page.locator('tool-progress'), 'tool-progress');
    await page.locator('context-limit-dialog').evaluate((element) =>
      /** @type {any} */ (element).show({
        message: 'The conversation is longer than the model’s context window.',
        suggestion: 'Start a new session to go on.',
        requestedTokens: 182_400,
        maxTokens: 131_072,
      }),
    );
    assert.ok(await page.getByRole('dialog').isVisible());
    await takePicture(page, 'context-limit-dialog');
    await close();
  });
});
