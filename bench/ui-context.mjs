// @ts-check
/**
 * `<context-map>` and `<context-chart>` in Chromium with a session of 5,000 messages and 1,000 requests: until they are seen, and a step of
 * the slider. `node bench/ui-context.mjs [--quick]` prints it.
 *
 * @import { Row } from './runner.mjs'
 * @import { Page } from 'playwright-core'
 */
import { fileURLToPath } from 'node:url';
import { BrowserPages } from '../__test__/support/browser.mjs';
import { samplePicture } from '../__test__/support/pictures.mjs';
import { findBrowser } from '../scripts/ensure-browser.mjs';
import { rowOf, table } from './runner.mjs';

export const title = 'Map and chart in the browser: 5,000 messages, 1,000 requests';

const FIRST_PAINT_MS = 200;
const STEP_MS = 16;

/**
 * @param {{ quick?: boolean, progress?: (work: string) => void }} [how]
 * @returns {AsyncGenerator<Row>} nothing where there is no Chromium
 */
export async function* rows({ quick = false, progress = () => {} } = {}) {
  const executablePath = findBrowser();
  if (executablePath === undefined) return;
  const pages = new BrowserPages(executablePath);
  await pages.start();
  try {
    for (const name of ['context-map', 'context-chart']) {
      progress(`<${name}>`);
      const { page, close } = await pages.open('', { width: 1_200, height: 900 });
      const paints = await firstPaints(page, name, quick ? 2 : 9);
      const steps = await sliderSteps(page, name, quick ? 50 : 400);
      await close();
      yield rowOf(`<${name}>: first paint`, { product: paints }, [
        { text: `≤ ${FIRST_PAINT_MS} ms`, met: ({ product = Number.NaN }) => product <= FIRST_PAINT_MS },
      ]);
      const slowest = [...steps].sort((a, b) => a - b)[Math.floor(steps.length * 0.95)] ?? Number.NaN;
      yield rowOf(`<${name}>: a step of the slider`, { product: steps }, [
        { text: `≤ ${STEP_MS} ms`, met: ({ product = Number.NaN }) => product <= STEP_MS },
      ]);
      yield rowOf(`<${name}>: 19 of 20 steps take at most`, { product: [slowest] });
    }
  } finally {
    await pages.stop();
  }
}

/** From the element's making, the picture parsed, until the browser has painted it. @param {Page} page @param {string} name @param {number} rounds */
function firstPaints(page, name, rounds) {
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
    { name, rounds, picture: samplePicture({ messages: 5_000, requests: 1_000, compacts: false }) },
  );
}

/** All that a step makes the page do: its own work, style and layout, and the canvas as it then is. @param {Page} page @param {string} name @param {number} steps */
function sliderSteps(page, name, steps) {
  return page.evaluate(
    async ({ name, steps }) => {
      const { document, requestAnimationFrame } = /** @type {any} */ (globalThis);
      const element = document.querySelector(name);
      const slider = element.shadowRoot.querySelector('input[type=range]');
      const context = element.shadowRoot.querySelector('.surface canvas')?.getContext('2d');
      const times = [];
      for (let step = 0; step < steps; step++) {
        // The later half of the session, where windows are large.
        slider.value = String(1_000 - (step % 500));
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
    { name, steps },
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const all = [];
  for await (const row of rows({ quick: process.argv.includes('--quick') })) all.push(row);
  process.stdout.write(`${title}\n\n${table(all)}\n`);
}
