// @ts-check
/**
 * Delays of `<compression-history>` in Chromium with 5,000 messages and 20 compressions: time to first paint, time from
 * a click on a compression to the paint with its originals, time of a search step, and the page's memory. Without
 * Chromium there are no rows.
 */
import { BrowserPages } from '../__test__/support/browser.mjs';
import { longHistory } from '../__test__/support/compressed-sessions.mjs';
import { findBrowser } from '../scripts/find-program.mjs';
import { rowOf, within } from './runner.mjs';

export const title = 'Compression history in a browser, 5,000 messages and 20 compressions';

const MESSAGES = 5_000;
const COMPRESSIONS = 20;

/**
 * Runs in the page and measures the time until the frame that shows the result.
 * @param {any} element @param {'show' | 'open' | 'all' | 'search' | 'step'} name
 */
async function timeInPage(element, name) {
  const page = /** @type {any} */ (globalThis);
  const actions = {
    show: () => Object.assign(element, { messages: page.given }),
    open: () => element.shadowRoot.querySelector('.disclosure').click(),
    all: () => element.expandAll(),
    search: () => element.search('message 4321'),
    step: () => element.shadowRoot.querySelectorAll('.search button')[1].click(),
  };
  const painted = () => new Promise((done) => page.requestAnimationFrame(() => setTimeout(done)));
  await painted();
  const start = performance.now();
  await actions[name]();
  await element.updateComplete;
  await painted();
  return performance.now() - start;
}

/**
 * @param {{ quick: boolean, progress: (work: string) => void }} run
 * @returns {AsyncGenerator<import('./runner.mjs').Row>}
 */
export async function* rows({ quick, progress }) {
  const executablePath = findBrowser();
  if (executablePath === undefined) return progress('no Chromium found, nothing to measure');
  const pages = new BrowserPages(executablePath);
  await pages.start();
  try {
    /** @type {Record<'show' | 'open' | 'all' | 'search' | 'step' | 'memory', number[]>} */
    const taken = { show: [], open: [], all: [], search: [], step: [], memory: [] };
    for (let round = 0; round < (quick ? 1 : 5); round++) {
      progress(`page ${round + 1}`);
      const { page, close } = await pages.open('<compression-history></compression-history>');
      const history = page.locator('compression-history');
      await page.evaluate((given) => Object.assign(globalThis, { given }), longHistory(MESSAGES, COMPRESSIONS));
      const inspector = await page.context().newCDPSession(page);
      const heap = async () => {
        await inspector.send('HeapProfiler.collectGarbage');
        return (await inspector.send('Runtime.getHeapUsage')).usedSize / 1e6;
      };
      const before = await heap();
      for (const name of /** @type {const} */ (['show', 'open', 'all', 'search', 'step'])) {
        taken[name].push(await history.evaluate(timeInPage, name));
      }
      taken.memory.push((await heap()) - before);
      await close();
    }
    yield rowOf('first paint', { product: taken.show }, [within(200)]);
    yield rowOf('open one compression, 225 messages', { product: taken.open }, [within(100)]);
    yield rowOf('open all', { product: taken.all });
    yield rowOf('search in all', { product: taken.search });
    yield rowOf('to the next match', { product: taken.step }, [within(100)]);
    yield { ...rowOf('held beside the messages, all open', { product: taken.memory }), unit: 'MB' };
  } finally {
    await pages.stop();
  }
}
