// @ts-check
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeInBrowser } from '../support/browser.mjs';

/** `<compression-history>` shows content that a model, a web page or a file wrote to attack its reader. */
describeInBrowser('R8.1 hostile content in <compression-history>', (browser) => {
  /** @param {any[]} messages */
  async function show(messages) {
    const opened = await browser.openElement('compression-history', { messages });
    const history = opened.element;
    await history.locator('article').first().waitFor();
    const count = (/** @type {string} */ selector) =>
      history.evaluate((element, wanted) => element.shadowRoot?.querySelectorAll(wanted).length ?? -1, selector);
    return { ...opened, history, count };
  }
  const userMessage = (/** @type {string} */ content) => ({ role: 'user', content });

  it('is text and never markup in contents, names, arguments, records and ids', async () => {
    const evil =
      '<img src="https://evil.example/x" onerror="document.title=\'owned\'"><script>document.title="owned"</script><a href="javascript:alert(1)">x</a>';
    const call = { id: evil, type: 'function', function: { name: evil, arguments: JSON.stringify({ [evil]: evil }) } };
    const compression = {
      id: evil,
      kind: 'summary',
      level: 1,
      model: evil,
      messageCount: 1,
      originalMessages: [userMessage(evil)],
    };
    const messages = [
      userMessage(evil),
      { role: 'assistant', content: evil, tool_calls: [call] },
      { role: 'tool', tool_call_id: evil, content: evil },
      { role: evil, content: evil },
      { role: 'user', content: evil, isCompressed: true, compressedAt: evil, compression },
    ];
    const { page, history, count, close } = await show(messages);
    await history.evaluate((element) => /** @type {any} */ (element).expandAll());
    await history.evaluate((element) => /** @type {any} */ (element).search('<img'));
    assert.equal(await count('img, script, a, iframe, [onerror], [href]'), 0);
    assert.ok((await count('mark')) > 5);
    assert.equal(await page.title(), 'A page');
    await close();
  });

  it('shows the names of characters that reverse or hide text', async () => {
    const tags = String.fromCodePoint(0xe0049, 0xe0047);
    const { history, close } = await show([
      userMessage(`access = "user\u202e \u2066// admin\u2069" a\u200bb${tags} bell\u0007 \u061c`),
    ]);
    const names = await history.locator('.hidden-character').allTextContents();
    assert.deepEqual(names, ['RLO', 'LRI', 'PDI', 'ZWSP', 'U+E0049', 'U+E0047', '␇', 'ALM']);
    const text = (await history.locator('.text').textContent()) ?? '';
    assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069\u200b\u{e0000}-\u{e007f}]/u);
    await close();
  });

  it('keeps joiners within letters and emoji', async () => {
    const { history, close } = await show([userMessage('👨‍👩‍👧 क्‍ष नमस्ते 中文，不变')]);
    assert.equal(await history.locator('.hidden-character').count(), 0);
    await close();
  });

  it('shows a terminal’s colours as colours, and its other sequences not at all', async () => {
    const { history, close } = await show([
      {
        role: 'tool',
        tool_call_id: 'x',
        content:
          '\u001b[1;31mred\u001b[0m plain \u001b[38;5;46mgreen\u001b[39m \u001b]0;title\u0007\u001b[2Jend \u001b[48;2;10;20;200mblue',
      },
    ]);
    const runs = await history
      .locator('.text span')
      .evaluateAll((spans) => spans.map((span) => [span.className, span.textContent]));
    assert.deepEqual(runs, [
      ['ansi-fg-1 ansi-bold', 'red'],
      ['ansi-fg-10', 'green'],
      ['ansi-bg-12', 'blue'],
    ]);
    assert.equal(await history.locator('.text').textContent(), 'red plain green end blue');
    await close();
  });

  it('finds a searched text across 20,000 colour changes, and shows it with few nodes', async () => {
    const content = `${'\u001b[31mre\u001b[32mgreen \u001b[0m'.repeat(20_000)}\u001b[1mthe\u001b[0m end${' after'.repeat(20_000)}`;
    const { page, history, close } = await show([{ role: 'tool', tool_call_id: 'x', content }]);
    await page.getByRole('searchbox').fill('the end');
    await history.getByText('– of 1').waitFor();
    await page.keyboard.press('Enter');
    assert.deepEqual(await history.locator('mark.current').allTextContents(), ['the', ' end']);
    assert.ok((await history.locator('.text span').count()) < 500);
    assert.match(
      (await history.locator('.text').textContent()) ?? '',
      /… [\d,]+ characters …[^…]*the end[^…]*[\d,]+ more characters$/,
    );
    await close();
  });

  it('cuts a line of a megabyte visibly, and shows more of it on a click or for a match', async () => {
    const { page, history, close } = await show([userMessage(`${'x'.repeat(1_000_000)} the end`)]);
    const length = async () => ((await history.locator('.text').textContent()) ?? '').length;
    assert.ok((await length()) < 10_000);
    await history.getByText('992,008 more characters').waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    assert.ok((await length()) > 70_000);
    await page.getByRole('searchbox').fill('the end');
    await history.getByText('– of 1').waitFor();
    await page.keyboard.press('Enter');
    assert.equal(await history.locator('mark.current').textContent(), 'the end');
    await close();
  });

  it('shows records as damaged that contain themselves, have no originals, or have wrong figures', async () => {
    const opened = await browser.open('<compression-history></compression-history>', { height: 2_000 });
    const history = opened.page.locator('compression-history');
    await history.evaluate((element) => {
      const made = (/** @type {any} */ compression) => ({
        role: 'user',
        content: 'x',
        isCompressed: true,
        compression,
      });
      /** @type {any} */
      const own = { id: 'own', kind: 'summary', level: Number.NaN, tokensBefore: 'many', originalMessages: [] };
      own.originalMessages.push(made(own));
      const short = { id: 'short', messageCount: 3, originalMessages: [] };
      return /** @type {any} */ (
        Object.assign(element, { messages: [made(own), made(short), made({ originalsBack: 7 }), null, 7, made(7)] })
      ).expandAll();
    });
    const states = await history.locator('article.state').count();
    assert.equal(states, 3);
    await history.getByText('The original messages can’t be shown: the record is damaged.').first().waitFor();
    await opened.close();
  });
});
