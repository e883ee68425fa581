// @ts-check
/** The page of `palimpsest view` in a browser: list, session, slider, message, compressions; live, and as a file. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

/** Reads of one file, a pause, a compaction. @type {Turn[]} */
const turns = [
  ...Array.from({ length: 7 }, (_, minute) => ({
    minute,
    said: minute === 0 ? HOSTILE : `step ${minute}`,
    reads: { '/home/me/project/a.ts': `line ${minute} `.repeat(1500) },
    usage: /** @type {[number, number, number]} */ ([
      0,
      minute === 0 ? 0 : 16_000 + 4_000 * minute,
      minute === 0 ? 20_000 : 4_000,
    ]),
  })),
  { minute: 40, said: 'after a pause', usage: [0, 0, 48_500] },
  { minute: 41, said: 'behind it', compacted: 'What was done so far: everything.', usage: [0, 0, 21_000] },
];

/** @param {string} name @param {readonly Turn[]} [given] @param {string} [project] */
function sessions(name, given = turns, project = '/home/me/project') {
  const inner = join(folder, name);
  mkdirSync(inner, { recursive: true });
  const path = join(inner, 'session.jsonl');
  writeFileSync(path, claudeCode(given, project));
  return { inner, path };
}

describeInBrowser('the page of palimpsest view', (browser) => {
  it('R8.3 leads from the list to a session, its requests, a message as text, and a compression with its originals', async () => {
    const { inner } = sessions('walk');
    writeFileSync(join(inner, 'other.jsonl'), claudeCode(turns.slice(0, 1), '/home/me/other'));
    const view = await startView([inner]);
    const { page, close } = await browser.visit(view.url, { width: 1200 });
    await page.getByRole('link', { name: 'other' }).waitFor();
    await assertAccessible(page);
    assert.ok(!page.url().includes(view.token), 'the token is taken out of the address');
    await page.getByRole('link', { name: 'project' }).click();
    await page.getByRole('heading', { name: 'project', level: 1 }).waitFor();
    await page.getByText(/for 2 lost caches/).waitFor();
    await page.getByText('Cache lost 1×: a pause, and the cache had expired').waitFor();
    await page.getByRole('heading', { name: 'Compressions' }).waitFor();
    await assertAccessible(page);

    const [chart, map] = [page.locator('context-chart'), page.locator('context-map')];
    await chart.getByRole('slider').press('Home');
    await map.getByText('Request 1 of 9').waitFor();
    for (const which of await page.getByText('Which requests').all()) await which.click();
    await page.getByRole('button', { name: /Request 8, after 3\d min/ }).click();
    await map.getByText('Request 8 of 9').waitFor();
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
    await page.getByRole('link', { name: 'other' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'other' }).waitFor();
    await close();
    await view.end();
  });

  it('R8.3 follows the session’s file, and says when the server has ended', async () => {
    const { path } = sessions('live', turns.slice(0, 2));
    const view = await startView([path]);
    const { page, close, problems } = await browser.visit(view.url);
    await page.getByText(/· 2 requests/).waitFor();
    await page.locator('context-map').getByText('Request 2 of 2').waitFor();
    const whole = claudeCode(turns.slice(0, 3));
    const more = whole.slice(claudeCode(turns.slice(0, 2)).length);
    appendFileSync(path, more.slice(0, -30));
    appendFileSync(path, more.slice(-30));
    await page.getByText(/· 3 requests/).waitFor();
    await page.locator('context-map').getByText('Request 3 of 3').waitFor();
    assert.equal(problems.length, 0, problems.join());
    await view.end();
    await page.getByText('The server has ended').waitFor();
    // The browser itself notes the request that nobody answered.
    assert.ok(
      problems.every((problem) => problem.includes('net::ERR_CONNECTION_REFUSED')),
      problems.join(),
    );
    problems.length = 0;
    await close();
  });

  it('R8.3 tells whoever comes without the token what to open, and shows nothing', async () => {
    const { path } = sessions('locked');
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

  it('R8.3 speaks Chinese, in the dark and on a narrow screen too, and remembers the choice', async () => {
    const { path } = sessions('zh');
    const view = await startView([path]);
    const { page, close } = await browser.visit(view.url, { lang: 'zh-CN', scheme: 'dark', width: 360 });
    await page.getByRole('heading', { name: '窗口里装了什么？' }).waitFor();
    await page.locator('context-chart').getByText('每次请求的 token').first().waitFor();
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

  it('R8.3 says in words that nothing was sent yet', async () => {
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
    const { path } = sessions('exported');
    const out = join(folder, 'out.html');
    assert.equal(palimpsest(['view', path, '--export', out]).status, 0);
    const { page, close } = await browser.visit(pathToFileURL(out).href, { width: 1200 });
    await page.getByText('Written to a file').waitFor();
    const map = page.locator('context-map');
    await map.getByRole('slider').press('Home');
    await map.getByRole('listbox').press('End');
    await map.getByRole('listbox').press('Enter');
    await map.getByText('javascript:alert(1)').first().waitFor();
    await page.locator('compression-history').getByText('What was done so far: everything.').waitFor();
    await close();
  });
});
