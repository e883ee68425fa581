// @ts-check
/** `<compression-history>` with records whose originals are in an archive: loading, search and failures. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertAccessible, describeInBrowser } from '../support/browser.mjs';
import { compressedSession } from '../support/compressed-sessions.mjs';

describeInBrowser('R8.1 <compression-history> with originals in an archive', (browser) => {
  async function archived() {
    /** @type {Record<string, any[]>} */
    const batches = {};
    const archive = {
      append: async (/** @type {string} */ _, /** @type {any} */ { id, messages }) =>
        void Object.assign(batches, { [id]: messages }),
    };
    const { messages, originals } = await compressedSession({ options: { archive, sessionId: 'mine' } });
    return { messages, originals, batches };
  }

  /**
   * `failures`: the first `failures` reads of the archive reject. `isHeld`: the first read ends when the page calls `release`.
   * @param {{ sessionId?: string, hasSource?: boolean, failures?: number, isHeld?: boolean }} options
   */
  async function show({ sessionId = 'mine', hasSource = true, failures = 0, isHeld = false }) {
    const { messages, originals, batches } = await archived();
    const opened = await browser.open('<compression-history></compression-history>');
    const history = opened.page.locator('compression-history');
    await history.evaluate(
      (element, given) => {
        let failuresLeft = given.failures;
        const reads = /** @type {string[]} */ ([]);
        const source = {
          async get(/** @type {string} */ session, /** @type {string} */ id) {
            reads.push(`${session} ${id}`);
            await new Promise((resolve) => {
              if (given.isHeld && reads.length === 1) Object.assign(element, { release: resolve });
              else setTimeout(resolve, 100);
            });
            if (failuresLeft-- > 0) throw new Error('disk');
            return given.batches[id];
          },
        };
        const { messages: shown, sessionId: session, hasSource: has } = given;
        return Object.assign(element, { reads, sessionId: session, ...(has && { source }), messages: shown });
      },
      { messages, batches, sessionId, hasSource, failures, isHeld },
    );
    const disclosure = history.locator('.disclosure').first();
    const archiveReads = () => history.evaluate((element) => /** @type {any} */ (element).reads);
    return { ...opened, history, disclosure, originals, archiveReads };
  }

  it('reads a batch once, when its compression is opened, and shows that it is loading', async () => {
    const { history, disclosure, originals, archiveReads, close } = await show({ isHeld: true });
    await disclosure.click();
    await history.getByText('Loading the original messages…').waitFor();
    assert.equal(await history.getByRole('feed').getAttribute('aria-busy'), 'true');
    await history.evaluate((element) => /** @type {any} */ (element).release());
    await history.locator('article[aria-setsize="38"]').first().waitFor();
    await disclosure.click();
    await disclosure.click();
    assert.equal((await archiveReads()).length, 1);
    await history.evaluate((element) => /** @type {any} */ (element).expandAll());
    assert.equal((await archiveReads()).length, 3);
    assert.ok(
      (await history.locator('.counts').textContent())?.startsWith(`${originals.length} messages · 3 compressions`),
    );
    await close();
  });

  it('searches the originals in the archive', async () => {
    const { history, close } = await show({});
    assert.equal(await history.evaluate((element) => /** @type {any} */ (element).search('Step 2: I look')), 1);
    await close();
  });

  it('shows that the archive failed, dispatches history-error, and retries on a click', async () => {
    const { page, history, disclosure, close } = await show({ failures: 1 });
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
      'a screen reader announces it',
    );
    assert.equal(await error, 'disk');
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await history.locator('article[aria-setsize="38"]').first().waitFor();
    await close();
  });

  it('reads nothing of a session other than `sessionId`', async () => {
    const { history, disclosure, archiveReads, close } = await show({ sessionId: 'another' });
    await disclosure.click();
    await history.getByText('The record names another session; nothing of that one is read.').waitFor();
    assert.deepEqual(await archiveReads(), []);
    await close();
  });

  it('shows without a `source` that originals are in an archive, and how many compressions a search skipped', async () => {
    const { page, history, disclosure, close } = await show({ hasSource: false });
    await disclosure.click();
    await history.getByText('The original messages lie in an archive.').waitFor();
    await page.getByRole('searchbox').fill('Step 2: I look');
    await history.getByText('No match · 1 in the archive not searched').waitFor();
    await close();
  });
});
