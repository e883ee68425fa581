// @ts-check
/** The pages of `examples/elements`, under a strict Content-Security-Policy. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PAGES, servePage } from '../../examples/elements/serve.mjs';
import { assertAccessible, describeInBrowser } from '../support/browser.mjs';

describeInBrowser('the example pages', (browser) => {
  for (const name of PAGES) {
    it(`${name} shows the session, handles the elements' events, and opens the dialog`, async () => {
      const { url, close: closeServer } = await servePage(name);
      try {
        const { page, close } = await browser.visit(url, { height: 900 });
        await page.getByText('3 compressions').waitFor();
        await page.locator('.disclosure').first().click();
        await page.getByText(/^Opened level 3: \d+ messages$/).waitFor();
        await page.getByRole('slider').press('Home');
        await page
          .locator('context-chart')
          .getByText(/^Request 1 of \d+/)
          .first()
          .waitFor();
        await page.getByRole('listbox', { name: 'What request 1 sends' }).waitFor();
        await assertAccessible(page);
        await page.locator('#too-long').click();
        await page.getByRole('dialog').getByText('180,000 tokens').waitFor();
        await page.getByRole('button', { name: 'New session' }).click();
        await page.getByText('A new session', { exact: true }).waitFor();
        assert.equal(await page.getByRole('dialog').count(), 0);
        await close();
      } finally {
        await closeServer();
      }
    });
  }
});
