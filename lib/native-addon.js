// @ts-check
'use strict';

const { causedBy } = require('./errors.js');
const { fs, nodeModule, path, url } = require('./node-modules.js');
const { safely } = require('./plain-data.js');
const { printedError } = require('./printed-text.js');
const { version } = require('./version.js');

/** Finds and loads a native addon: determines the platform and where this code is; errors say what to do. */

/** @typedef {'palimpsest' | 'palimpsest-cli'} AddonName the addon's file and its packages begin with it */

/** The environment variables that name the file. They are read only if no addon is found. @type {Readonly<Record<AddonName, string>>} */
const VARIABLES = { palimpsest: 'PALIMPSEST_NATIVE_PATH', 'palimpsest-cli': 'PALIMPSEST_CLI_NATIVE_PATH' };

/** The same list as the build targets in package.json. */ const PLATFORMS = [
  ...['darwin-arm64', 'darwin-x64', 'linux-arm64-gnu', 'linux-arm64-musl'],
  ...['linux-x64-gnu', 'linux-x64-musl', 'win32-arm64-msvc', 'win32-x64-msvc'],
];

/** An executable's header contains the name of its loader within this many bytes. */ const HEADER_BYTES = 2048;
/** Number of stack frames to read. Code that a bundler evaluates from strings has frames without a file. */ const FRAMES = 16;
/** Bun's executables report compiled-in code in this folder: no file can be loaded from it or placed next to it. */
const BUN_FOLDER = /^(?:\/\$bunfs|[A-Za-z]:[\\/]~BUN)[\\/]/;

/** Read when the module is evaluated: a later stack may have no frame of a file, if a bundler evaluates code from strings. */
const OWN_FILE = ownFile();

/** Throws `ERR_PALIMPSEST_NATIVE`. @param {AddonName} addon @param {string} [importer] absolute path of another file that may resolve the package @returns {any} */
function loadAddon(addon, importer) {
  const platform = currentPlatform();
  const file = addonPath(addon, platform, importer === undefined ? [OWN_FILE] : [OWN_FILE, importer]);
  /** @type {{ addonVersion?: () => string }} */ let loaded;
  try {
    // Hides this `require` from bundlers, none of which can handle a .node file.
    loaded = nodeModule.createRequire(OWN_FILE)(file);
  } catch (error) {
    throw nativeError(
      `palimpsest’s native addon ${file} could not be loaded on ${describePlatform(platform)}: ` +
        `${printedError(error).trim()}. ` +
        'Is it the file for this platform, and is it whole? Installing palimpsest again puts it right.',
      error,
    );
  }
  const found = loaded.addonVersion?.() ?? 'of another version';
  if (found === version) return loaded;
  throw nativeError(
    `palimpsest ${version} needs its native addon in version ${version}; ${file} is ${found}. ` +
      'Install palimpsest again, so that both have one version; build a bundle again after an update.',
  );
}

/** @param {AddonName} addon @param {string} platform @param {readonly string[]} importers @returns {string} absolute path */
function addonPath(addon, platform, importers) {
  try {
    return findAddon(addon, platform, importers);
  } catch (error) {
    // The environment is read only now: an import that finds its addon must not depend on it.
    const namedFile = process.env[VARIABLES[addon]];
    if (!namedFile) throw error;
    return path.resolve(namedFile);
  }
}

/**
 * Finds the addon: a file next to this code or in its parent folder, where a checkout's build puts it; else the platform's package, resolved from
 * here or from the installed package that depends on it, because pnpm and Yarn expose it only to the latter. The current directory is never
 * searched: agents are started in untrusted repositories, and this is native code.
 * @param {AddonName} addon @param {string} platform @param {readonly string[]} importers absolute paths of files from which the package is resolved
 * @returns {string} absolute path
 */
function findAddon(addon, platform, importers) {
  if (!PLATFORMS.includes(platform)) {
    throw nativeError(
      `palimpsest has no native addon for ${describePlatform(platform)}. There is one for ${PLATFORMS.join(', ')}. ` +
        'On another platform, build it from source and set PALIMPSEST_NATIVE_PATH to the .node file.',
    );
  }
  const folder = path.dirname(OWN_FILE);
  const candidates = [folder, path.dirname(folder)].map((each) => path.join(each, `${addon}.${platform}.node`));
  const built = candidates.find(fs.existsSync);
  if (built !== undefined) return built;
  const packageName = `${addon}-${platform}`;
  /** @type {unknown} */ let cause;
  for (const { resolve } of importers.map((importer) => nodeModule.createRequire(importer))) {
    const resolveFromDependent = () => nodeModule.createRequire(resolve(`${addon}/package.json`)).resolve(packageName);
    for (const attempt of [() => resolve(packageName), resolveFromDependent]) {
      try {
        return attempt();
      } catch (error) {
        cause ??= error;
      }
    }
  }
  throw missingPackage(addon, platform, packageName, cause);
}

/** This package's file, or the bundle with it, from the stack: bundlers replace `__filename` and `import.meta.url` with paths of the build machine. */
function ownFile() {
  for (const file of filesOfStack()) {
    const place = file?.startsWith('file:') ? url.fileURLToPath(file) : file;
    if (place && path.isAbsolute(place) && !BUN_FOLDER.test(place)) return place;
  }
  // A single executable has only its own path.
  return process.execPath;
}

/** @returns {(string | null | undefined)[]} the files of the running code, innermost first */
function filesOfStack() {
  // Under --frozen-intrinsics the stack can't be read; an unbundled package still has `__filename`.
  if (Object.isFrozen(Error)) return typeof __filename === 'string' ? [__filename] : [];
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = FRAMES;
    Error.prepareStackTrace = (_, frames) => frames.map((frame) => frame.getFileName());
    return /** @type {any} */ (new Error().stack);
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** @returns {string} the suffix of this platform's package name: `linux-x64-gnu` */
function currentPlatform() {
  const machine = `${process.platform}-${process.arch}`;
  if (process.platform !== 'linux') return process.platform === 'win32' ? `${machine}-msvc` : machine;
  const header = programHeader();
  const isMusl = header.includes('/ld-musl-') || (!header.includes('/ld-linux-') && glibcVersion() === undefined);
  return `${machine}-${isMusl ? 'musl' : 'gnu'}`;
}

/** Where the loader is named; read before `glibcVersion`, whose report takes milliseconds. @returns {string} */
function programHeader() {
  const header = Buffer.alloc(HEADER_BYTES);
  // A sandbox may hide the executable; the report still works.
  safely(() => {
    const program = fs.openSync(process.execPath, 'r');
    safely(() => fs.readSync(program, header, 0, HEADER_BYTES, 0));
    fs.closeSync(program);
  });
  return header.toString('latin1');
}

/** Undefined without glibc. Takes milliseconds. @returns {string | undefined} */
function glibcVersion() {
  const report = /** @type {NodeJS.ProcessReport & { excludeNetwork?: boolean }} */ (process.report);
  const { excludeNetwork = false } = report;
  try {
    // Otherwise the report would look up the host name of every open connection, and wait for it.
    report.excludeNetwork = true;
    const { header } = /** @type {{ header?: { glibcVersionRuntime?: string } }} */ (report.getReport());
    return header?.glibcVersionRuntime;
  } finally {
    report.excludeNetwork = excludeNetwork;
  }
}

/** @param {string} message @param {unknown} [cause] @returns {Error & { code: 'ERR_PALIMPSEST_NATIVE' }} */
const nativeError = (message, cause) =>
  Object.assign(new Error(message, causedBy(cause)), { code: /** @type {const} */ ('ERR_PALIMPSEST_NATIVE') });

/** @param {string} platform */
function describePlatform(platform) {
  const glibc = platform.startsWith('linux-') ? glibcVersion() : undefined;
  return `${platform}${glibc === undefined ? '' : ` (glibc ${glibc})`}, Node.js ${process.version}`;
}

/** @param {AddonName} addon @param {string} platform @param {string} packageName @param {unknown} cause */
function missingPackage(addon, platform, packageName, cause) {
  const cliAdvice =
    'It reads recorded sessions and is HttpLlmClient’s HTTP client; it is no part of palimpsest. ' +
    `Install it: npm install ${addon}@${version}. If that is done: it`;
  return nativeError(
    `${addon}’s native addon for ${describePlatform(platform)} is missing: the package ${packageName} ${version} was not ` +
      `found from ${OWN_FILE}. ${addon === 'palimpsest-cli' ? cliAdvice : 'It'} is an optional dependency of ${addon}, ` +
      'and is left out by --omit=optional, by ' +
      '--no-optional, by a node_modules folder that was copied from another platform, and by a lockfile that was made ' +
      'on one. Install again without those, after removing node_modules and, if that is not enough, the lockfile; or ' +
      `install it by name: npm install ${packageName}@${version}. A bundled program needs that package installed where it ` +
      `runs, or the file ${addon}.${platform}.node beside the bundle.`,
    cause,
  );
}

module.exports = { currentPlatform, loadAddon, PLATFORMS };
