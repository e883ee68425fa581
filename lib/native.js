// @ts-check
'use strict';

const { missingPackage, otherVersion, unloadable, unsupportedPlatform } = require('./native-error.js');
const { ownFile } = require('./native-location.js');
const { currentPlatform, PLATFORMS } = require('./native-platform.js');
const { fs, nodeModule, path } = require('./node-modules.js');
const { version } = require('./version.js');

/** @typedef {typeof import('../binding.js')} Addon */

/**
 * Where the addon for `platform` lies: a file beside this code or in the folder above it, as a checkout's build leaves
 * it; else the platform's package, as seen from this code or from the palimpsest that is installed there. pnpm and
 * Yarn show the package to the latter alone. Never from the current directory: an agent is started in the
 * repositories of strangers, and this is native code.
 *
 * @param {string} platform
 * @param {string} from absolute path of this code
 * @returns {string} absolute
 * @throws where there is none
 */
function findAddon(platform, from) {
  if (!PLATFORMS.includes(platform)) throw unsupportedPlatform(platform);
  const file = `palimpsest.${platform}.node`;
  const folder = path.dirname(from);
  const built = [folder, path.dirname(folder)].map((place) => path.join(place, file)).find(fs.existsSync);
  if (built !== undefined) return built;
  const name = `palimpsest-${platform}`;
  const { resolve } = nodeModule.createRequire(from);
  try {
    return resolve(name);
  } catch (error) {
    try {
      return nodeModule.createRequire(resolve('palimpsest/package.json')).resolve(name);
    } catch {
      throw missingPackage(platform, name, version, from, error);
    }
  }
}

/** @param {string} platform @param {string} from @returns {string} absolute */
function addonPath(platform, from) {
  try {
    return findAddon(platform, from);
  } catch (error) {
    // The variable is read only here: importing the package must read nothing of the environment that it doesn't need.
    const named = process.env.PALIMPSEST_NATIVE_PATH;
    if (!named) throw error;
    return path.resolve(named);
  }
}

/** @returns {Addon} of this very version @throws {Error} with `code: 'ERR_PALIMPSEST_NATIVE'` and what to do */
function loadAddon() {
  const platform = currentPlatform();
  const from = ownFile();
  const file = addonPath(platform, from);
  /** @type {Addon} */
  let addon;
  try {
    // This `require` is made here so that no bundler follows it: none has a way with a .node file.
    addon = nodeModule.createRequire(from)(file);
  } catch (error) {
    throw unloadable(platform, file, error);
  }
  const found = addon.addonVersion?.() ?? 'of another version';
  if (found !== version) throw otherVersion(file, found, version);
  return addon;
}

/** The addon, which decides everything. */
module.exports = loadAddon();
