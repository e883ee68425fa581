// @ts-check
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { complete, missingPackages } from '../scripts/complete-lock.mjs';

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));

test('package-lock.json holds the packages of all platforms, not only of the one it was made on', () => {
  assert.deepEqual(missingPackages(lock), []);
});

test('package-lock.json names no registry, so that npm ci asks whichever one is configured', () => {
  const bound = Object.entries(lock.packages).filter(([, { resolved }]) => /^https?:/.test(resolved ?? ''));
  assert.deepEqual(
    bound.map(([path]) => path),
    [],
  );
});

test('a platform package that npm left out comes back with the platform that its name says', () => {
  const platforms = Object.keys(lock.packages).filter((path) => /-linux-x64-(gnu|musl)$|-darwin-arm64$/.test(path));
  assert.ok(platforms.length > 0);
  const kept = Object.entries(lock.packages).filter(([path]) => !platforms.includes(path));
  const completed = complete({ ...lock, packages: Object.fromEntries(kept) });
  assert.deepEqual(Object.keys(completed.packages).sort(), Object.keys(lock.packages).sort());
  for (const path of platforms) {
    const { cpu, dev, optional, os, version } = lock.packages[path];
    const { libc: _, ...restored } = completed.packages[path] ?? {};
    assert.deepEqual(restored, { version, dev, optional, cpu, os }, path);
  }
});
