// @ts-check
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertAccessible, describeInBrowser } from '../support/browser.mjs';
import { compressedSession } from '../support/compressed-sessions.mjs';

describeInBrowser('<compression-history> with originals in an archive', (browser) => {
  async function archived() {
    /** @type {Record<string, any[]>} */
    const batches = {};
    const archive = {
      append: async (/** @type {string} */ _, /** @type {any} */ { id, messages }) =>
        void Object.assign(batches, { [id]: messages }),
    };
    const { messages, said } = await compressedSession({ options: { archive, sessionId: 'mine' } });
    return { messages, said, batches };
  }

  /**
   * `fail`: so many requests are answered with an error.
   * `isHeld`: the first answer comes when the page calls `release`.
   * @param {{ sessionId?: string, hasSource?: boolean, fail?: number, isHeld?: boolean }} how
   */
  async function show({ sessionId = 'mine', hasSource = true, fail = 0, isHeld = false }) {
    const { messages, said, batches } = await archived();
    const opened = await browser.open('<compression-history></compression-history>');
    const history = opened.page.locator('compression-history');
    await history.evaluate(
      (element, given) => {
        let failures = given.fail;
        const asked = /** @type {string[]} */ ([]);
        const source = {
          async get(/** @type {string} */ session, /** @type {string} */ id) {
            asked.push(`${session} ${id}`);
            await new Promise((resolve) => {
              if (given.isHeld && asked.length === 1) Object.assign(element, { release: resolve });
              else setTimeout(resolve, 100);
            });
            if (failures-- > 0) throw new Error('disk');
            return given.batches[id];
          },
        };
        const { messages: shown, sessionId: session, hasSource: has } = given;
        return Object.assign(element, { asked, sessionId: session, ...(has && { source }), messages: shown });
      },
      { messages, batches, sessionId, hasSource, fail, isHeld },
    );
    const disclosure = history.locator('.disclosure').first();
    const asked = () => history.evaluate((element) => /** @type {any} */ (element).asked);
    return { ...opened, history, disclosure, said, asked };
  }

  it('reads a batch when it is opened, once, and says that it is reading', async () => {
    const { history, disclosure, said, asked, close } = await show({ isHeld: true });
    await disclosure.click();
    await history.getByText('Loading the original messages…').waitFor();
    assert.equal(await history.getByRole('feed').getAttribute('aria-busy'), 'true');
    await history.evaluate((element) => /** @type {any} */ (element).release());
    await history.locator('article[aria-setsize="38"]').first().waitFor();
    await disclosure.click();
    await disclosure.click();
    assert.equal((await asked()).length, 1);
    await history.evaluate((element) => /** @type {any} */ (element).expandAll());
    assert.equal((await asked()).length, 3);
    assert.ok((await history.locator('.counts').textContent())?.startsWith(`${said.length} messages · 3 compressions`));
    await close();
  });

  it('searches what lies there, too', async () => {
    const { history, close } = await show({});
    assert.equal(await history.evaluate((element) => /** @type {any} */ (element).search('Step 2: I look')), 1);
    await close();
  });

  it('says that the archive failed, tells the host, and tries again when asked to', async () => {
    const { page, history, disclosure, close } = await show({ fail: 1 });
    const error = history.evaluate(
      (element) =>
        new Promise((resolve) =>
          element.addEventListener('history-error', (event) =>
            resolve(/** @type {any} */ (event).detail.error.message),
          ),
        ),
    );
    await disclosure.click();
    await history.locator('.state').getByText('The archive could not be read.').waitFor();
    assert.equal(
      await history.getByRole('status').textContent(),
      'The archive could not be read.',
      'and is said aloud',
    );
    assert.equal(await error, 'disk');
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await history.locator('article[aria-setsize="38"]').first().waitFor();
    await close();
  });

  it('reads nothing of a session that the host hasn’t named', async () => {
    const { history, disclosure, asked, close } = await show({ sessionId: 'another' });
    await disclosure.click();
    await history.getByText('The record names another session; nothing of that one is read.').waitFor();
    assert.deepEqual(await asked(), []);
    await close();
  });

  it('says that originals lie in an archive where it has none, and how many compressions it didn’t search', async () => {
    const { page, history, disclosure, close } = await show({ hasSource: false });
    await disclosure.click();
    await history.getByText('The original messages lie in an archive.').waitFor();
    await page.getByRole('searchbox').fill('Step 2: I look');
    await history.getByText('No match · 1 in the archive not searched').waitFor();
    await close();
  });
});
