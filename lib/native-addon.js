// @ts-check
'use strict';

const { missingPackage, otherVersion, unloadable, unsupportedPlatform } = require('./native-error.js');
const { ownFile } = require('./native-location.js');
const { currentPlatform, PLATFORMS } = require('./native-platform.js');
const { fs, nodeModule, path } = require('./node-modules.js');
const { version } = require('./version.js');

/** @typedef {'palimpsest' | 'palimpsest-cli'} AddonName the addon's file and its packages begin with it */

/** The environment variables that name the file. They are read only if no addon is found. @type {Readonly<Record<AddonName, string>>} */
const VARIABLES = { palimpsest: 'PALIMPSEST_NATIVE_PATH', 'palimpsest-cli': 'PALIMPSEST_CLI_NATIVE_PATH' };

/** Found by the call stack, when the module is evaluated: a later stack may have no frame of a file, if a bundler evaluates code from strings. */
const OWN_FILE = ownFile();

/**
 * Finds the addon: a file next to this code or in its parent folder, where a checkout's build puts it; else the platform's package, resolved from
 * here or from the installed package that depends on it, because pnpm and Yarn expose it only to the latter. The current directory is never
 * searched: agents are started in untrusted repositories, and this is native code.
 * @param {AddonName} addon @param {string} platform
 * @param {readonly string[]} importers absolute paths of files from which the package is resolved, beginning with this code's
 * @returns {string} absolute path
 * @throws if there is none
 */
function findAddon(addon, platform, importers) {
  if (!PLATFORMS.includes(platform)) throw unsupportedPlatform(platform);
  const [ownFile = ''] = importers;
  const folder = path.dirname(ownFile);
  const candidates = [folder, path.dirname(folder)].map((each) => path.join(each, `${addon}.${platform}.node`));
  const built = candidates.find(fs.existsSync);
  if (built !== undefined) return built;
  const packageName = `${addon}-${platform}`;
  const attempts = importers.flatMap((importer) => {
    const { resolve } = nodeModule.createRequire(importer);
    const resolveFromDependent = () => nodeModule.createRequire(resolve(`${addon}/package.json`)).resolve(packageName);
    return [() => resolve(packageName), resolveFromDependent];
  });
  /** @type {unknown} */ let cause;
  for (const attempt of attempts) {
    try {
      return attempt();
    } catch (error) {
      cause ??= error;
    }
  }
  throw missingPackage(addon, platform, packageName, version, ownFile, cause);
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
 * @param {AddonName} addon @param {string} [importer] absolute path of another file from which the platform's package may be resolved
 * @returns {any} what the addon exports
 * @throws {Error} with `code: 'ERR_PALIMPSEST_NATIVE'`
 */
function loadAddon(addon, importer) {
  const platform = currentPlatform();
  const file = addonPath(addon, platform, importer === undefined ? [OWN_FILE] : [OWN_FILE, importer]);
  /** @type {{ addonVersion?: () => string }} */ let loaded;
  try {
    // Hides this `require` from bundlers, none of which can handle a .node file.
    loaded = nodeModule.createRequire(OWN_FILE)(file);
  } catch (error) {
    throw unloadable(platform, file, error);
  }
  const found = loaded.addonVersion?.() ?? 'of another version';
  if (found !== version) throw otherVersion(file, found, version);
  return loaded;
}

module.exports = { loadAddon };
