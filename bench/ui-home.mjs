// @ts-check
/**
 * Delays of `palimpsest view` with many sessions, with nothing indexed and with everything indexed: until the address
 * is printed, until the home page has painted its rows, and until the filter has applied a word. `node
 * bench/ui-home.mjs [MB]`: creates the folder from the recordings outside the repository, and removes it.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findBrowser } from '../scripts/ensure-browser.mjs';
import { filesBelow, withCopies } from './session-copies.mjs';

const [megabytes = '200'] = process.argv.slice(2);
const bytes = Number(megabytes) * 1e6;
const recordings = fileURLToPath(new URL('../../shared/recordings', import.meta.url));
const command = fileURLToPath(new URL('../bin/palimpsest.mjs', import.meta.url));
const executablePath = findBrowser();
const rounds = 7;

if (!(bytes > 0) || !existsSync(recordings) || executablePath === undefined) {
  process.stderr.write('expected a number of megabytes, the recordings beside the repository, and a Chromium\n');
  process.exit(2);
}

/** @param {string} folder @param {string} cache */
async function startView(folder, cache) {
  const started = performance.now();
  const child = spawn(process.execPath, [command, 'view', folder], {
    env: { ...process.env, XDG_CACHE_HOME: cache },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = /** @type {Buffer[]} */ (
    await new Promise((resolve) => child.stdout.once('data', (...all) => resolve(all)))
  );
  const addressMs = performance.now() - started;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const end = async () => {
    child.kill('SIGINT');
    await ended;
  };
  return { url: String(line).trim(), addressMs, end };
}

/**
 * Time from navigation to the frame with the first rows, and time to filter.
 * @param {import('playwright-core').Browser} browser @param {string} url
 */
async function visit(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1_200, height: 900 } });
  const page = await context.newPage();
  const counted = await context.newCDPSession(page);
  await counted.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.addInitScript(() => {
    const { document, MutationObserver, requestAnimationFrame } = /** @type {any} */ (globalThis);
    const seen = new MutationObserver(() => {
      if (document.querySelector('table.sessions tbody tr') === null) return;
      seen.disconnect();
      requestAnimationFrame(() => setTimeout(() => Object.assign(globalThis, { paintedMs: performance.now() })));
    });
    seen.observe(document, { childList: true, subtree: true });
  });
  await page.goto(url);
  await page.waitForFunction(() => 'paintedMs' in globalThis);
  const paintedMs = await page.evaluate(() => /** @type {number} */ (/** @type {any} */ (globalThis).paintedMs));
  const { metrics } = await counted.send('Performance.getMetrics');
  const cpuMs = 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  const sessions = await page.locator('.period[data-key=all] .count').last().textContent();
  const filterMs = await page.locator('input.filter').evaluate(async (/** @type {any} */ input) => {
    const { Event, requestAnimationFrame } = /** @type {any} */ (globalThis);
    const start = performance.now();
    input.value = 'test';
    input.dispatchEvent(new Event('input'));
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return performance.now() - start;
  });
  await context.close();
  return { paintedMs, cpuMs, filterMs, sessions };
}

/** @param {number[]} times */
const timesText = (times) => {
  const sorted = [...times].sort((a, b) => a - b);
  return `${Math.round(sorted[0] ?? 0)} ms at least, ${Math.round(sorted[sorted.length >> 1] ?? 0)} ms in the middle`;
};

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
const cache = mkdtempSync(join(tmpdir(), 'palimpsest-home-cache-'));
const sources = filesBelow(recordings).filter((path) => /\.jsonl?$/.test(path));
try {
  await withCopies(sources, bytes, async (folder, written) => {
    process.stdout.write(`${(written / 1e6).toFixed(0)} MB\n`);
    const cold = await startView(folder, cache);
    const first = await visit(browser, cold.url);
    process.stdout.write(
      `nothing indexed: address ${Math.round(cold.addressMs)} ms, rows ${Math.round(first.paintedMs)} ms\n`,
    );
    const token = new URL(cold.url);
    const headers = { authorization: `Bearer ${new URLSearchParams(token.hash.slice(1)).get('token')}` };
    const isReading = async () => {
      const answer = await fetch(`${token.origin}/api/sessions`, { headers });
      return /** @type {{ reading: unknown }} */ (await answer.json()).reading !== null;
    };
    while (await isReading()) await new Promise((resolve) => setTimeout(resolve, 500));
    await cold.end();
    const warm = await startView(folder, cache);
    const visits = [];
    for (let round = 0; round < rounds; round++) visits.push(await visit(browser, warm.url));
    await warm.end();
    process.stdout.write(`indexed: ${visits[0]?.sessions}; address ${Math.round(warm.addressMs)} ms\n`);
    process.stdout.write(`  rows painted   ${timesText(visits.map(({ paintedMs }) => paintedMs))}\n`);
    process.stdout.write(`  of it the page’s own thread ${timesText(visits.map(({ cpuMs }) => cpuMs))}\n`);
    process.stdout.write(`  a word filtered ${timesText(visits.map(({ filterMs }) => filterMs))}\n`);
  });
} finally {
  await browser.close();
  rmSync(cache, { recursive: true, force: true });
}
