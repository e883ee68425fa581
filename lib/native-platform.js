// @ts-check
'use strict';

const { fs } = require('./node-modules.js');

/** The same list as the build targets in package.json. */
const PLATFORMS = [
  'darwin-arm64',
  'darwin-x64',
  'linux-arm64-gnu',
  'linux-arm64-musl',
  'linux-x64-gnu',
  'linux-x64-musl',
  'win32-arm64-msvc',
  'win32-x64-msvc',
];

/** An executable's header contains the name of its loader within this many bytes. */
const HEADER_BYTES = 2048;

/** @returns {string} */
function programHeader() {
  const header = Buffer.alloc(HEADER_BYTES);
  try {
    const program = fs.openSync(process.execPath, 'r');
    try {
      fs.readSync(program, header, 0, HEADER_BYTES, 0);
    } finally {
      fs.closeSync(program);
    }
  } catch {
    // A sandbox may hide the executable; the report still works.
  }
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

/** Reads the executable's header first, because the report takes milliseconds. */
function libc() {
  const header = programHeader();
  if (header.includes('/ld-musl-')) return 'musl';
  if (header.includes('/ld-linux-')) return 'gnu';
  return glibcVersion() === undefined ? 'musl' : 'gnu';
}

/** @returns {string} the suffix of this platform's package name: `linux-x64-gnu` */
function currentPlatform() {
  const machine = `${process.platform}-${process.arch}`;
  if (process.platform === 'linux') return `${machine}-${libc()}`;
  return process.platform === 'win32' ? `${machine}-msvc` : machine;
}

module.exports = { currentPlatform, glibcVersion, PLATFORMS };
