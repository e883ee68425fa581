// @ts-check
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { complete, missingPackages, withDigests, withoutIntegrity } from '../../scripts/complete-lock.mjs';
import { digests, NODE_22, nodeProgram } from '../../scripts/programs.mjs';
import { lockFaults } from '../../scripts/release.mjs';

const read = (path) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));
const lock = read('package-lock.json');

test('package-lock.json holds the packages of all platforms, not only of the one it was made on', () => {
  assert.deepEqual(missingPackages(lock), []);
  assert.deepEqual(missingPackages(read('site/package-lock.json')), []);
});

test('package-lock.json names no registry, so that npm ci asks whichever one is configured', () => {
  for (const { packages } of [lock, read('site/package-lock.json')]) {
    const bound = Object.entries(packages).filter(([, { resolved }]) => /^https?:/.test(resolved ?? ''));
    assert.deepEqual(
      bound.map(([path]) => path),
      [],
    );
  }
});

test('20 C20 every program that the package is run with is pinned by its digest, Node.js 22 for each platform that it is looked for on', () => {
  for (const [spec, digest] of Object.entries(digests)) {
    assert.match(spec, /^[@\w/-]+@\d+\.\d+\.\d+$/);
    assert.match(digest, /^sha512-[\w+/]{86}==$/, spec);
  }
  for (const machine of ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64']) {
    assert.ok(nodeProgram(NODE_22, machine) !== undefined, machine);
  }
});

test('platform packages that npm left out come back with the platform that their names say', () => {
  const locked = Object.entries(lock.packages);
  // fsevents is for one system and every processor; its name says neither.
  const platforms = locked.filter(([, { cpu, optional, os }]) => optional === true && os && cpu !== undefined);
  assert.ok(platforms.length > 50);
  const others = locked.filter((entry) => !platforms.includes(entry));
  const completed = complete({ ...lock, packages: Object.fromEntries(others) });
  assert.deepEqual(Object.keys(completed.packages).sort(), Object.keys(lock.packages).sort());
  for (const [path, { cpu, dev, optional, os, version }] of platforms) {
    const { libc: _, ...restored } = completed.packages[path] ?? {};
    assert.deepEqual(restored, { version, dev, optional, cpu, os }, path);
  }
});

test('20 C20 every locked package has a digest', () => {
  for (const each of [lock, read('site/package-lock.json')]) {
    assert.deepEqual(
      withoutIntegrity(each).map(({ spec }) => spec),
      [],
    );
  }
});

test('20 C20 a digest that is missing is asked for, and a release names what is without', async () => {
  const inner = 'node_modules/a/node_modules/@b/c';
  const packages = {
    '': { version: '1.0.0' },
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
    [inner]: { version: '2.0.0', dev: true },
    'node_modules/d': { name: 'real-d', version: '3.0.0' },
    'node_modules/linked': { link: true },
  };
  const asked = [];
  const completed = await withDigests({ packages }, async (spec) => {
    asked.push(spec);
    return spec === '@b/c@2.0.0' ? 'sha512-c' : undefined;
  });
  assert.deepEqual(asked.sort(), ['@b/c@2.0.0', 'real-d@3.0.0']);
  const entry = { version: '2.0.0', integrity: 'sha512-c', dev: true };
  assert.deepEqual(completed.packages, { ...packages, [inner]: entry });
  assert.deepEqual(Object.keys(completed.packages[inner] ?? {}), Object.keys(entry));
  assert.deepEqual(lockFaults(completed), [
    'package-lock.json has no integrity for real-d@3.0.0: npm run lock, where the registry has them',
  ]);
});
