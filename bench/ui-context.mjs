// @ts-check
/**
 * `<context-map>` and `<context-chart>` in Chromium with a session of 5,000 messages and 1,000 requests: time to first
 * paint, and time of a slider step. Run `node bench/ui-context.mjs [--quick] [requests]`; with 2,500 requests there are
 * 12,500 messages.
 *
 * @import { Row } from './runner.mjs'
 * @import { Page } from 'playwright-core'
 */
import { fileURLToPath } from 'node:url';
import { BrowserPages } from '../__test__/support/browser.mjs';
import { samplePicture } from '../__test__/support/pictures.mjs';
import { findBrowser } from '../scripts/find-program.mjs';
import { quantile, rowOf, table, within } from './runner.mjs';

export const title = 'Map and chart in the browser: 5,000 messages, 1,000 requests';

const REQUESTS = 1_000;
const MESSAGES_A_REQUEST = 5;
const FIRST_PAINT_MS = 200;
const STEP_MS = 16;

/**
 * @param {{ quick?: boolean, requests?: number, progress?: (work: string) => void }} [options]
 * @returns {AsyncGenerator<Row>} no rows if there is no Chromium
 */
export async function* rows({ quick = false, requests = REQUESTS, progress = () => {} } = {}) {
  const executablePath = findBrowser();
  if (executablePath === undefined) return;
  const pages = new BrowserPages(executablePath);
  await pages.start();
  try {
    for (const name of ['context-map', 'context-chart']) {
      progress(`<${name}>`);
      const { page, close } = await pages.open('', { width: 1_200, height: 900 });
      const paints = await firstPaints(page, name, quick ? 2 : 9, requests);
      const inspector = await page.context().newCDPSession(page);
      await inspector.send('Performance.enable', { timeDomain: 'threadTicks' });
      const before = await taskMs(inspector);
      const steps = await sliderSteps(page, name, quick ? 50 : 400, requests);
      const cpuMs = ((await taskMs(inspector)) - before) / steps.length;
      await close();
      yield rowOf(`<${name}>: first paint`, { product: paints }, [within(FIRST_PAINT_MS)]);
      yield rowOf(`<${name}>: a step of the slider`, { product: steps }, [within(STEP_MS)]);
      yield rowOf(`<${name}>: 19 of 20 steps take at most`, { product: [quantile(steps, 0.95)] });
      yield rowOf(`<${name}>: a step takes of the page’s thread`, { product: [cpuMs] });
    }
  } finally {
    await pages.stop();
  }
}

/**
 * CPU time of the page's thread so far, unaffected by other load on the machine.
 * @param {import('playwright-core').CDPSession} inspector
 */
async function taskMs(inspector) {
  const { metrics } = await inspector.send('Performance.getMetrics');
  return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
}

/**
 * Time from creating the element, with the picture already parsed, to the browser's paint.
 * @param {Page} page @param {string} name @param {number} rounds @param {number} requests
 */
function firstPaints(page, name, rounds, requests) {
  const picture = samplePicture({ messages: requests * MESSAGES_A_REQUEST, requests, compacts: false });
  return page.evaluate(
    async ({ name, rounds, picture }) => {
      const { document, requestAnimationFrame } = /** @type {any} */ (globalThis);
      const times = [];
      for (let round = 0; round < rounds; round++) {
        document.querySelector(name)?.remove();
        await new Promise((resolve) => setTimeout(resolve, 50));
        const start = performance.now();
        const element = document.createElement(name);
        element.picture = picture;
        document.querySelector('main').append(element);
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        times.push(performance.now() - start);
      }
      return times;
    },
    { name, rounds, picture },
  );
}

/**
 * The page's total work for a step: script, style, layout and painting of the canvas.
 * @param {Page} page @param {string} name @param {number} steps @param {number} requests
 */
function sliderSteps(page, name, steps, requests) {
  return page.evaluate(
    async ({ name, steps, requests }) => {
      const { document, requestAnimationFrame } = /** @type {any} */ (globalThis);
      const element = document.querySelector(name);
      const slider = element.shadowRoot.querySelector('input[type=range]');
      const context = element.shadowRoot.querySelector('.surface canvas')?.getContext('2d');
      const times = [];
      for (let step = 0; step < steps; step++) {
        // Use the later half of the session, where requests are large.
        slider.value = String(requests - (step % (requests / 2)));
        const start = performance.now();
        slider.dispatchEvent(new Event('input'));
        await element.updateComplete;
        element.getBoundingClientRect();
        context?.getImageData(0, 0, 1, 1);
        times.push(performance.now() - start);
        if (step % 20 === 0) await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return times;
    },
    { name, steps, requests },
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const all = [];
  const requests = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? REQUESTS);
  for await (const row of rows({ quick: process.argv.includes('--quick'), requests })) all.push(row);
  process.stdout.write(`Map and chart in the browser, ${requests} requests\n\n${table(all)}\n`);
}
