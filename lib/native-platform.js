// @ts-check
'use strict';

const { fs } = require('./node-modules.js');

/** The platforms that an addon is published for; package.json lists the same as build targets. */
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

/** A program's header names its loader within so many bytes. */
const HEADER_BYTES = 2048;

/** @returns {string} the first bytes of the running program */
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
    // Under a sandbox that hides the program the report still knows.
  }
  return header.toString('latin1');
}

/** @returns {string | undefined} the version of glibc that runs, if it is glibc: some milliseconds */
function glibcVersion() {
  const report = /** @type {NodeJS.ProcessReport & { excludeNetwork?: boolean }} */ (process.report);
  const { excludeNetwork = false } = report;
  try {
    // With its network part the report would look up the host name of every open connection's peer, and wait for it.
    report.excludeNetwork = true;
    const { header } = /** @type {{ header?: { glibcVersionRuntime?: string } }} */ (report.getReport());
    return header?.glibcVersionRuntime;
  } finally {
    report.excludeNetwork = excludeNetwork;
  }
}

/** The C library of this Linux, read from the program: the report that also knows it takes some milliseconds. */
function libc() {
  const header = programHeader();
  if (header.includes('/ld-musl-')) return 'musl';
  if (header.includes('/ld-linux-')) return 'gnu';
  return glibcVersion() === undefined ? 'musl' : 'gnu';
}

/** @returns {string} this platform as its package's name ends: `linux-x64-gnu` */
function currentPlatform() {
  const machine = `${process.platform}-${process.arch}`;
  if (process.platform === 'linux') return `${machine}-${libc()}`;
  return process.platform === 'win32' ? `${machine}-msvc` : machine;
}

module.exports = { currentPlatform, glibcVersion, PLATFORMS };
