// @ts-check
/** The loader of the native addon: where it searches, what it refuses, and what its errors contain. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { addonFile } from '../../scripts/addons.mjs';
import { mainManifest } from '../../scripts/platform-packages.mjs';
import { node, repository, run, runAnyhow } from '../support/children.mjs';
import { platform } from '../support/published.mjs';

const { version } = mainManifest();
const name = `palimpsest-${platform}`;
const PRINT_ERROR = `
  let outcome = { loaded: false };
  try { outcome = { loaded: true, version: require('palimpsest').version }; }
  catch ({ name, code, message, cause }) { outcome = { name, code, message, cause: cause && { code: cause.code, message: cause.message } }; }
  console.log(JSON.stringify(outcome));
`;

describe('the loader of the addon', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-loader-')));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** A project with the main package and no other. @param {string} project @returns {string} its folder */
  const install = (project) => {
    const home = join(folder, project);
    const main = join(home, 'node_modules', 'palimpsest');
    for (const part of ['package.json', 'index.js', 'index.mjs', 'library.js', 'lib']) {
      cpSync(join(repository, part), join(main, part), { recursive: true });
    }
    return home;
  };
  /** @param {string} home @param {string} owner the addon's platform @param {(folder: string) => void} fill */
  const addPackage = (home, owner, fill) => {
    const made = join(home, 'node_modules', `palimpsest-${owner}`);
    mkdirSync(made);
    writeFileSync(join(made, 'package.json'), JSON.stringify({ name: `palimpsest-${owner}`, main: addonFile(owner) }));
    fill(made);
  };
  const linkAddon = (/** @type {string} */ made) =>
    symlinkSync(join(repository, addonFile(platform)), join(made, addonFile(platform)));
  /** @param {string} home @param {string} [script] @param {NodeJS.ProcessEnv} [settings] */
  const load = async (home, script = '', settings = {}) => {
    const outcome = await run(home, process.execPath, ['-e', script + PRINT_ERROR], settings);
    assert.equal(outcome.stderr, '');
    return JSON.parse(outcome.stdout);
  };
  /** A script that changes fields of `process`, so that the loader sees another machine. @param {object} fields */
  const pretend = (fields) => `for (const [key, value] of Object.entries(${JSON.stringify(fields)}))
    Object.defineProperty(process, key, { value });`;

  it('names the platform, the missing package, its version, likely reasons and the command that installs it', async () => {
    const { code, message, cause } = await load(install('missing'));
    assert.equal(code, 'ERR_PALIMPSEST_NATIVE');
    assert.equal(cause.code, 'MODULE_NOT_FOUND');
    for (const part of [platform, process.version, `${name} ${version}`, `npm install ${name}@${version}`]) {
      assert.ok(message.includes(part), `${part} is not in: ${message}`);
    }
    assert.match(message, /--omit=optional.*--no-optional.*another platform.*lockfile.*bundle/s);
    if (platform.endsWith('-gnu')) assert.match(message, /\(glibc \d+\.\d+\)/);
  });

  it('names only the package that this platform needs', async () => {
    for (const [project, fields, wanted] of /** @type {const} */ ([
      ['only-own', {}, name],
      ['on-windows', { platform: 'win32', arch: 'arm64' }, 'palimpsest-win32-arm64-msvc'],
      ['on-macos', { platform: 'darwin', arch: 'x64' }, 'palimpsest-darwin-x64'],
    ])) {
      const { message } = await load(install(project), pretend(fields));
      assert.deepEqual(
        [...new Set(message.match(/palimpsest-[a-z0-9-]*[a-z0-9]/g))].filter((found) => !folder.includes(found)),
        [wanted],
      );
    }
  });

  it('lists the supported platforms on one that is not supported', async () => {
    const { code, message } = await load(install('freebsd'), pretend({ platform: 'freebsd' }));
    assert.equal(code, 'ERR_PALIMPSEST_NATIVE');
    assert.match(message, /no native addon for freebsd-/);
    assert.match(message, /There is one for darwin-arm64, .*win32-x64-msvc\./);
    assert.doesNotMatch(message, /palimpsest-freebsd/);
  });

  it('distinguishes musl from glibc by the running program', {
    skip: process.platform !== 'linux' && 'not on Linux',
  }, async () => {
    const program = join(folder, 'on-musl');
    writeFileSync(program, '\x7fELF … /lib/ld-musl-x86_64.so.1');
    const { message } = await load(install('musl'), pretend({ execPath: program, arch: 'x64' }));
    assert.match(message, /the package palimpsest-linux-x64-musl /);
    // If the program can't be read, Node.js's diagnostic report decides.
    const unreadable = await load(install('hidden'), pretend({ execPath: join(folder, 'nowhere') }));
    assert.ok(unreadable.message.includes(`the package ${name} `));
  });

  it('names the file and the reason if the addon exists and can’t be loaded', async () => {
    const home = install('broken');
    addPackage(home, platform, (made) => writeFileSync(join(made, addonFile(platform)), 'no addon'));
    const { code, message, cause } = await load(home);
    assert.equal(code, 'ERR_PALIMPSEST_NATIVE');
    assert.ok(message.includes(join(home, 'node_modules', name, addonFile(platform))));
    assert.ok(message.includes(cause.message.trim()));
  });

  it('refuses an addon of another version, and names both versions', async () => {
    const home = install('older');
    addPackage(home, platform, linkAddon);
    assert.deepEqual(await load(home), { loaded: true, version });
    writeFileSync(join(home, 'node_modules', 'palimpsest', 'lib', 'version.js'), "exports.version = '9.9.9';\n");
    const { code, message } = await load(home);
    assert.equal(code, 'ERR_PALIMPSEST_NATIVE');
    assert.match(message, new RegExp(`palimpsest 9\\.9\\.9 needs .* ${version.replaceAll('.', '\\.')}`));
  });

  it('loads the addon that a checkout’s build wrote, or the file that PALIMPSEST_NATIVE_PATH names', async () => {
    const home = install('beside');
    linkAddon(join(home, 'node_modules', 'palimpsest'));
    assert.deepEqual(await load(home), { loaded: true, version });
    const named = { PALIMPSEST_NATIVE_PATH: join(repository, addonFile(platform)) };
    assert.deepEqual(await load(install('named'), '', named), { loaded: true, version });
    const elsewhere = pretend({ platform: 'freebsd' });
    assert.deepEqual(await load(install('elsewhere'), elsewhere, named), { loaded: true, version });
    const { code, message } = await load(install('misnamed'), '', {
      PALIMPSEST_NATIVE_PATH: join(folder, 'none.node'),
    });
    assert.equal(code, 'ERR_PALIMPSEST_NATIVE');
    assert.ok(message.includes(join(folder, 'none.node')));
  });

  it('loads no addon from the working directory, because agents work in other people’s folders', async () => {
    const stranger = join(folder, 'stranger');
    mkdirSync(join(stranger, 'node_modules'), { recursive: true });
    addPackage(stranger, platform, linkAddon);
    linkAddon(stranger);
    const program = join(install('installed'), 'program.cjs');
    writeFileSync(program, PRINT_ERROR);
    const { stdout } = await node(stranger, program);
    assert.equal(JSON.parse(stdout).code, 'ERR_PALIMPSEST_NATIVE');
  });

  it('names the required Node.js versions on an older one, and the command prints no stack', async () => {
    const home = install('old-node');
    const old = `process.getBuiltinModule = undefined; Object.defineProperty(process, 'version', { value: 'v18.20.8' });`;
    const sentence = 'palimpsest needs Node.js 20.16, 22.3 or newer; this is v18.20.8';
    const { code, message } = await load(home, old);
    assert.deepEqual([code, message], ['ERR_PALIMPSEST_NATIVE', sentence]);
    const main = join(home, 'node_modules', 'palimpsest');
    cpSync(join(repository, 'bin'), join(main, 'bin'), { recursive: true });
    writeFileSync(join(home, 'old.cjs'), old);
    const program = join(main, 'bin', 'palimpsest.mjs');
    for (const command of ['report', 'truncate', 'view']) {
      const args = ['--require', './old.cjs', program, command, 'none.json'];
      const { status, stderr } = await runAnyhow(home, process.execPath, args);
      assert.deepEqual([status, stderr], [1, `palimpsest ${command}: ${sentence}\n`]);
    }
  });

  it('works with --frozen-intrinsics, and keeps the settings of Error', async () => {
    const home = install('frozen');
    addPackage(home, platform, linkAddon);
    const { stdout } = await node(home, '--no-warnings', '--frozen-intrinsics', '-e', PRINT_ERROR);
    assert.deepEqual(JSON.parse(stdout), { loaded: true, version });
    const script = `const prepare = () => 'mine'; Error.prepareStackTrace = prepare; Error.stackTraceLimit = 0;
      require('palimpsest'); console.log(Error.prepareStackTrace === prepare, Error.stackTraceLimit);`;
    assert.equal((await node(home, '-e', script)).stdout, 'true 0\n');
  });

  it('passes its message on to the user of the command', async () => {
    const home = install('command');
    const main = join(home, 'node_modules', 'palimpsest');
    cpSync(join(repository, 'bin'), join(main, 'bin'), { recursive: true });
    const session = join(home, 'session.json');
    writeFileSync(session, '[]');
    await assert.rejects(node(home, join(main, 'bin', 'palimpsest.mjs'), 'report', session), new RegExp(name));
  });

  it('loads the command’s addon only for functions that need it, and names its package if it is missing', async () => {
    const home = install('library-alone');
    addPackage(home, platform, linkAddon);
    const main = join(home, 'node_modules', 'palimpsest');
    cpSync(join(repository, 'bin'), join(main, 'bin'), { recursive: true });
    const program = join(main, 'bin', 'palimpsest.mjs');
    const missing = new RegExp(`the package palimpsest-cli-${platform} .* npm install palimpsest-cli@`);
    writeFileSync(join(home, 'list.json'), '[{"role":"user","content":"hello"}]');
    assert.match((await node(home, program, 'report', 'list.json')).stdout, /list\.json/);
    const { status, stderr } = await runAnyhow(home, process.execPath, [program, 'simulate', 'list.json']);
    assert.equal(status, 1);
    assert.match(stderr, missing);
    assert.doesNotMatch(stderr, /^ {4}at /m);
    const script = "new (require('palimpsest').HttpLlmClient)({ baseUrl: 'http://127.0.0.1:9' })";
    const caught = `try { ${script} } catch ({ code, message }) { console.log(JSON.stringify({ code, message })) }`;
    const { code, message } = JSON.parse((await node(home, '-e', caught)).stdout);
    assert.equal(code, 'ERR_PALIMPSEST_NATIVE');
    assert.match(message, missing);
  });
});
