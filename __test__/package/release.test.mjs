// @ts-check
/** Releases: platform packages, addons, licences, the release script and the workflows. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ADDONS, addonFile, builtFor, glibcVersions } from '../../scripts/addons.mjs';
import { mainManifest, platformFiles, platformOf, repository } from '../../scripts/platform-packages.mjs';
import { PLUGINS, stageRelease } from '../../scripts/release.mjs';
import { addonBom } from '../../scripts/sbom.mjs';
import { committedLicences, licenceFaults, titlesIn } from '../../scripts/third-party-licenses.mjs';
import { GLIBC_OF_LOCAL_BUILDS, madeUpAddon, makeAddons, platform } from '../support/published.mjs';

const { PLATFORMS } = createRequire(import.meta.url)('../../lib/native-addon.js');
const targets = mainManifest().napi.targets.map(platformOf);
const platforms = targets.map((target) => target.platform);
const other = platforms.find((name) => name !== platform) ?? '';
const newestGlibc = GLIBC_OF_LOCAL_BUILDS;

describe('the platform packages', () => {
  it('npm/ has the files that are generated from the targets in package.json, and no others', () => {
    const committed = readdirSync(join(repository, 'npm'), { recursive: true, withFileTypes: true });
    const files = committed.filter((entry) => entry.isFile() && !entry.name.endsWith('.node'));
    const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(join(repository, 'npm/').length));
    const expected = platformFiles();
    assert.deepEqual(paths.map((path) => path.replaceAll('\\', '/')).sort(), [...expected.keys()].sort());
    for (const [path, content] of expected) assert.equal(readFileSync(join(repository, 'npm', path), 'utf8'), content);
  });

  it('the loader supports the platforms that have packages, and no others', () => {
    assert.deepEqual([...PLATFORMS].sort(), platforms.toSorted());
    const linux = ['linux-arm64-gnu', 'linux-arm64-musl', 'linux-x64-gnu', 'linux-x64-musl'];
    const others = ['darwin-arm64', 'darwin-x64', 'win32-arm64-msvc', 'win32-x64-msvc'];
    assert.deepEqual(platforms.toSorted(), [...linux, ...others].sort());
  });

  it('package.json, lib/ and both addons have the same version', () => {
    const { version } = mainManifest();
    const require = createRequire(import.meta.url);
    assert.equal(require('../../lib/version.js').version, version);
    assert.equal(require('../../lib/native.js').addonVersion(), version);
    assert.equal(require('../../lib/native-cli.js').cliAddon().addonVersion(), version);
  });
});

for (const { name } of ADDONS)
  describe(`the addon ${name} that was built here`, { skip: process.platform !== 'linux' && 'not on Linux' }, () => {
    const addon = () => readFileSync(join(repository, addonFile(platform, name)));

    it('has a header for this platform', () => {
      assert.equal(builtFor(addon()), platform);
    });

    // A release is built with the headers of an older glibc and checked more strictly; this test finds the same defect earlier.
    it(`requires no glibc newer than ${GLIBC_OF_LOCAL_BUILDS}`, () => {
      const tooNew = glibcVersions(addon()).filter(
        (version) => version.localeCompare(GLIBC_OF_LOCAL_BUILDS, 'en', { numeric: true }) > 0,
      );
      assert.deepEqual(tooNew, []);
    });
  });

describe('THIRD-PARTY-LICENSES', () => {
  const committed = committedLicences();

  it('has every crate that cargo names for any platform, and no other', () => {
    assert.deepEqual(licenceFaults(), []);
  });

  it('is reported by the crate’s name if one crate is missing', () => {
    const ring = [...titlesIn(committed)].find((title) => title.startsWith('ring '));
    const [fault = ''] = licenceFaults(committed.replaceAll(`${ring}\n`, ''));
    assert.equal(fault, `THIRD-PARTY-LICENSES is out of date and lacks ${ring}: npm run licenses`);
  });

  it('has a licence text for each crate, from its repository if the crate has none', () => {
    assert.ok(titlesIn(committed).size > 100);
    for (const [name, holder] of [
      ['napi ', 'Copyright (c) 2018 GitHub'],
      ['napi-sys ', 'Copyright (c) 2020 LongYinan'],
      ['ring ', 'BoringSSL'],
      ['rusqlite ', 'The rusqlite developers'],
    ]) {
      assert.ok(
        [...titlesIn(committed)].some((title) => title.startsWith(/** @type {string} */ (name))),
        name,
      );
      assert.ok(committed.includes(/** @type {string} */ (holder)), name);
    }
  });

  it('has no licence that NOTICE.md does not name, except MIT and Apache-2.0', () => {
    const notice = readFileSync(join(repository, 'NOTICE.md'), 'utf8');
    const named = [...titlesIn(committed)].map((title) => /^\S+ \S+, (.*), \S+( \S+)*$/.exec(title)?.[1] ?? title);
    const binding = named.flatMap((licence) => licence.split(' AND ')).filter((part) => !/MIT|Apache-2\.0/.test(part));
    assert.ok(binding.length > 10);
    assert.deepEqual(
      [...new Set(binding)].filter((licence) => !notice.includes(licence)),
      [],
    );
  });

  it('stops a release if a licence is missing', () => {
    assert.throws(
      () => stageRelease({ addons: '/nowhere', staging: '/nowhere', known: ['one is missing'] }),
      /not ready for release:(.|\n)*one is missing/,
    );
  });
});

it('the bill of materials of an addon lists each crate linked on its platform, with digest and licence', () => {
  const { target, platform: name } = targets.find((one) => one.platform === 'win32-x64-msvc') ?? assert.fail();
  const { components, metadata } = /** @type {any} */ (addonBom(target, 'palimpsest-cli'));
  assert.equal(metadata.component.name, `palimpsest-cli-${name}`);
  const titles = titlesIn(committedLicences());
  for (const { hashes, licenses, name, purl, version } of components) {
    assert.match(hashes[0].content, /^[0-9a-f]{64}$/);
    assert.match(licenses[0].expression, /^[\w.()-]+( (AND|OR|WITH) [\w.()-]+)*$/, name);
    assert.equal(purl, `pkg:cargo/${name}@${version}`);
    assert.ok(
      [...titles].some((title) => title.startsWith(`${name} ${version}, `)),
      name,
    );
  }
  const names = components.map((/** @type {{ name: string }} */ component) => component.name);
  assert.ok(names.includes('windows-sys') && names.includes('reqwest') && !names.includes('proptest'), names.join());
  const ofLibrary = /** @type {any} */ (addonBom(target, 'palimpsest')).components;
  assert.ok(ofLibrary.length < components.length / 2, `${ofLibrary.length} of ${components.length}`);
  assert.ok(!ofLibrary.some((/** @type {{ name: string }} */ component) => component.name === 'reqwest'));
});

describe('the release script', () => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-release-'));
  const addons = makeAddons(join(folder, 'addons'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** @param {string} name @param {(copy: string) => void} damage @param {object} [options] */
  const stagingError = (name, damage, options) => {
    const copy = join(folder, `${name}-addons`);
    cpSync(addons, copy, { recursive: true });
    damage(copy);
    const staging = join(folder, `${name}-staging`);
    assert.throws(() => stageRelease({ addons: copy, staging, newestGlibc, ...options }), /not ready for release/);
    assert.ok(!existsSync(staging), 'nothing is staged unless all checks pass');
    try {
      stageRelease({ addons: copy, staging, newestGlibc, ...options });
    } catch (error) {
      return /** @type {Error} */ (error).message;
    }
    return '';
  };

  it('stages a package for each platform, and a main package that depends on each exact version', () => {
    const before = readFileSync(join(repository, 'package.json'), 'utf8');
    const staged = stageRelease({ addons, staging: join(folder, 'staging'), newestGlibc });
    const {
      name,
      version,
      optionalDependencies,
      devDependencies,
      private: isPrivate,
      scripts,
      files,
    } = JSON.parse(readFileSync(join(staged.main, 'package.json'), 'utf8'));
    assert.deepEqual(
      optionalDependencies,
      Object.fromEntries(platforms.map((target) => [`${name}-${target}`, version])),
    );
    assert.deepEqual([devDependencies, scripts, isPrivate], [undefined, undefined, undefined]);
    const packed = readdirSync(staged.main).concat(files);
    assert.deepEqual(
      packed.filter((path) => path.endsWith('.node')),
      [],
    );
    assert.equal(mainManifest().private, true, 'the checkout itself, without addons, could be published');
    const all = ADDONS.flatMap(({ name: addon }) => platforms.map((target) => addonFile(target, addon)));
    for (const [index, file] of all.entries()) {
      const expected = ['LICENSE', 'NOTICE.md', 'README.md', 'THIRD-PARTY-LICENSES', 'package.json', file];
      assert.deepEqual(readdirSync(staged.platforms[index] ?? '').sort(), expected.sort(), file);
    }
    const cli = JSON.parse(readFileSync(join(staged.cli, 'package.json'), 'utf8'));
    const ofCli = Object.fromEntries(platforms.map((target) => [`palimpsest-cli-${target}`, version]));
    assert.deepEqual([cli.dependencies, cli.optionalDependencies], [{ palimpsest: version }, ofCli]);
    assert.ok(existsSync(join(staged.cli, cli.bin.palimpsest)) && existsSync(join(staged.cli, 'ui/dist/page.js')));
    assert.deepEqual(PLUGINS, ['opencode', 'pi']);
    for (const [index, plugin] of PLUGINS.entries()) {
      const staging = staged.plugins[index] ?? '';
      const manifest = JSON.parse(readFileSync(join(staging, 'package.json'), 'utf8'));
      assert.deepEqual(readdirSync(staging).sort(), ['LICENSE', 'README.md', 'package.json', ...manifest.files].sort());
      const { name: own, version: ownVersion, dependencies } = manifest;
      assert.deepEqual(
        [own, ownVersion, dependencies],
        [`${plugin}-palimpsest`, version, { palimpsest: `^${version}` }],
      );
    }
    assert.equal(readFileSync(join(repository, 'package.json'), 'utf8'), before, 'the checkout was changed');
    assert.throws(() => stageRelease({ addons, staging: join(folder, 'staging'), newestGlibc }), /doesn't exist yet/);
  });

  it('names every platform whose addon is missing', () => {
    const message = stagingError('missing', (copy) => {
      for (const target of platforms) if (target !== platform) rmSync(join(copy, addonFile(target)));
    });
    const named = platforms.filter((target) => message.includes(`\n  ${target}: `));
    assert.deepEqual(
      named,
      platforms.filter((target) => target !== platform),
    );
  });

  it('refuses an addon of another platform, and a file that is no addon', () => {
    const swapped = stagingError('swapped', (copy) =>
      cpSync(join(copy, addonFile(platform)), join(copy, addonFile(other))),
    );
    assert.match(swapped, new RegExp(`${other}: .* is built for ${platform}`));
    const text = stagingError('text', (copy) => writeFileSync(join(copy, addonFile(other)), 'not found'.repeat(20)));
    assert.match(text, /neither ELF nor Mach-O nor PE/);
  });

  it('refuses an addon that requires a newer glibc than Node.js 20 does', () => {
    const message = stagingError(
      'glibc',
      (copy) => {
        const file = madeUpAddon('linux-x64-gnu');
        file.write('GLIBC_2.35\0', 128, 'latin1');
        writeFileSync(join(copy, addonFile('linux-x64-gnu')), file);
      },
      { newestGlibc: undefined },
    );
    assert.match(message, /asks for glibc 2\.35, and 2\.28 is the newest allowed/);
  });

  it('refuses a tag of another version', () => {
    assert.match(
      stagingError('tag', () => undefined, { tag: 'v9.9.9' }),
      /the tag v9\.9\.9 has 9\.9\.9/,
    );
  });

  it('recognises every platform by the header of its addon', () => {
    for (const target of platforms) assert.equal(builtFor(madeUpAddon(target)), target);
  });
});

describe('the workflows', () => {
  const folder = join(repository, '.github', 'workflows');
  const workflows = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));

  it('pin each action to a full commit, or use workflows of this repository', () => {
    for (const { name, text } of workflows) {
      const used = [...text.matchAll(/\buses: (.*)$/gm)].map(([, what = '']) => what);
      assert.ok(used.length > 0, name);
      const allowed = /^(\.\/\.github\/workflows\/[\w-]+\.yml|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/;
      assert.deepEqual(
        used.filter((what) => !allowed.test(what)),
        [],
        name,
      );
    }
  });

  it('have only read permission, except in publishing jobs, which run no code of the repository', () => {
    for (const { name, text } of workflows) {
      assert.match(text, /^permissions: \{\}$/m, name);
      const jobs = text
        .slice(text.indexOf('\njobs:'))
        .split(/\n(?= {2}[\w-]+:\n)/)
        .slice(1);
      for (const job of jobs) {
        const permissions = /\n {4}permissions:\n((?: {6}.*\n)*)/.exec(job)?.[1] ?? '';
        if (permissions === '      contents: read\n') continue;
        const deploysPages = name === 'docs.yml';
        const wanted = `${deploysPages ? '      pages: write\n' : ''}      id-token: write\n`;
        assert.equal(permissions, wanted, `${name}: ${job.split('\n')[0]}`);
        assert.doesNotMatch(job, /checkout|npm (ci|install|run|test)/);
        assert.match(job, deploysPages ? /needs: build/ : /needs: gate/);
      }
    }
  });

  it('run only the install scripts of bun and esbuild', () => {
    const build = workflows.find(({ name }) => name === 'build.yml')?.text ?? '';
    const commands = workflows.flatMap(({ text }) => [...text.matchAll(/npm (?:ci|install|rebuild)\b[^&\n]*/g)]);
    const words = new Set(commands.map(([command]) => command.trim()));
    assert.deepEqual([...words].sort(), ['npm ci --ignore-scripts', 'npm rebuild $WITH_SCRIPTS']);
    assert.match(build, /WITH_SCRIPTS: bun esbuild\n/);
  });

  it('use no package cache, because a release would contain what another run left there', () => {
    for (const { name, text } of workflows) {
      const setUps = text.match(/uses: actions\/setup-node@/g)?.length ?? 0;
      assert.equal(text.match(/^ +package-manager-cache: false$/gm)?.length ?? 0, setUps, name);
    }
  });

  it('run npm audit and cargo audit before a change and before a release', () => {
    const text = (/** @type {string} */ file) => workflows.find(({ name }) => name === file)?.text ?? '';
    assert.match(text('audit.yml'), /run: npm audit .*\n(.*\n)*.*run: cargo audit/);
    for (const file of ['ci.yml', 'release.yml']) assert.match(text(file), /uses: \.\/\.github\/workflows\/audit\.yml/);
    assert.match(text('release.yml'), /gate:\n {4}needs: \[build, audit\]/);
  });

  it('build and test every platform that has a package', () => {
    const build = workflows.find(({ name }) => name === 'build.yml')?.text ?? '';
    const [builds = '', tries = ''] = build.split(/^ {2}try:$/m);
    for (const { target } of targets) {
      assert.ok(builds.includes(`target: ${target},`), target);
      assert.ok(tries.includes(`- ${target}\n`) && tries.includes(`target: ${target}, runner:`), target);
    }
  });
});
