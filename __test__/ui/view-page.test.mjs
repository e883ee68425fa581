// @ts-check
/** The page of `palimpsest view` in a browser: list, session, slider, message, compressions; live, and as an exported file. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { assertAccessible, describeInBrowser } from '../support/browser.mjs';
import { claudeCode } from '../support/claude-code.mjs';
import { palimpsest } from '../support/command.mjs';
import { startView } from '../support/view-server.mjs';

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-page-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const HOSTILE = '</script><img src=x onerror="document.title=1">\u202e javascript:alert(1)';
/** @typedef {import('../support/claude-code.mjs').Turn} Turn */

/** Seven reads of one file, a pause, a compaction. @type {Turn[]} */
const turns = [
  ...Array.from({ length: 7 }, (_, minute) => ({
    minute,
    prompt: minute === 0 ? HOSTILE : `step ${minute}`,
    reads: { '/home/me/project/a.ts': `line ${minute} `.repeat(1500) },
    usage: /** @type {Turn['usage']} */ (minute === 0 ? [0, 0, 20_000] : [0, 16_000 + 4_000 * minute, 4_000]),
  })),
  { minute: 40, prompt: 'after a pause', usage: [0, 0, 48_500] },
  { minute: 41, prompt: 'behind it', summary: 'What was done so far: everything.', usage: [0, 0, 21_000] },
];

/** @param {string} name @param {readonly Turn[]} [given] @param {string} [project] */
function writeSession(name, given = turns, project = '/home/me/project') {
  const inner = join(folder, name);
  mkdirSync(inner, { recursive: true });
  const path = join(inner, 'session.jsonl');
  writeFileSync(path, claudeCode(given, project));
  return { inner, path };
}

describeInBrowser('the page of palimpsest view', (browser) => {
  it('R8.3 opens a session from the list, a request, a message as text, and a compression with its originals', async () => {
    const { inner } = writeSession('walk');
    writeFileSync(join(inner, 'other.jsonl'), claudeCode(turns.slice(0, 1), '/home/me/other'));
    const view = await startView([inner]);
    const { page, close } = await browser.visit(view.url, { width: 1200 });
    await page.getByText('Total of 2 sessions').waitFor();
    await assertAccessible(page);
    assert.ok(!page.url().includes(view.token), 'the token is removed from the address');
    await page.locator('tbody tr', { hasText: '9' }).getByRole('link').first().click();
    await page.getByRole('heading', { name: 'project', level: 1 }).waitFor();
    await page.getByText(/for 2 lost caches/).waitFor();
    await page.getByText('Cache lost 1×: a pause, and the cache had expired').waitFor();
    await page.getByRole('heading', { name: 'Transcript' }).scrollIntoViewIfNeeded();
    await page.getByRole('heading', { name: /^Prompt \d: behind it$/ }).waitFor();
    await assertAccessible(page);

    const map = page.locator('context-map');
    assert.equal(await page.getByRole('slider').count(), 1, 'one slider for chart and map');
    await page.getByRole('slider').press('Home');
    await page.getByText('Request 1 of 9').first().waitFor();
    for (const which of await page.getByText('Which requests').all()) await which.click();
    await page.getByRole('button', { name: /Request 8, after 3\d min/ }).click();
    await page.getByText('Request 8 of 9').first().waitFor();
    await page.getByRole('button', { name: /^Read: .*a\.ts/ }).click();
    await map
      .getByText(/line \d line/)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await map.getByRole('listbox').press('Home');
    await map.getByRole('listbox').press('ArrowRight');
    await map.getByRole('listbox').press('Enter');
    await map.getByText('javascript:alert(1)').first().waitFor();
    assert.deepEqual([await page.locator('img').count(), await page.title()], [0, '/home/me/project · palimpsest']);

    const history = page.locator('compression-history');
    await history.getByText('What was done so far: everything.').waitFor();
    await history.locator('.disclosure').first().click();
    await history.getByRole('searchbox').fill('after a pause');
    await history.getByText('of 1').waitFor();
    await history.getByRole('searchbox').press('Enter');
    await history.locator('mark.current').waitFor();
    await page.getByRole('link', { name: 'All sessions' }).click();
    await page.getByText('Total of 2 sessions').waitFor();
    await page.reload();
    await page.getByText('Total of 2 sessions').waitFor();
    await close();
    await view.end();
  });

  it('R8.3 shows and searches a transcript with prompts as headings, and links it with the map and the address', async () => {
    const { path } = writeSession('transcript', turns.slice(0, 8));
    const view = await startView([path]);
    const { page, close } = await browser.visit(view.url, { width: 1000 });
    const [map, transcript] = [page.locator('context-map'), page.locator('compression-history')];
    await page.getByRole('heading', { name: 'Transcript' }).scrollIntoViewIfNeeded();
    await page.getByRole('heading', { name: 'Prompt 1: </script>' }).waitFor();
    await transcript.getByRole('combobox', { name: 'Go to a prompt' }).selectOption({ label: '8 · after a pause' });
    await page.getByRole('heading', { name: 'Prompt 8: after a pause', level: 3 }).waitFor();
    await transcript.getByRole('searchbox').fill('step 3');
    await transcript.getByText('of 1').waitFor();
    await transcript.getByRole('searchbox').press('Enter');
    const found = transcript.locator('.row', { has: page.locator('mark.current') });
    await found.getByRole('button', { name: 'In the map' }).click();
    await map
      .getByText(/^step 3, user/)
      .first()
      .waitFor();
    await page.waitForURL(/request=\d+&message=\d+$|&message=\d+$/);

    await page.getByRole('slider').press('ArrowLeft');
    await page.getByText('Request 7 of 8').first().waitFor();
    await page.waitForURL(/&request=7&message=\d+$/);
    await page.reload();
    await page.getByText('Request 7 of 8').first().waitFor();
    await map
      .getByText(/^step 3, user/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'In the transcript' }).click();
    await transcript.locator('.row:focus', { hasText: 'step 3' }).waitFor();
    await map.getByRole('button', { name: 'Close' }).click();
    await page.waitForURL(/&request=7$/);
    await assertAccessible(page);
    await close();
    await view.end();
  });

  it('R8.3 follows the session’s growing file, and shows when the server has ended', async () => {
    const { path } = writeSession('live', turns.slice(0, 2));
    const view = await startView([path]);
    const { page, close, problems } = await browser.visit(view.url);
    await page.getByText(/· 2 requests/).waitFor();
    await page.locator('.request-bar').getByText('Request 2 of 2').waitFor();
    const whole = claudeCode(turns.slice(0, 3));
    const addedLines = whole.slice(claudeCode(turns.slice(0, 2)).length);
    appendFileSync(path, addedLines.slice(0, -30));
    appendFileSync(path, addedLines.slice(-30));
    await page.getByText(/· 3 requests/).waitFor();
    await page.locator('.request-bar').getByText('Request 3 of 3').waitFor();
    assert.equal(problems.length, 0, problems.join());
    await view.end();
    await page.getByText('The server has ended').waitFor();
    // The browser reports the failed request itself.
    assert.ok(
      problems.every((problem) => problem.includes('net::ERR_CONNECTION_REFUSED')),
      problems.join(),
    );
    problems.length = 0;
    await close();
  });

  it('R8.3 shows a reader without the token which address to open, and no session', async () => {
    const { path } = writeSession('locked');
    const view = await startView([path]);
    for (const hash of ['', '#token=wrong']) {
      const { page, close, problems } = await browser.visit(`${view.origin}/${hash}`);
      await page.getByRole('alert').getByText('no valid token').waitFor();
      assert.ok(!(await page.content()).includes('project'));
      assert.ok(
        problems.every((problem) => problem.includes('401')),
        problems.join(),
      );
      problems.length = 0;
      await close();
    }
    await view.end();
  });

  it('R8.3 is in Chinese on a dark narrow screen, and remembers the chosen language', async () => {
    const { path } = writeSession('zh');
    const view = await startView([path]);
    const { page, close } = await browser.visit(view.url, { lang: 'zh-CN', scheme: 'dark', width: 360 });
    await page.getByRole('heading', { name: '窗口里装了什么？' }).waitFor();
    await page.locator('context-chart').getByText('每次请求的 token').first().waitFor();
    await page.getByRole('heading', { name: '对话记录' }).scrollIntoViewIfNeeded();
    await page.locator('compression-history').getByText('已压缩为摘要').first().waitFor();
    await assertAccessible(page);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.ok(overflow <= 0, `${overflow} px beyond the screen`);
    await page.getByRole('combobox', { name: '语言' }).selectOption('en');
    await page.getByRole('heading', { name: 'What fills the window?' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'What fills the window?' }).waitFor();
    await close();
    await view.end();
  });

  it('R8.3 shows a text if no request was sent yet', async () => {
    const path = join(folder, 'question.jsonl');
    const [first = ''] = claudeCode(turns.slice(0, 1)).split('\n');
    writeFileSync(path, `${first}\n`);
    const view = await startView([path]);
    const { page, close } = await browser.visit(view.url);
    await page.getByText('Nothing has been sent to a model yet').waitFor();
    await close();
    await view.end();
  });

  it('R8.3 works as an exported file, from disk and without a server', async () => {
    const { path } = writeSession('exported');
    const out = join(folder, 'out.html');
    assert.equal(palimpsest(['view', path, '--export', out]).status, 0);
    const { page, close } = await browser.visit(pathToFileURL(out).href, { width: 1200 });
    await page.getByText('Written to a file').waitFor();
    for (const form of ['SVG', 'PNG']) {
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: `Save the bill as ${form}` }).click();
      const bytes = readFileSync(await (await saved).path());
      const begins = form === 'PNG' ? Buffer.from('\x89PNG\r\n', 'latin1') : Buffer.from('<svg ');
      assert.deepEqual(bytes.subarray(0, begins.length), begins);
      assert.ok(
        form === 'PNG' || !/onerror|a\.ts|home|step/.test(bytes.toString()),
        'the picture has no content of the session',
      );
      if (form === 'PNG') assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [2400, 1260]);
    }
    const map = page.locator('context-map');
    await page.getByRole('slider').press('Home');
    await map.getByRole('listbox').press('End');
    await map.getByRole('listbox').press('Enter');
    await map.getByText('javascript:alert(1)').first().waitFor();
    await page.getByRole('button', { name: 'In the transcript' }).click();
    await page.locator('compression-history .row:focus').getByText('javascript:alert(1)').waitFor();
    await page.locator('compression-history').getByText('What was done so far: everything.').waitFor();
    await close();
  });
});
