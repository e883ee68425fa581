// @ts-check
/** `palimpsest view` as a command: signals, ports, errors, `--export`, `--text`, message lists and recordings. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { claudeCode } from '../support/claude-code.mjs';
import { directory, file, palimpsest, recordings, skipWithoutRecordings } from '../support/command.mjs';
import { compressedSession } from '../support/compressed-sessions.mjs';
import { assertPicture, fieldsByPath, HOSTILE, SECRET, startView, turns } from '../support/view-server.mjs';

describe('R8.3 palimpsest view', () => {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    test(`exits with 0 on ${signal}, also with a connected page`, async () => {
      const view = await startView([file('one.jsonl', claudeCode(turns))]);
      const open = await fetch(`${view.origin}/`, { headers: { connection: 'keep-alive' } });
      await open.text();
      assert.deepEqual(await view.end(signal), { code: 0, signal: null });
      await assert.rejects(fetch(view.origin));
    });
  }

  test('listens on --port, and exits with 2 if that port is in use', async () => {
    const otherServer = createServer();
    await new Promise((resolve) => otherServer.listen(0, '127.0.0.1', () => resolve(undefined)));
    const { port } = /** @type {import('node:net').AddressInfo} */ (otherServer.address());
    const session = file('one.jsonl', claudeCode(turns));
    const { status, stdout, stderr } = palimpsest(['view', '--port', String(port), session]);
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, new RegExp(`^palimpsest view: --port: port ${port} is taken; without --port`));
    await new Promise((resolve) => otherServer.close(resolve));
    const view = await startView(['--port', String(port), 'one.jsonl']);
    assert.equal(new URL(view.origin).port, String(port));
    await view.end();
  });

  test('exits with 2 for a wrong command line, and suggests a similar option', () => {
    for (const [words, expected] of /** @type {[string[], RegExp][]} */ ([
      [['--prot', '1'], /unknown option “--prot”; did you mean “--port”\?/],
      [['--port', '70000'], /--port: expected a whole number from 0 .* to 65535; got “70000”/],
      [['--port', 'x'], /--port: expected a whole number/],
      [['--text', '--export', 'x.html'], /expected --text or --export, not both/],
      [['--price-list', 'antropic', '.'], /--price-list: expected .* did you mean “anthropic”\?/],
    ])) {
      const { status, stdout, stderr } = palimpsest(['view', ...words]);
      assert.deepEqual([status, stdout], [2, ''], words.join(' '));
      assert.match(stderr, expected);
    }
    assert.match(palimpsest(['veiw']).stderr, /did you mean “view”\?/);
    assert.match(palimpsest(['view', '--help']).stdout, /^Usage: palimpsest view /);
  });

  test('exits with 1 for a missing file, a file of unknown format, and a folder without sessions', () => {
    mkdirSync(join(directory, 'empty'), { recursive: true });
    for (const [path, expected] of /** @type {[string, RegExp][]} */ ([
      ['nowhere.jsonl', /nowhere\.jsonl: /],
      [file('unknown.json', '{"a": 1}'), /unknown\.json: .*(expected|known)/i],
      ['empty', /no sessions found; known are those of .*Claude Code/],
    ])) {
      const { status, stdout, stderr } = palimpsest(['view', path]);
      assert.deepEqual([status, stdout], [1, ''], path);
      assert.match(stderr, expected);
    }
  });
});

describe('R8.3 palimpsest view --export', () => {
  test('writes one HTML file without external resources, with all content escaped, and an SVG without content', () => {
    file('one.jsonl', claudeCode(turns));
    const { status, stdout, stderr } = palimpsest(['view', 'one.jsonl', '--export', 'out.html']);
    assert.deepEqual([status, stdout], [0, '']);
    assert.match(stderr, /Wrote .*one\.jsonl to out\.html.*\n.*without any content, to out\.svg/);
    const page = readFileSync(join(directory, 'out.html'), 'utf8');
    const scripts = [...page.matchAll(/<script\b([^>]*)>/g)].map(([, attributes]) => attributes?.trim());
    assert.deepEqual(scripts, ['type="application/json" id="session-data"', 'type="module"']);
    assert.equal(page.match(/<\/script/g)?.length, 2);
    assert.match(
      page,
      /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-/,
    );
    assert.doesNotMatch(page, /<(?:link|img)\b|(?:src|href)="(?:https?:)?\//);
    const data = /id="session-data">(.*?)<\/script>/s.exec(page)?.[1] ?? '';
    assert.doesNotMatch(data, /[<>&\u2028\u2029]/);
    const { messages, picture, session } = JSON.parse(data);
    assert.equal(messages[0].parts[0].text, HOSTILE);
    assertPicture(picture);
    assert.equal(session.bill.paid, picture.bill.paid);
    const bill = readFileSync(join(directory, 'out.svg'), 'utf8');
    const title = /<title>What \$(\d+\.\d\d) was paid for<\/title>/.exec(bill)?.[1];
    assert.equal(title, picture.bill.paid.toFixed(2), 'the SVG has the amount of the page');
    for (const content of [SECRET, 'onerror', 'a.ts', 'Read', 'go on', 'project', '/home/me', 'one.jsonl']) {
      assert.ok(!bill.includes(content), `the SVG has content: ${content}`);
    }
  });

  test('overwrites existing files only with --force', () => {
    const name = file('kept.html', 'mine');
    const refused = palimpsest(['view', file('one.jsonl', claudeCode(turns)), '--export', name]);
    assert.equal(refused.status, 2);
    assert.match(refused.stderr, /kept\.html exists; --force writes over it/);
    const drawn = file('drawn.svg', 'mine');
    assert.match(palimpsest(['view', 'one.jsonl', '--export', 'drawn.html']).stderr, /drawn\.svg exists/);
    assert.equal(readFileSync(join(directory, drawn), 'utf8'), 'mine');
    assert.ok(!existsSync(join(directory, 'drawn.html')), 'either both files are written, or none');
    assert.equal(readFileSync(join(directory, name), 'utf8'), 'mine');
    assert.equal(palimpsest(['view', 'one.jsonl', '--export', name, '--force']).status, 0);
    assert.match(readFileSync(join(directory, name), 'utf8'), /^<!doctype html>/);
  });
});

describe('R8.3 palimpsest view with an application’s message list', () => {
  test('serves its compressions, oldest first, and its messages unchanged', async () => {
    const { messages } = await compressedSession({ rounds: 2 });
    const view = await startView([file('own.json', messages)]);
    const { json: history } = await view.ask('/api/history');
    assert.deepEqual(
      history.points.map((/** @type {any} */ { level, kind, request }) => [level, kind, request]),
      [
        [1, 'summary', null],
        [2, 'summary', null],
      ],
    );
    const { json: list } = await view.ask('/api/sessions');
    const { json } = await view.ask(`/api/sessions/${list.sessions[0].id}/conversation`);
    assert.deepEqual(json.messages, JSON.parse(JSON.stringify(messages)));
    await view.end();
  });
});

describe('R8.2 palimpsest view --text', () => {
  test('prints each compression with its figures, summary and originals, without escapes into a pipe', () => {
    const compacted = [
      ...turns,
      { minute: 31, prompt: 'behind it', summary: 'What was done so far: everything.', usage: [0, 0, 21_000] },
    ];
    const name = file('compacted.jsonl', claudeCode(/** @type {any} */ (compacted)));
    const { status, stdout, stderr } = palimpsest(['view', '--text', name], { env: { COLUMNS: '70' } });
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /1 compression · /);
    assert.match(stdout, /Summarised · level 1 .*\n.*50,000 → 21,000 tokens/);
    assert.match(stdout, /What was done so far: everything\./);
    assert.match(stdout, /onerror=alert\(1\).*after a pause.*behind it/s);
    assert.ok(!stdout.includes('\u001b') && !stdout.includes('\u202e'));
  });
});

describe('R8.3 palimpsest view with recorded sessions', { skip: skipWithoutRecordings }, () => {
  test('the list has each recording’s bill as in its picture, and all its messages are served', async () => {
    const view = await startView([recordings]);
    const { json } = await view.ask('/api/sessions');
    assert.ok(json.sessions.length > 30, `${json.sessions.length} sessions`);
    for (const { id, path, bill, busts } of json.sessions) {
      const { json: picture } = await view.ask(`/api/sessions/${id}`);
      assertPicture(picture);
      assert.equal(bill?.paid ?? null, picture.bill?.paid ?? null, path);
      const losses = picture.bill?.losses.flatMap((/** @type {any} */ { requests }) => requests).length ?? null;
      assert.equal(busts, losses, path);
      for (const [rest, names] of fieldsByPath) {
        const response = await view.ask(`/api/sessions/${id}${rest}`);
        assert.deepEqual([response.status, Object.keys(response.json).sort()], [200, names], path);
      }
      for (const thread of new Set([0, picture.threads.length - 1])) {
        const { json: conversation } = await view.ask(`/api/sessions/${id}/conversation?thread=${thread}`);
        const places = conversation.messages.map((/** @type {any} */ { sessionMessage }) => sessionMessage);
        const isPlace = (/** @type {any} */ place) => place === null || (place >= 0 && place < picture.messages);
        assert.ok(picture.agent === 'message-array' || (places.length > 0 && places.every(isPlace)), path);
      }
    }
    await view.end();
  });
});
