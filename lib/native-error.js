// @ts-check
'use strict';

const { glibcVersion, PLATFORMS } = require('./native-platform.js');
const { printedError } = require('./printed-text.js');

/** Errors of loading a native addon: each says what to do. */

/** @param {string} message @param {unknown} [cause] @returns {Error & { code: 'ERR_PALIMPSEST_NATIVE' }} */
function nativeError(message, cause) {
  const error = cause === undefined ? new Error(message) : new Error(message, { cause });
  return Object.assign(error, { code: /** @type {const} */ ('ERR_PALIMPSEST_NATIVE') });
}

/** @param {string} platform */
function describePlatform(platform) {
  const glibc = platform.startsWith('linux-') ? glibcVersion() : undefined;
  return `${platform}${glibc === undefined ? '' : ` (glibc ${glibc})`}, Node.js ${process.version}`;
}

/** @param {string} platform */
function unsupportedPlatform(platform) {
  return nativeError(
    `palimpsest has no native addon for ${describePlatform(platform)}. There is one for ${PLATFORMS.join(', ')}. ` +
      'On another platform, build it from source and set PALIMPSEST_NATIVE_PATH to the .node file.',
  );
}

/**
 * @param {string} addon @param {string} platform @param {string} packageName @param {string} version
 * @param {string} ownFile the file from which the package was not found @param {unknown} cause
 */
function missingPackage(addon, platform, packageName, version, ownFile, cause) {
  const purpose =
    addon === 'palimpsest-cli'
      ? 'It reads recorded sessions and is HttpLlmClient’s HTTP client; it is no part of palimpsest. ' +
        `Install it: npm install ${addon}@${version}. If that is done: it is an optional dependency of ${addon}, and`
      : `It is an optional dependency of ${addon}, and`;
  return nativeError(
    `${addon}’s native addon for ${describePlatform(platform)} is missing: the package ${packageName} ${version} was not ` +
      `found from ${ownFile}. ${purpose} is left out by --omit=optional, by ` +
      '--no-optional, by a node_modules folder that was copied from another platform, and by a lockfile that was made ' +
      'on one. Install again without those, after removing node_modules and, if that is not enough, the lockfile; or ' +
      `install it by name: npm install ${packageName}@${version}. A bundled program needs that package installed where it ` +
      `runs, or the file ${addon}.${platform}.node beside the bundle.`,
    cause,
  );
}

/** @param {string} platform @param {string} file @param {unknown} cause */
function unloadable(platform, file, cause) {
  const reason = printedError(cause);
  return nativeError(
    `palimpsest’s native addon ${file} could not be loaded on ${describePlatform(platform)}: ${reason.trim()}. ` +
      'Is it the file for this platform, and is it whole? Installing palimpsest again puts it right.',
    cause,
  );
}

/** @param {string} file @param {string} version of the addon @param {string} expected */
function otherVersion(file, version, expected) {
  return nativeError(
    `palimpsest ${expected} needs its native addon in version ${expected}; ${file} is ${version}. ` +
      'Install palimpsest again, so that both have one version; build a bundle anew after an update.',
  );
}

module.exports = { missingPackage, otherVersion, unloadable, unsupportedPlatform };
