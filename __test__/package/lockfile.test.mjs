// @ts-check
/** The lock files: packages of all platforms, no addresses of registries, and a digest for each package. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { complete, missingPackages, withDigests, withoutIntegrity } from '../../scripts/complete-lock.mjs';
import { digests, NODE_22, nodeProgram } from '../../scripts/programs.mjs';
import { lockFaults } from '../../scripts/release.mjs';

const read = (path) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));
const lock = read('package-lock.json');

test('both lock files hold the packages of all platforms', () => {
  assert.deepEqual(missingPackages(lock), []);
  assert.deepEqual(missingPackages(read('site/package-lock.json')), []);
});

test('neither lock file names a registry, so npm ci uses the configured one', () => {
  for (const { packages } of [lock, read('site/package-lock.json')]) {
    const bound = Object.entries(packages).filter(([, { resolved }]) => /^https?:/.test(resolved ?? ''));
    assert.deepEqual(
      bound.map(([path]) => path),
      [],
    );
  }
});

test('every program that runs the package has a version and a digest, and Node.js 22 has them for five platforms', () => {
  for (const [spec, digest] of Object.entries(digests)) {
    assert.match(spec, /^[@\w/-]+@\d+\.\d+\.\d+$/);
    assert.match(digest, /^sha512-[\w+/]{86}==$/, spec);
  }
  for (const machine of ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64']) {
    assert.ok(nodeProgram(NODE_22, machine) !== undefined, machine);
  }
});

test('complete adds the platform packages that npm left out, with the platform that their names contain', () => {
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

test('every locked package has a digest', () => {
  for (const lockFile of [lock, read('site/package-lock.json')]) {
    assert.deepEqual(
      withoutIntegrity(lockFile).map(({ spec }) => spec),
      [],
    );
  }
});

test('withDigests requests missing digests, and lockFaults names the packages that have none', async () => {
  const inner = 'node_modules/a/node_modules/@b/c';
  const packages = {
    '': { version: '1.0.0' },
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
    [inner]: { version: '2.0.0', dev: true },
    'node_modules/d': { name: 'real-d', version: '3.0.0' },
    'node_modules/linked': { link: true },
  };
  const requested = [];
  const completed = await withDigests({ packages }, async (spec) => {
    requested.push(spec);
    return spec === '@b/c@2.0.0' ? 'sha512-c' : undefined;
  });
  assert.deepEqual(requested.sort(), ['@b/c@2.0.0', 'real-d@3.0.0']);
  const entry = { version: '2.0.0', integrity: 'sha512-c', dev: true };
  assert.deepEqual(completed.packages, { ...packages, [inner]: entry });
  assert.deepEqual(Object.keys(completed.packages[inner] ?? {}), Object.keys(entry));
  assert.deepEqual(lockFaults(completed), [
    'package-lock.json has no integrity for real-d@3.0.0: npm run lock, where the registry has them',
  ]);
});
