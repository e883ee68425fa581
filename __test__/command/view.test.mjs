// @ts-check
/** `palimpsest view` as an HTTP server: what it answers, whom, and that nothing else can be had from it. */

import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { TokenCounter } from 'palimpsest';
import { bundleElements, isBundled } from '../../scripts/bundle-ui.mjs';
import { readPicture } from '../../ui/picture/read-picture.js';
import { claudeCode } from '../support/claude-code.mjs';
import { directory, file, palimpsest } from '../support/command.mjs';
import { compressedSession } from '../support/compressed-sessions.mjs';
import { startView } from '../support/view-server.mjs';

const recordings = fileURLToPath(new URL('../../../shared/recordings', import.meta.url));
const hasRecordings = existsSync(recordings);
const SECRET = 'only-the-session-has-this';
const HOSTILE = `</script><img src=x onerror=alert(1)>\u2028\u202e${SECRET}`;

const turns = [
  {
    minute: 0,
    said: HOSTILE,
    reads: { '/p/a.ts': 'first '.repeat(2000) },
    usage: /** @type {[number, number, number]} */ ([0, 0, 20_000]),
  },
  { minute: 1, said: 'go on', usage: /** @type {[number, number, number]} */ ([0, 20_000, 2_500]) },
  { minute: 30, said: 'after a pause', usage: /** @type {[number, number, number]} */ ([0, 0, 22_600]) },
];

before(async () => {
  if (!isBundled()) await bundleElements();
});

/** By path below a session's, the fields of an answer. @type {ReadonlyMap<string, string[]>} */
const fields = new Map([
  ['/messages', ['from', 'messages', 'total']],
  ['/conversation', ['messages', 'points']],
]);

/** @param {any} json a session's picture, as the page's own elements check it */
function assertPicture(json) {
  assert.deepEqual(readPicture(json).problem, null);
}

describe('R8.3 the page’s server', () => {
  /** @type {Awaited<ReturnType<typeof startView>>} */
  let view;
  /** @type {string} */
  let id;
  before(async () => {
    const folder = join(directory, 'sessions');
    mkdirSync(join(folder, 'inner'), { recursive: true });
    mkdirSync(join(directory, 'elsewhere'));
    writeFileSync(join(folder, 'a.jsonl'), claudeCode(turns));
    writeFileSync(join(folder, 'inner', 'b.jsonl'), claudeCode(turns.slice(0, 1), '/home/me/other'));
    writeFileSync(join(directory, 'elsewhere', 'secret.jsonl'), claudeCode(turns, '/home/me/secret'));
    symlinkSync(join(directory, 'elsewhere', 'secret.jsonl'), join(folder, 'link.jsonl'));
    symlinkSync(join(directory, 'elsewhere'), join(folder, 'linked'));
    view = await startView(['sessions']);
    id = (await view.ask('/api/sessions')).json.sessions[0].id;
  });
  after(() => view.end());

  test('gives the API only to whoever has the token, and doesn’t say how near a wrong one was', async () => {
    const wrong = view.token.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
    for (const token of [null, '', wrong, `${view.token}x`, view.token.slice(1)]) {
      for (const path of ['/api/sessions', `/api/sessions/${id}`, '/api/stats', '/api/nothing']) {
        const { status, text, json } = await view.ask(path, { token });
        assert.equal(status, 401, path);
        assert.deepEqual(Object.keys(json.error), ['code', 'message']);
        assert.ok(!text.includes(SECRET));
      }
    }
    for (const elsewhere of [`/api/sessions?token=${view.token}`, '/api/sessions']) {
      const headers = { cookie: `token=${view.token}`, referer: view.url };
      assert.equal(
        (await view.ask(elsewhere, { token: null, headers })).status,
        401,
        'neither in the address nor in a cookie',
      );
    }
    assert.match(view.token, /^[\w-]{43}$/);
  });

  test('answers by its own name only: a page elsewhere whose name leads here gets nothing', async () => {
    const { port } = new URL(view.origin);
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      `127.0.0.1:${Number(port) + 1}`,
      `127.0.0.1.evil.example:${port}`,
    ]) {
      for (const path of ['/', '/page.js', '/api/sessions']) {
        const { status } = await view.ask(path, { headers: { host } });
        assert.ok(status === 403 || status === 400, `${host}: ${status}`);
      }
    }
    assert.equal((await view.ask('/api/sessions', { headers: { host: `localhost:${port}` } })).status, 200);
  });

  test('lets nobody else’s page read it, and no page frame it', async () => {
    for (const path of ['/', '/page.js', '/page.css', '/api/sessions', '/nothing']) {
      const { headers } = await view.ask(path, { headers: { origin: 'https://evil.example' } });
      assert.deepEqual(
        Object.keys(headers).filter((name) => name.startsWith('access-control')),
        [],
      );
      assert.match(String(headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/);
      assert.doesNotMatch(String(headers['content-security-policy']), /unsafe/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'no-referrer');
      assert.equal(headers['cache-control'], 'no-store');
    }
    assert.equal((await view.ask('/api/sessions', { method: 'OPTIONS' })).status, 405);
  });

  test('can’t be changed', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, headers } = await view.ask('/api/sessions', { method });
      assert.deepEqual([status, headers.allow], [405, 'GET, HEAD']);
    }
  });

  test('serves nothing but what is listed, however the path is written', async () => {
    const up = [
      '../package.json',
      '..%2fpackage.json',
      '%2e%2e/package.json',
      '....//package.json',
      '/etc/passwd',
      '%2fetc%2fpasswd',
    ];
    const paths = up.flatMap((path) => [
      `/${path}`,
      `/api/${path}`,
      `/api/sessions/${path}`,
      `/api/sessions/${id}/${path}`,
    ]);
    const more = [
      '/api/sessions/',
      `/api/sessions/${id}/`,
      `/api/sessions/${id.toUpperCase()}x`,
      '/dist/page.js',
      '//api/sessions',
      'http://127.0.0.1/api/sessions',
      '/%',
      '/api/sessions/0',
      '/api/stats/',
      '/\u0000'.replace('\u0000', '%00'),
    ];
    for (const path of [...paths, ...more]) {
      const { status, text } = await view.ask(path);
      assert.equal(status, 404, path);
      assert.ok(!text.includes(SECRET) && !text.includes('root:') && !text.includes('"dependencies"'), path);
    }
  });

  test('shows no session that a link leads to outside of the given paths, and says how many there are', async () => {
    const { json } = await view.ask('/api/sessions');
    assert.deepEqual(
      json.sessions.map((/** @type {any} */ session) => session.project),
      ['/home/me/project', '/home/me/other'],
    );
    assert.equal(json.outside, 1);
    assert.match(view.said(), /^1 file lies elsewhere, behind a link; it isn’t shown$/m);
  });

  test('opens nothing with the token of another run, such as a browser’s history has', async () => {
    const later = await startView(['sessions']);
    try {
      assert.equal((await later.ask('/api/sessions', { token: view.token })).status, 401);
      assert.equal((await later.ask('/api/sessions')).status, 200);
    } finally {
      await later.end();
    }
  });

  test('says where it listens, on loopback, and nothing of the sessions’ content', async () => {
    assert.match(view.url, /^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/);
    await view.ask('/api/sessions/0000000000000000');
    assert.ok(!view.said().includes(SECRET));
  });

  test('gives a session’s picture, messages, conversation, account and compressions', async () => {
    assertPicture((await view.ask(`/api/sessions/${id}`)).json);
    for (const [rest, names] of fields) {
      const { status, json } = await view.ask(`/api/sessions/${id}${rest}`);
      assert.deepEqual([status, Object.keys(json).sort()], [200, names], rest);
    }
    const { json: stats } = await view.ask(`/api/stats?session=${id}`);
    assert.ok(stats.session === id && stats.bill.waterfall.paid > 0 && stats.simulations.length > 0);
    assert.deepEqual((await view.ask(`/api/history?session=${id}`)).json, { session: id, points: [] });
    assert.equal((await view.ask('/api/sessions/0000000000000000')).json.error.code, 'ERR_NO_SESSION');
    const { json: none } = await view.ask(`/api/sessions/${id}/conversation?thread=7`);
    assert.deepEqual(none, { points: [], messages: [] }, 'a thread that there isn’t');
    assert.equal((await view.ask(`/api/sessions/${id}/conversation?thread=x`)).status, 400);
    for (const range of ['from=0&to=501', 'from=3&to=1', 'from=-1', 'from=x', 'to=1e9']) {
      assert.equal((await view.ask(`/api/sessions/${id}/messages?${range}`)).status, 400, range);
    }
    assert.equal((await view.ask('/api/stats?session=0000000000000000')).status, 404);
  });

  test('gives messages as they are, and what of them is asked for', async () => {
    const { json } = await view.ask(`/api/sessions/${id}/messages?from=0&to=1`);
    assert.deepEqual([json.total, json.messages.length], [7, 1]);
    assert.deepEqual(json.messages[0].parts, [{ type: 'text', text: HOSTILE }]);
  });

  test('names the lost cache and its cause, in the picture as in the figures', async () => {
    const { json } = await view.ask(`/api/sessions/${id}`);
    const busts = json.threads[0].requests.map((/** @type {any} */ request) => request.bust?.cause ?? null);
    assert.deepEqual(busts, [null, null, 'idle']);
    const { json: stats } = await view.ask(`/api/stats?session=${id}`);
    assert.deepEqual(
      stats.bill.busts.map((/** @type {any} */ bust) => bust.cause),
      ['idle'],
    );
  });

  test('B8 the picture knows the window of the thread’s model', async () => {
    const { json } = await view.ask(`/api/sessions/${id}`);
    assert.equal(json.threads[0].contextWindow, new TokenCounter({ model: json.models[0] }).contextWindow);
    assert.ok(json.threads[0].contextWindow >= 200_000);
  });

  test('follows a session that grows, by what its file holds, with a last line that is torn', async () => {
    const path = join(directory, 'sessions', 'inner', 'b.jsonl');
    const { json: list } = await view.ask('/api/sessions');
    const { id: growing } = list.sessions.find((/** @type {any} */ session) => session.path.endsWith('b.jsonl'));
    const first = await view.ask(`/api/sessions/${growing}`);
    const etag = String(first.headers.etag);
    const again = await view.ask(`/api/sessions/${growing}`, { headers: { 'if-none-match': etag } });
    assert.deepEqual([again.status, again.text], [304, '']);
    const lines = claudeCode(turns, '/home/me/other').split('\n').slice(3);
    appendFileSync(path, `${lines[0]}\n${lines[1]}\n${lines[2]?.slice(0, 40)}`);
    const grown = await view.ask(`/api/sessions/${growing}`, { headers: { 'if-none-match': etag } });
    assert.equal(grown.status, 200);
    assert.deepEqual([first.json.threads[0].requests.length, grown.json.threads[0].requests.length], [1, 2]);
  });

  test('reads no file that has become a link out of the given paths, and says when one is gone', async () => {
    const path = join(directory, 'sessions', 'inner', 'c.jsonl');
    writeFileSync(path, claudeCode(turns, '/home/me/third'));
    const moved = await startView(['sessions']);
    const { json: list } = await moved.ask('/api/sessions');
    const { id: third } = list.sessions.find((/** @type {any} */ session) => session.path.endsWith('c.jsonl'));
    unlinkSync(path);
    const gone = await moved.ask(`/api/sessions/${third}`);
    assert.deepEqual([gone.status, gone.json.error.code], [409, 'ERR_GONE']);
    symlinkSync(join(directory, 'elsewhere', 'secret.jsonl'), path);
    for (const rest of ['', '/messages', '/conversation']) {
      const { status, json } = await moved.ask(`/api/sessions/${third}${rest}`);
      assert.deepEqual([status, json.error.code], [409, 'ERR_OUTSIDE']);
    }
    unlinkSync(path);
    await moved.end();
  });
});

describe('R8.3 palimpsest view', () => {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    test(`ends on ${signal} at once, with a page still connected, and with exit code 0`, async () => {
      const view = await startView([file('one.jsonl', claudeCode(turns))]);
      const open = await fetch(`${view.origin}/`, { headers: { connection: 'keep-alive' } });
      await open.text();
      assert.deepEqual(await view.end(signal), { code: 0, signal: null });
      await assert.rejects(fetch(view.origin));
    });
  }

  test('takes a port, and says so when that is taken', async () => {
    const taken = createServer();
    await new Promise((resolve) => taken.listen(0, '127.0.0.1', () => resolve(undefined)));
    const { port } = /** @type {import('node:net').AddressInfo} */ (taken.address());
    const { status, stdout, stderr } = palimpsest([
      'view',
      '--port',
      String(port),
      file('one.jsonl', claudeCode(turns)),
    ]);
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, new RegExp(`^palimpsest view: --port: port ${port} is taken; without --port`));
    await new Promise((resolve) => taken.close(resolve));
    const view = await startView(['--port', String(port), 'one.jsonl']);
    assert.equal(new URL(view.origin).port, String(port));
    await view.end();
  });

  test('says what is wrong with a command line, and what was meant', () => {
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

  test('says what it couldn’t show: no file, no session, no session in a folder', () => {
    mkdirSync(join(directory, 'empty'), { recursive: true });
    for (const [path, expected] of /** @type {[string, RegExp][]} */ ([
      ['nowhere.jsonl', /nowhere\.jsonl: /],
      [file('odd.json', '{"a": 1}'), /odd\.json: .*(expected|known)/i],
      ['empty', /no sessions found; known are those of .*Claude Code/],
    ])) {
      const { status, stdout, stderr } = palimpsest(['view', path]);
      assert.deepEqual([status, stdout], [1, ''], path);
      assert.match(stderr, expected);
    }
  });
});

describe('R8.3 palimpsest view --export', () => {
  test('writes one file with everything in it, in which no content ends a script or begins one', () => {
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
    assert.equal(title, picture.bill.paid.toFixed(2), 'the picture says what the page says');
    for (const content of [SECRET, 'onerror', 'a.ts', 'Read', 'go on', 'project', '/home/me', 'one.jsonl']) {
      assert.ok(!bill.includes(content), `no content is in what is shared: ${content}`);
    }
  });

  test('writes over nothing unless it is told to', () => {
    const name = file('kept.html', 'mine');
    const refused = palimpsest(['view', 'one.jsonl', '--export', name]);
    assert.equal(refused.status, 2);
    assert.match(refused.stderr, /kept\.html exists; --force writes over it/);
    const drawn = file('drawn.svg', 'mine');
    assert.match(palimpsest(['view', 'one.jsonl', '--export', 'drawn.html']).stderr, /drawn\.svg exists/);
    assert.equal(readFileSync(join(directory, drawn), 'utf8'), 'mine');
    assert.ok(!existsSync(join(directory, 'drawn.html')), 'both are written, or none');
    assert.equal(readFileSync(join(directory, name), 'utf8'), 'mine');
    assert.equal(palimpsest(['view', 'one.jsonl', '--export', name, '--force']).status, 0);
    assert.match(readFileSync(join(directory, name), 'utf8'), /^<!doctype html>/);
  });
});

describe('R8.1 a host’s own list', () => {
  test('shows its compressions with their figures, oldest first, and holds the messages as the host keeps them', async () => {
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
  test('prints each compression with its figures, its summary and what it stands for, without colours into a pipe', () => {
    const compacted = [
      ...turns,
      { minute: 31, said: 'behind it', compacted: 'What was done so far: everything.', usage: [0, 0, 21_000] },
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

const skip = !hasRecordings && !process.env.CI ? 'no recordings beside the repository' : false;

describe('R8.3 recorded sessions', { skip }, () => {
  test('every recording is listed with the bill of its picture, and can be read', async () => {
    const view = await startView([recordings]);
    const { json } = await view.ask('/api/sessions');
    assert.ok(json.sessions.length > 30, `${json.sessions.length} sessions`);
    for (const { id, path, bill, busts } of json.sessions) {
      const { json: picture } = await view.ask(`/api/sessions/${id}`);
      assertPicture(picture);
      assert.equal(bill?.paid ?? null, picture.bill?.paid ?? null, path);
      const losses = picture.bill?.losses.flatMap((/** @type {any} */ { requests }) => requests).length ?? null;
      assert.equal(busts, losses, path);
      for (const [rest, names] of fields) {
        const answer = await view.ask(`/api/sessions/${id}${rest}`);
        assert.deepEqual([answer.status, Object.keys(answer.json).sort()], [200, names], path);
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
