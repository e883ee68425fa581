// @ts-check
/** Map and chart as docs/elements.md shows them; `PALIMPSEST_PICTURES=true` writes these pictures again. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeInBrowser, takePicture } from '../support/browser.mjs';
import { samplePicture } from '../support/pictures.mjs';

describeInBrowser('the pictures of <context-map> and <context-chart> in docs/elements.md', (browser) => {
  /** @param {string} name @param {import('../support/browser.mjs').PageOptions} options @param {Record<string, unknown>} [set] */
  function show(name, options, set = {}) {
    const picture = samplePicture({ zh: options.lang !== undefined });
    return browser.openElement(name, { picture, request: 38, ...set }, { height: 1_000, ...options });
  }

  it('show the map with its rows, reading line and legend in sight', async () => {
    const { element, close } = await show('context-map', { width: 800 });
    await element.getByRole('listbox').hover({ position: { x: 700, y: 40 } });
    for (const part of ['.summary', '.surface', '.reading', '.legend', '.legend.marks']) {
      const box = await element.locator(part).first().boundingBox();
      assert.ok(box !== null && box.height > 15 && box.y + box.height < 900, part);
    }
    await takePicture(element, 'context-map');
    await close();
  });

  it('show an opened message as stored and as sent side by side, in the dark', async () => {
    const picture = samplePicture();
    const place = picture.threads[0].cells.findIndex(
      ({ tool, replacedFrom }) => tool === 0 && replacedFrom !== null && replacedFrom <= 38,
    );
    const { page, element, close } = await show(
      'context-map',
      { width: 800, scheme: 'dark' },
      { sizes: 'stored', shows: 'view' },
    );
    await element.evaluate((map) => {
      /** @type {any} */ (map).load = () => ({
        stored: 'fn main() {\n    let schedule = Schedule::new();\n    schedule.run();\n}\n',
      });
    });
    const list = element.getByRole('listbox');
    await list.focus();
    for (let step = 0; step <= place; step++) await list.press('ArrowRight');
    await list.press('Enter');
    const [stored, sent] = await Promise.all(
      ['As stored', 'As sent'].map((name) => page.getByRole('group', { name }).boundingBox()),
    );
    assert.ok(stored !== null && sent !== null && stored.y === sent.y && stored.x + stored.width < sent.x);
    await takePicture(element, 'context-map-opened-dark');
    await close();
  });

  it('show the chart with both panels and the table of policies', async () => {
    const { element, close } = await show('context-chart', { width: 800, height: 1_200 });
    for (const part of ['.panel', '.loss', '.policies', '.panel .policy']) {
      assert.ok((await element.locator(part).first().boundingBox()) !== null, part);
    }
    await takePicture(element, 'context-chart');
    await close();
  });

  it('show the chart in Chinese on a narrow page without anything cut off', async () => {
    const { page, element, close } = await show('context-chart', { width: 360, lang: 'zh-CN' });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    const table = await element
      .locator('.scroller')
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    assert.ok(table <= 0, `the table of policies is ${table} px wider than the page`);
    await takePicture(element, 'context-chart-zh');
    await close();
  });
});
