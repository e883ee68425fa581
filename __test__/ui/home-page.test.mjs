// @ts-check
/** The home page of `palimpsest view`: figures compared with those of `sessions --json`, filters, sorting, notes on files. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { assertAccessible, describeInBrowser } from '../support/browser.mjs';
import { claudeCode } from '../support/claude-code.mjs';
import { palimpsest, recordings, skipWithoutRecordings } from '../support/command.mjs';
import { startView } from '../support/view-server.mjs';

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-home-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Sessions whose pages are opened in the browser; `command/view-command.test.mjs` compares the bills of all sessions. */
const openedCount = 8;
const minutesNow = Math.floor((Date.now() - Date.UTC(2026, 0, 1)) / 60_000);

/** @param {string} text such as `$1,234.56` @returns {number} */
const dollars = (text) => Number(/\$([\d,.]+)/.exec(text)?.[1]?.replaceAll(',', '') ?? Number.NaN);

/** @param {string} name @param {{ project: string, minute: number, prompt: string, requests: number, model?: string }} session */
function write(name, { project, minute, prompt, requests, model = 'claude-opus-4-5' }) {
  const turns = Array.from({ length: requests }, (_, at) => ({
    minute: minute + at,
    prompt: at === 0 ? prompt : `step ${at}`,
    usage: /** @type {[number, number, number]} */ ([0, at === 0 ? 0 : 16_000 + 4_000 * at, at === 0 ? 20_000 : 4_000]),
  }));
  const text = claudeCode(turns, `/home/me/${project}`).replaceAll('"id":"m', `"id":"${name}`);
  writeFileSync(join(folder, `${name}.jsonl`), text.replaceAll('claude-opus-4-5', model));
}

write('a', { project: 'garden', minute: minutesNow - 3 * 1_440, prompt: 'Water the roses', requests: 12 });
write('b', { project: 'garden', minute: minutesNow - 20 * 1_440, prompt: 'Cut the hedge', requests: 3 });
write('c', {
  project: 'kitchen',
  minute: 0,
  prompt: 'Cook </a><img src=x onerror="document.title=1">',
  requests: 5,
  model: 'claude-sonnet-4-5',
});
writeFileSync(join(folder, 'torn.jsonl'), `${claudeCode([{ minute: 9, prompt: 'Left in the middle' }])}{"type":"us`);
writeFileSync(join(folder, 'package.json'), '{"name":"none"}');

describeInBrowser('the home page of palimpsest view', (browser) => {
  it('R8.3 shows the totals of sessions --json and of each session’s page, to the cent', {
    skip: skipWithoutRecordings,
  }, async () => {
    const { files } = JSON.parse(palimpsest(['sessions', '--json', recordings]).stdout);
    const bills = files.flatMap((/** @type {any} */ file) =>
      file.sessions.map((/** @type {any} */ { bill }) => bill?.waterfall),
    );
    const paid = bills.filter((/** @type {any} */ bill) => bill?.currency === 'usd');
    const total = paid.reduce((/** @type {number} */ sum, /** @type {any} */ bill) => sum + bill.paid, 0);
    const view = await startView([recordings]);
    const { page, close } = await browser.visit(view.url, { width: 1200 });
    const all = page.locator('.period[data-key=all] .sum');
    await all.waitFor();
    assert.equal(await all.textContent(), `$${total.toFixed(2)}`);
    const groups = await page
      .locator('.group')
      .evaluateAll((sections) =>
        sections.map((section) => [...section.querySelectorAll('.figure')].map((figure) => figure.textContent ?? '')),
      );
    for (const figures of groups) {
      const sum = figures.reduce((sum, text) => sum + (text.includes('$') ? dollars(text) : 0), 0);
      assert.ok(Math.abs(sum - total) < 0.01 * figures.length, `${sum} of ${total}`);
    }
    await page.getByRole('button', { name: 'Paid' }).click();
    const rows = page.locator('table.sessions tbody tr');
    assert.equal(await rows.count(), bills.length);
    const listed = await rows.evaluateAll((all) =>
      all.map((row) => [row.querySelector('a')?.hash, row.lastElementChild?.lastElementChild?.textContent ?? '']),
    );
    const amounts = listed.map(([, text = '']) => (text.includes('$') ? dollars(text) : Number.NaN));
    const priced = amounts.filter((amount) => !Number.isNaN(amount));
    assert.deepEqual(
      amounts.slice(0, priced.length),
      [...priced].sort((a, b) => b - a),
      'the most expensive first, and those without a price last',
    );
    const sum = priced.reduce((sum, amount) => sum + amount, 0);
    assert.ok(Math.abs(sum - total) < 0.005 * listed.length, `${sum} of ${total}`);
    for (const [hash, text = ''] of listed.slice(0, openedCount)) {
      await page.goto(`${view.origin}/${hash}`);
      const bill = page.locator('.waterfall > li', { hasText: /^Paid/ }).locator('.figure');
      // Until the session is loaded, the page shows the previous one.
      await bill.and(page.getByText(text, { exact: true })).waitFor();
    }
    await close();
    await view.end();
  });

  it('R8.3 filters by period, project, model and words, and shows the total of the shown sessions', async () => {
    const view = await startView([folder]);
    const { page, close } = await browser.visit(view.url, { width: 1200 });
    const titles = page.locator('table.sessions tbody a');
    const total = page.locator('table.sessions tfoot tr');
    await page.getByText('Total of 4 sessions').waitFor();
    assert.deepEqual(await titles.allTextContents(), [
      'Water the roses',
      'Cut the hedge',
      'Left in the middle',
      'Cook </a><img src=x onerror="document.title=1">',
    ]);
    assert.deepEqual([await page.locator('img').count(), await page.title()], [0, 'palimpsest']);
    await page.getByRole('button', { name: /^7 days/ }).click();
    await page.getByText('Total of 1 session').waitFor();
    const week = await page.locator('.period[data-key=week] .sum').textContent();
    assert.ok((await total.textContent())?.includes(week ?? '–'));
    assert.deepEqual(await titles.allTextContents(), ['Water the roses']);
    await page.getByRole('button', { name: /^All/ }).click();
    const garden = page.getByRole('button', { name: /^garden/ });
    await garden.click();
    assert.equal(await garden.getAttribute('aria-pressed'), 'true');
    await page.getByText('Total of 2 sessions').waitFor();
    await garden.click();
    await page.getByRole('button', { name: /^claude-sonnet-4-5/ }).click();
    await page.getByText('Total of 1 session').waitFor();
    await page.getByRole('button', { name: /^claude-sonnet-4-5/ }).click();
    await page.getByRole('searchbox', { name: 'Filter' }).fill('hedge GARDEN');
    await page.getByText('Total of 1 session').waitFor();
    await page.getByRole('searchbox').fill('nothing like this');
    await page.getByText('No session is like that.').waitFor();
    await page.getByRole('searchbox').fill('');
    await page.getByText('Total of 4 sessions').waitFor();
    await close();
    await view.end();
  });

  it('R8.3 sorts by a column in both directions by keyboard, and keeps sorting, filter and focus when coming back', async () => {
    const view = await startView([folder]);
    const { page, close } = await browser.visit(view.url, { width: 1200 });
    const titles = page.locator('table.sessions tbody a');
    const head = page.getByRole('columnheader', { name: 'Requests' });
    await head.getByRole('button').focus();
    await page.keyboard.press('Enter');
    assert.equal((await titles.allTextContents())[0], 'Water the roses');
    assert.equal(await head.getAttribute('aria-sort'), 'descending');
    await page.keyboard.press('Enter');
    assert.equal((await titles.allTextContents()).at(-1), 'Water the roses');
    assert.equal(await head.getAttribute('aria-sort'), 'ascending');
    await page.getByRole('button', { name: /^garden/ }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Space');
    await page.getByText('Total of 4 sessions').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Total of 2 sessions').waitFor();
    await page.getByRole('link', { name: 'Cut the hedge' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'What was paid for?' }).waitFor();
    await page.locator('h1:focus', { hasText: 'garden' }).waitFor();
    await page.goBack();
    await page.getByText('Total of 2 sessions').waitFor();
    await page.locator('a:focus', { hasText: 'Cut the hedge' }).waitFor();
    assert.equal(await head.getAttribute('aria-sort'), 'ascending');
    await close();
    await view.end();
  });

  it('R8.3 follows a link while a timer is about to write the chosen request into the address', async () => {
    const view = await startView([folder]);
    const { page, close } = await browser.visit(view.url, { width: 1200 });
    const link = page.getByRole('link', { name: 'Cut the hedge' });
    const other = (await link.getAttribute('href')) ?? '';
    await page.getByRole('link', { name: 'Water the roses' }).click();
    await page.locator('.about', { hasText: '12 requests' }).waitFor();
    await page.locator('context-chart').evaluate((chart, other) => {
      chart.dispatchEvent(new CustomEvent('request-change', { detail: { thread: 0, request: 2 } }));
      // On a busy page that timer runs between the change of the address and its event.
      history.pushState(null, '', other);
      return new Promise((resolve) => setTimeout(resolve, 500));
    }, other);
    await page.evaluate(() => dispatchEvent(new HashChangeEvent('hashchange')));
    await page.locator('.about', { hasText: '3 requests' }).waitFor();
    assert.equal(new URL(page.url()).hash, other);
    await close();
    await view.end();
  });

  /** Answers requests for the listing by `answer`. @param {import('playwright-core').Page} page @param {(route: import('playwright-core').Route) => unknown} answer */
  const onListing = (page, answer) => page.route('**/api/sessions', (route) => answer(route));

  it('R8.3 keeps a session that is opened while the list is read', async () => {
    const view = await startView([folder]);
    const { page, close } = await browser.visit(view.url, { width: 1200 });
    await page.getByRole('link', { name: 'Water the roses' }).click();
    await page.locator('.about', { hasText: '12 requests' }).waitFor();
    let answerLate = () => {};
    const isAsked = new Promise((resolve) => {
      void onListing(page, (route) => {
        answerLate = () => void route.continue();
        resolve(undefined);
      });
    });
    await page.getByRole('link', { name: 'All sessions' }).click();
    await isAsked;
    await page.goBack();
    await page.locator('.about', { hasText: '12 requests' }).waitFor();
    const isAnswered = page.waitForResponse('**/api/sessions');
    answerLate();
    await isAnswered;
    await page.waitForResponse('**/api/sessions/*');
    assert.equal(await page.locator('.about', { hasText: '12 requests' }).count(), 1);
    assert.match(await page.title(), /garden/);
    await close();
    await view.end();
  });

  it('R8.3 restores the list’s scroll offset after the language was changed in a session', async () => {
    const view = await startView([folder]);
    const { page, close } = await browser.visit(view.url, { width: 1200, height: 400 });
    await page.getByText('Total of 4 sessions').waitFor();
    const scrolledTo = await page.evaluate(() => {
      scrollTo(0, 100);
      return scrollY;
    });
    await page.getByRole('link', { name: 'Water the roses' }).evaluate((link) => /** @type {any} */ (link).click());
    await page.getByRole('heading', { name: 'What fills the window?' }).waitFor();
    await page.evaluate(() => scrollTo(0, 300));
    await page.getByRole('combobox', { name: 'Language' }).selectOption('zh');
    await page.getByRole('heading', { name: '窗口里装了什么？' }).waitFor();
    await page.getByRole('link', { name: '全部会话' }).evaluate((link) => /** @type {any} */ (link).click());
    await page.locator('table.sessions tbody tr').first().waitFor();
    assert.deepEqual([await page.evaluate(() => scrollY), scrolledTo], [100, 100]);
    await close();
    await view.end();
  });

  it('R8.3 shows why the server refused the list, and goes on once it answers', async () => {
    const growing = mkdtempSync(join(tmpdir(), 'palimpsest-home-'));
    after(() => rmSync(growing, { recursive: true, force: true }));
    for (const name of ['first', 'second'])
      writeFileSync(join(growing, `${name}.jsonl`), claudeCode([{ minute: 0, prompt: name }]));
    const view = await startView([growing]);
    const { page, close, problems } = await browser.visit(view.url, { width: 1200 });
    const html = { contentType: 'text/html', body: '<h1>Bad gateway</h1>' };
    const error = { contentType: 'application/json', body: '{"error":{"message":"too many files"}}' };
    await page.getByText('Total of 2 sessions').waitFor();
    await onListing(page, (route) => route.fulfill({ status: 502, ...html }));
    await page.getByRole('status').getByText('HTTP 502').waitFor();
    await page.unrouteAll();
    await onListing(page, (route) => route.fulfill({ status: 500, ...error }));
    await page.getByRole('status').getByText('too many files').waitFor();
    writeFileSync(join(growing, 'third.jsonl'), claudeCode([{ minute: 0, prompt: 'third' }]));
    await page.unrouteAll();
    await page.getByText('Total of 3 sessions').waitFor();
    assert.equal(await page.getByText('too many files').count(), 0);

    await onListing(page, (route) => route.fulfill({ status: 502, ...html }));
    await page.reload();
    await page.getByRole('alert').getByText('HTTP 502').waitFor();
    await page.unrouteAll();
    await page.getByText('Total of 3 sessions').waitFor();
    await onListing(page, (route) => route.fulfill({ status: 401, ...html }));
    await page.getByRole('alert').getByText('no valid token').waitFor();
    assert.ok(
      problems.every((problem) => /50[02]|401/.test(problem)),
      problems.join(),
    );
    problems.length = 0;
    await close();
    await view.end();
  });

  it('R8.3 counts requests that a resumed session repeats once, and shows their cost in its row', async () => {
    const both = mkdtempSync(join(tmpdir(), 'palimpsest-home-'));
    after(() => rmSync(both, { recursive: true, force: true }));
    const turn = (/** @type {number} */ minute) => ({
      minute,
      prompt: 'go on',
      usage: /** @type {any} */ ([0, 0, 20_000]),
    });
    writeFileSync(join(both, 'first.jsonl'), claudeCode([turn(0), turn(1)]));
    writeFileSync(join(both, 'resumed.jsonl'), claudeCode([turn(0), turn(1), turn(2)]));
    const view = await startView([both]);
    const { page, close } = await browser.visit(view.url, { width: 1200 });
    // 20,000 tokens written at 6.25 and 50 output tokens at 25 dollars per million.
    await page.getByText('+ $0.25 in an earlier session').waitFor();
    assert.equal(await page.locator('.period[data-key=all] .sum').textContent(), '$0.38');
    await page.locator('tbody tr', { hasText: 'earlier' }).getByRole('link').click();
    await page.locator('.waterfall > li', { hasText: /^Paid\$0\.38/ }).waitFor();
    await close();
    await view.end();
  });

  it('R8.3 lists skipped files, and sessions with a torn last line, in both languages', async () => {
    const view = await startView([folder, join(folder, 'nowhere.jsonl')]);
    const { page, close } = await browser.visit(view.url, { width: 1200 });
    await page.getByText('About the files').click();
    await page.getByText('1 file is no session of a known format').waitFor();
    await page.getByText('1 × last line torn:').waitFor();
    await page.getByText(/nowhere\.jsonl: the file can't be read/).waitFor();
    await page.getByRole('link', { name: 'torn.jsonl' }).click();
    await page.getByText('About this file').click();
    await page.getByText(/^1 × last line torn \(the first: line 3: /).waitFor();
    await page.getByRole('combobox', { name: 'Language' }).selectOption('zh');
    await page.getByText('关于此文件').click();
    await page.getByText(/^最后一行不完整 × 1（第一处：/).waitFor();
    await page.getByRole('link', { name: '全部会话' }).click();
    await page.getByText('关于这些文件').click();
    await page.getByText('1 个文件不是已知格式的会话').waitFor();
    await page.getByText(/nowhere\.jsonl：无法读取此文件/).waitFor();
    await page.getByText('最后一行不完整 × 1: ').waitFor();
    await close();
    await view.end();
  });

  for (const [name, options] of /** @type {const} */ ([
    ['light', { width: 1200 }],
    ['dark', { width: 1200, scheme: 'dark' }],
    ['narrow', { width: 360 }],
    ['narrow-zh', { width: 360, lang: 'zh-CN', scheme: 'dark' }],
  ])) {
    it(`R8.3 is accessible, no wider than the screen, and shows no table without a session: ${name}`, async () => {
      const view = await startView([folder]);
      const { page, close } = await browser.visit(view.url, options);
      await page.locator('table.sessions tbody tr').first().waitFor();
      await page.locator('article > div > details > summary').click();
      await assertAccessible(page);
      const beyond = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.ok(beyond <= 0, `${beyond} px beyond the screen`);
      await page.getByRole('searchbox').fill('nothing like this');
      await page.locator('table.sessions').waitFor({ state: 'hidden' });
      await close();
      await view.end();
    });
  }
});
