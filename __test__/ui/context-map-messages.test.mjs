// @ts-check
/** `<context-map>`: a message opened from its cell, as it is stored and as it is sent. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertAccessible, describeInBrowser, openContextMap, setProperties } from '../support/browser.mjs';
import { samplePicture } from '../support/pictures.mjs';

/** @typedef {import('../../ui/elements.js').ContextMap} ContextMap */

describeInBrowser('an opened message of <context-map>', (browser) => {
  it('shows the message as stored and as sent, dispatches cell-activate, and returns the focus when closed', async () => {
    const picture = samplePicture();
    const [thread] = picture.threads;
    const place = thread.cells.findIndex(({ replacedFrom }) => replacedFrom !== null && replacedFrom <= 38);
    const { close, page, list, map } = await openContextMap(browser, picture, { set: { request: 38 } });
    await map.evaluate((/** @type {ContextMap} */ element) => {
      element.load = async (message) => ({
        stored: {
          role: 'tool',
          timeMs: null,
          parts: [{ type: 'result', tool: 'Read', isError: true, text: `all of ${message}` }],
        },
      });
      element.addEventListener('cell-activate', (event) =>
        element.setAttribute('data-opened', JSON.stringify(/** @type {CustomEvent} */ (event).detail)),
      );
    });
    await list.focus();
    for (let step = 0; step <= place; step++) await list.press('ArrowRight');
    await list.press('Enter');
    await page.getByText(`all of ${thread.cells[place].message}`).waitFor();
    assert.deepEqual(JSON.parse((await map.getAttribute('data-opened')) ?? ''), {
      message: thread.cells[place].message,
      part: 0,
      thread: 0,
      request: 38,
    });
    await page.getByText('tool result · Read · failed').waitFor();
    // The sent form is the placeholder in the picture.
    assert.equal(await page.getByRole('group', { name: 'As sent' }).textContent(), '[outdated: read again later]');
    assert.equal(await list.getByRole('option').getAttribute('aria-selected'), 'true');
    await assertAccessible(page);
    await page.keyboard.press('Escape');
    assert.equal(await page.getByText('As stored').isVisible(), false);
    await list.press('ArrowLeft');
    assert.equal(await list.getByRole('option').getAttribute('aria-posinset'), String(place + 1));
    await close();
  });

  it('shows a text if there is no loader or the loader fails, and ignores a late one', async () => {
    const { close, page, list, map } = await openContextMap(browser, samplePicture(), { set: { request: 38 } });
    await list.focus();
    await list.press('End');
    await list.press('Enter');
    await page.getByText('Only the picture is here').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await map.evaluate((/** @type {ContextMap} */ element) => {
      element.load = () => Promise.reject(new Error('secret of the session'));
    });
    await list.press('Enter');
    await page.getByRole('alert').getByText('could not be loaded').waitFor();
    assert.equal(await page.getByText('secret').count(), 0);
    await map.evaluate((/** @type {any} */ element) => {
      element.load = (message) =>
        new Promise((resolve) => setTimeout(() => resolve({ stored: `text of ${message}` }), message === 0 ? 150 : 0));
    });
    await page.keyboard.press('Escape');
    await list.press('Home');
    await list.press('ArrowRight');
    await list.press('Enter');
    await list.focus();
    await list.press('ArrowRight');
    await list.press('Enter');
    await page.getByText('text of 1').waitFor();
    await page.waitForTimeout(200);
    assert.equal(await page.getByText('text of 0').count(), 0);
    await close();
  });

  it('stays open while the slider moves and the session grows, and shows what each request sends of it', async () => {
    const picture = samplePicture();
    const [thread] = picture.threads;
    const place = thread.cells.findIndex(({ replacedFrom }) => replacedFrom !== null && replacedFrom <= 38);
    const from = /** @type {number} */ (thread.cells[place].replacedFrom);
    const { close, page, list, map } = await openContextMap(browser, picture, { set: { request: from } });
    await map.evaluate((/** @type {any} */ element) => {
      element.load = () => ({ stored: 'the whole result' });
    });
    await list.focus();
    for (let step = 0; step <= place; step++) await list.press('ArrowRight');
    await list.press('Enter');
    await page.getByText('[outdated: read again later]').waitFor();
    await page.getByRole('slider').press('ArrowLeft');
    await page.getByText('Sent as it is stored.').waitFor();
    assert.equal(await page.getByText('[outdated: read again later]').count(), 0);
    await page.getByRole('slider').press('End');
    // A request after the compaction doesn't send this message.
    await page.getByText('This request does not send it.').waitFor();
    await page.getByRole('slider').press('Home');
    const grown = structuredClone(picture);
    await setProperties(map, { picture: grown, request: 38 });
    await page.getByText('[outdated: read again later]').waitFor();
    assert.equal(await page.getByText('the whole result').isVisible(), true);
    await setProperties(map, { picture: samplePicture({ messages: 2, requests: 1 }) });
    await page.getByText('Request 1 of 1').first().waitFor();
    assert.equal(await page.getByText('the whole result').count(), 0);
    await close();
  });

  it('doesn’t open if the page prevents the default of cell-activate', async () => {
    const { close, page, list, map } = await openContextMap(browser, samplePicture());
    await map.evaluate((element) => element.addEventListener('cell-activate', (event) => event.preventDefault()));
    await list.focus();
    await list.press('End');
    await list.press('Enter');
    assert.equal(await page.getByRole('button', { name: 'Close' }).count(), 0);
    await close();
  });

  it('R8.1 shows labels, tools and messages as text, and names invisible characters', async () => {
    const picture = samplePicture({ messages: 4, requests: 1 });
    const attack = '<img src=x onerror="document.title=1">\u202etxt.exe';
    picture.tools = [attack, ...picture.tools.slice(1)];
    picture.threads[0].name = attack;
    for (const cell of picture.threads[0].cells)
      Object.assign(cell, { label: attack, tool: 0, kind: 6, tokens: 5_000 });
    const { close, page, list, reading, map } = await openContextMap(browser, picture, { set: { sizes: 'stored' } });
    await map.evaluate((/** @type {any} */ element, text) => {
      element.load = () => ({ stored: { role: 'user', content: text }, sent: text });
    }, attack);
    await list.focus();
    await list.press('End');
    assert.match(
      (await reading.textContent()) ?? '',
      /^<img src=x onerror="document\.title=1">RLOtxt\.exe, result of <img/,
    );
    await list.press('Enter');
    await page.getByText('"role": "user"').waitFor();
    assert.equal(await map.locator('img').count(), 0);
    assert.equal(await page.title(), 'A page');
    await close();
  });
});
