// @ts-check
/** The HTTP server of `palimpsest view`: its responses, who may read them, and that it serves nothing else. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { TokenCounter } from 'palimpsest';
import { claudeCode } from '../support/claude-code.mjs';
import { directory } from '../support/command.mjs';
import { assertPicture, fieldsByPath, HOSTILE, SECRET, startView, turns } from '../support/view-server.mjs';

describe('R8.3 the server of palimpsest view', () => {
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

  test('answers 401 to API requests without the right token in their Authorization header', async () => {
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
        'a token in the address or in a cookie is not accepted',
      );
    }
    assert.match(view.token, /^[\w-]{43}$/);
  });

  test('refuses requests with another Host header, such as a rebound DNS name', async () => {
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

  test('allows no other origin, and no page to frame it', async () => {
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

  test('answers 405 to POST, PUT, PATCH and DELETE', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, headers } = await view.ask('/api/sessions', { method });
      assert.deepEqual([status, headers.allow], [405, 'GET, HEAD']);
    }
  });

  test('answers 404 to every other path, however it is encoded', async () => {
    const escapingPaths = [
      '../package.json',
      '..%2fpackage.json',
      '%2e%2e/package.json',
      '....//package.json',
      '/etc/passwd',
      '%2fetc%2fpasswd',
    ];
    const paths = escapingPaths.flatMap((path) => [
      `/${path}`,
      `/api/${path}`,
      `/api/sessions/${path}`,
      `/api/sessions/${id}/${path}`,
    ]);
    const unknownPaths = [
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
    for (const path of [...paths, ...unknownPaths]) {
      const { status, text } = await view.ask(path);
      assert.equal(status, 404, path);
      assert.ok(!text.includes(SECRET) && !text.includes('root:') && !text.includes('"dependencies"'), path);
    }
  });

  test('lists no session that is linked from outside the given paths, and prints their number', async () => {
    const { json } = await view.ask('/api/sessions');
    assert.deepEqual(
      json.sessions.map((/** @type {any} */ session) => session.project),
      ['/home/me/project', '/home/me/other'],
    );
    assert.equal(json.outside, 1);
    assert.match(view.output(), /^1 file lies elsewhere, behind a link; it isn’t shown$/m);
  });

  test('answers 401 to the token of an earlier run, which a browser’s history may have', async () => {
    const laterView = await startView(['sessions']);
    try {
      assert.equal((await laterView.ask('/api/sessions', { token: view.token })).status, 401);
      assert.equal((await laterView.ask('/api/sessions')).status, 200);
    } finally {
      await laterView.end();
    }
  });

  test('prints its address on loopback, and no content of sessions', async () => {
    assert.match(view.url, /^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/);
    await view.ask('/api/sessions/0000000000000000');
    assert.ok(!view.output().includes(SECRET));
  });

  test('serves a session’s picture, messages, conversation, bill and compressions', async () => {
    assertPicture((await view.ask(`/api/sessions/${id}`)).json);
    for (const [rest, names] of fieldsByPath) {
      const { status, json } = await view.ask(`/api/sessions/${id}${rest}`);
      assert.deepEqual([status, Object.keys(json).sort()], [200, names], rest);
    }
    const { json: stats } = await view.ask(`/api/stats?session=${id}`);
    assert.ok(stats.session === id && stats.bill.waterfall.paid > 0 && stats.simulations.length > 0);
    assert.deepEqual((await view.ask(`/api/history?session=${id}`)).json, { session: id, points: [] });
    assert.equal((await view.ask('/api/sessions/0000000000000000')).json.error.code, 'ERR_NO_SESSION');
    const { json: none } = await view.ask(`/api/sessions/${id}/conversation?thread=7`);
    assert.deepEqual(none, { points: [], messages: [] }, 'a thread that doesn’t exist');
    assert.equal((await view.ask(`/api/sessions/${id}/conversation?thread=x`)).status, 400);
    for (const range of ['from=0&to=501', 'from=3&to=1', 'from=-1', 'from=x', 'to=1e9']) {
      assert.equal((await view.ask(`/api/sessions/${id}/messages?${range}`)).status, 400, range);
    }
    assert.equal((await view.ask('/api/stats?session=0000000000000000')).status, 404);
  });

  test('serves the requested range of messages, unchanged', async () => {
    const { json } = await view.ask(`/api/sessions/${id}/messages?from=0&to=1`);
    assert.deepEqual([json.total, json.messages.length], [7, 1]);
    assert.deepEqual(json.messages[0].parts, [{ type: 'text', text: HOSTILE }]);
  });

  test('serves a lost cache and its cause, in the picture and in the bill', async () => {
    const { json } = await view.ask(`/api/sessions/${id}`);
    const busts = json.threads[0].requests.map((/** @type {any} */ request) => request.bust?.cause ?? null);
    assert.deepEqual(busts, [null, null, 'idle']);
    const { json: stats } = await view.ask(`/api/stats?session=${id}`);
    assert.deepEqual(
      stats.bill.busts.map((/** @type {any} */ bust) => bust.cause),
      ['idle'],
    );
  });

  test('R7.3 the picture has the context window of the thread’s model', async () => {
    const { json } = await view.ask(`/api/sessions/${id}`);
    assert.equal(json.threads[0].contextWindow, new TokenCounter({ model: json.models[0] }).contextWindow);
    assert.ok(json.threads[0].contextWindow >= 200_000);
  });

  test('serves a session again after its file grew, also if the last line is torn, and 304 before', async () => {
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

  test('answers 409 for a file that was removed, or became a link to outside the given paths', async () => {
    const path = join(directory, 'sessions', 'inner', 'c.jsonl');
    writeFileSync(path, claudeCode(turns, '/home/me/third'));
    const otherView = await startView(['sessions']);
    const { json: list } = await otherView.ask('/api/sessions');
    const { id: third } = list.sessions.find((/** @type {any} */ session) => session.path.endsWith('c.jsonl'));
    unlinkSync(path);
    const removed = await otherView.ask(`/api/sessions/${third}`);
    assert.deepEqual([removed.status, removed.json.error.code], [409, 'ERR_GONE']);
    symlinkSync(join(directory, 'elsewhere', 'secret.jsonl'), path);
    for (const rest of ['', '/messages', '/conversation']) {
      const { status, json } = await otherView.ask(`/api/sessions/${third}${rest}`);
      assert.deepEqual([status, json.error.code], [409, 'ERR_OUTSIDE']);
    }
    unlinkSync(path);
    await otherView.end();
  });
});
