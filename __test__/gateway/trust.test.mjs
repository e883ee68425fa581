// @ts-check
/** Who may use the gateway, and what its files may contain. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { FactFiles } from '../../bin/gateway/fact-files.mjs';
import { HEADERS, KEY, KINDS, send, startGateway, startUpstream, temporaryFolder } from '../support/gateway.mjs';

const { path, body } = KINDS.anthropic;

describe('access to the gateway', () => {
  test('a request without the token, or with another one, is refused and not forwarded', async (t) => {
    const upstream = await startUpstream(t);
    const { urls, gateway } = await startGateway(t, { upstream: upstream.url });
    const { origin, pathname } = new URL(urls.anthropic);
    const token = pathname.split('/')[1] ?? '';
    assert.ok(token.length >= 43, 'it has 256 bits');
    const tried = ['/anthropic', `/${token.slice(1)}/anthropic`, `/${token}x/anthropic`, `//${token}/anthropic`, ''];
    for (const start of tried) assert.equal((await send(`${origin}${start}/v1/messages`, { body: '{}' })).status, 403);
    assert.equal((await send(`${origin}/${token}/elsewhere/v1/messages`, { body: '{}' })).status, 404);
    assert.equal(upstream.received.length, 0);
    assert.equal(gateway.counts.requests, 0);
  });

  test('two gateways have different tokens', async (t) => {
    const [one, other] = await Promise.all([1, 2].map(() => startGateway(t, { upstream: 'http://127.0.0.1:9' })));
    assert.notEqual(new URL(one.urls.openai).pathname, new URL(other.urls.openai).pathname);
  });

  test('a request with another Host header is refused with 403', async (t) => {
    const upstream = await startUpstream(t);
    const { urls } = await startGateway(t, { upstream: upstream.url });
    for (const host of ['evil.example', '127.0.0.1', `127.0.0.1.evil.example:${new URL(urls.anthropic).port}`]) {
      assert.equal((await send(`${urls.anthropic}${path}`, { body: '{}', headers: { host } })).status, 403);
    }
    assert.equal(upstream.received.length, 0);
  });

  test('the gateway refuses connections to the machine’s other addresses', async (t) => {
    const { urls } = await startGateway(t, { upstream: 'http://127.0.0.1:9' });
    const outside = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .find(({ internal, family }) => !internal && family === 'IPv4');
    if (outside === undefined) return t.skip('this machine has no other address');
    const url = new URL(urls.anthropic);
    url.hostname = outside.address;
    await assert.rejects(send(String(url), { method: 'GET' }), /ECONNREFUSED/);
  });
});

describe('files of the gateway', () => {
  test('a file has times and fingerprints, and no key, content or session id', async (t) => {
    const upstream = await startUpstream(t);
    const folder = join(temporaryFolder(t), 'state');
    const { urls } = await startGateway(t, { upstream: upstream.url, folder });
    const request = { ...body(3), metadata: { user_id: 'user_1_account__session_secret-session' } };
    await send(`${urls.anthropic}${path}`, { body: JSON.stringify(request), headers: HEADERS });
    const names = readdirSync(folder);
    assert.equal(names.length, 1);
    const text = readFileSync(join(folder, names[0]), 'utf8');
    for (const word of [
      KEY,
      'checks',
      'check 1',
      'secret-session',
      'step 1',
      'You are',
      urls.anthropic.split('/')[3],
    ]) {
      assert.ok(!text.includes(word) && !names[0].includes(word), word);
    }
    for (const line of text.trimEnd().split('\n')) {
      const { fact, atMs, ...otherFields } = JSON.parse(line);
      assert.deepEqual(otherFields, {});
      assert.ok(Number.isFinite(atMs));
      const allowed = ['type', 'length', 'mark', 'isUndecided', 'again'];
      assert.deepEqual(
        Object.keys(JSON.parse(fact)).filter((key) => !allowed.includes(key)),
        [],
      );
    }
  });

  test('only the owner can read the files and their folder, also if the folder existed with other rights', {
    skip: process.platform === 'win32',
  }, async (t) => {
    const folder = temporaryFolder(t);
    const files = new FactFiles(folder);
    files.addFacts('a b', ['{}']);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(statSync(join(folder, 'a.facts')).mode & 0o777, 0o600);
  });

  test('R15.3 a request is sent although the files can’t be written', async (t) => {
    const upstream = await startUpstream(t);
    const folder = join(temporaryFolder(t), 'state');
    writeFileSync(folder, 'a file where the folder should be');
    const { urls, gateway } = await startGateway(t, { upstream: upstream.url, folder });
    const text = JSON.stringify(body(2));
    assert.equal((await send(`${urls.anthropic}${path}`, { body: text })).status, 200);
    assert.equal(upstream.received[0]?.body.toString(), text);
    assert.equal(gateway.counts.requests, 1);
  });
});

describe('FactFiles', () => {
  test('R15.2 appendFacts appends nothing if another process appended first, and returns its facts', (t) => {
    const folder = temporaryFolder(t);
    const [one, other] = [new FactFiles(folder, () => 1), new FactFiles(folder, () => 2)];
    assert.deepEqual(one.appendFacts('s a', 0, ['x']), [{ fact: 'x', atMs: 1 }]);
    assert.deepEqual(other.appendFacts('s b', 0, ['y']), [{ fact: 'x', atMs: 1 }]);
    assert.deepEqual(other.appendFacts('s b', 1, ['y']), [{ fact: 'y', atMs: 2 }]);
    assert.deepEqual(
      one.facts('s a').map(({ fact }) => fact),
      ['x', 'y'],
    );
    assert.deepEqual(one.appendFacts('s a', 5, ['z']), []);
  });

  test('appendFacts ignores a line that is cut off, and appends after it', (t) => {
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, 's.facts'), '{"fact":"x","atMs":1}\n{"fact":"y","at');
    const files = new FactFiles(folder, () => 2);
    assert.deepEqual(files.appendFacts('s a', 1, ['z']), [{ fact: 'z', atMs: 2 }]);
    assert.deepEqual(
      new FactFiles(folder).facts('s a').map(({ fact }) => fact),
      ['x', 'z'],
    );
  });
});
