// @ts-check
/** Injects a panic at the start of each exported function, and of each piece of work that a function runs on another thread. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Matches the exports that catch panics: the attribute up to the function's name. */
const GUARDED =
  /#\[napi\((?:(?!\)\]).)*?catch_unwind(?:(?!\)\]).)*?\)\]\s*(?:(?:#\[|\/\/)[^\n]*\s*)*pub (?:const )?fn (\w+)/gs;
/** Matches everything that JavaScript can call. */
const EXPORTED = /#\[napi(?:\((?:(?!\)\]).)*?\))?\]\s*(?:(?:#\[|\/\/)[^\n]*\s*)*pub (?:const )?fn (\w+)/gs;

/** Work that continues after the call returned: the code that starts it, and its replacement with a panic. */
const LATER = /** @type {const} */ ([
  [
    'runtime.rs',
    'let (deferred, promise) =',
    'let work = async move { crate::injected::later("work"); work.await };\n',
  ],
  [
    'runtime.rs',
    'let (deferred, promise) =',
    'let to_js = move |env: Env, done: T| { crate::injected::later("result"); to_js(env, done) };\n',
  ],
  ['runtime.rs', 'let done = async move {', 'let work = move || { crate::injected::later("thread"); work() };\n'],
]);

const INJECTED = `//! Panics once after it was armed.
use std::sync::{Mutex, PoisonError};
use napi_derive::napi;

static ARMED: Mutex<Option<String>> = Mutex::new(None);

#[napi]
pub fn arm(stage: Option<String>) {
    std::panic::set_hook(Box::new(|_| {}));
    *ARMED.lock().unwrap_or_else(PoisonError::into_inner) = stage;
}

fn is_armed(stage: &str) -> bool {
    let mut armed = ARMED.lock().unwrap_or_else(PoisonError::into_inner);
    let is_meant = armed.as_deref() == Some(stage);
    if is_meant { *armed = None; }
    is_meant
}

pub fn point(place: &str) { assert!(!is_armed("call"), "injected into {place}"); }
pub fn later(stage: &'static str) -> usize { assert!(!is_armed(stage), "injected into {stage}"); 0 }
`;

/** Of both addons, and of what they share: one addon with all of it is built. */
const FOLDERS = ['src', 'crates/cli/src', 'crates/binding/src'];
const SHARED = 'use palimpsest_binding::{error, locked, runtime};';
/** Dependencies that the library's addon lacks. */
const OTHER_CRATES = `palimpsest-llm-http = { path = "crates/llm-http" }
palimpsest-sessions = { path = "crates/sessions" }
futures-util = { version = "0.3", default-features = false, features = ["std"] }
`;

/** @returns {{ folder: string, file: string }[]} `file` is relative to `folder` */
const sources = () =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.rs'))
      .map((file) => ({ folder, file })),
  );

/** Matches the macro that exports functions without arguments, and an entry in it. */
const FIXED_VALUES = /^fixed_values! \{\n(.*?)^\}/gms;
const FIXED_VALUE = /^ {4}(\w+): (.+) = (.+);$/gm;

/** The text of a file, in which the functions of `fixed_values!` are written out. @param {{ folder: string, file: string }} source */
const textOf = ({ folder, file }) =>
  readFileSync(join(repository, folder, file), 'utf8').replace(FIXED_VALUES, (_, /** @type {string} */ entries) =>
    entries.replace(FIXED_VALUE, '#[napi(catch_unwind)]\npub fn $1() -> $2 {\n    $3\n}'),
  );

/** @param {string} name @returns {string} its JavaScript name, except for a constructor's */
const inJavaScript = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** The functions that `text` exports, and whether each one catches panics. @param {string} text */
export function functionsIn(text) {
  const guarded = new Set([...text.matchAll(GUARDED)].map(({ index, 0: all }) => index + all.length));
  return [...text.matchAll(EXPORTED)].map(({ index, 0: all, 1: name = '' }) => ({
    name: inJavaScript(name),
    isGuarded: guarded.has(index + all.length),
  }));
}

/** All exported functions, by file. */
export const exportedFunctions = () =>
  sources().flatMap((source) => functionsIn(textOf(source)).map((one) => ({ file: source.file, ...one })));

/** @param {string} file @param {string} text @returns {string} */
function withPoints(file, text) {
  const found = [...text.matchAll(GUARDED)].reverse();
  for (const { index, 0: all, 1: name = '' } of found) {
    const start = index + all.length;
    const body = text.indexOf('{', start) + 1;
    const place = `${file}: ${inJavaScript(name)}`;
    const signature = all.replace('pub const fn', 'pub fn');
    text = `${text.slice(0, index)}${signature}${text.slice(start, body)} crate::injected::point("${place}");${text.slice(body)}`;
  }
  for (const [where, before, added] of LATER) {
    if (where !== file) continue;
    if (!text.includes(before)) throw new Error(`src/${file} has no “${before}”: say where its work begins now`);
    text = text.replace(before, added + before);
  }
  return text
    .replace('catch_unwind(|| o200k()', 'catch_unwind(|| crate::injected::later("task") + o200k()')
    .replace('(|| self.model.count(', '(|| { crate::injected::later("task"); self.model.count(')
    .replace('&to_utf8(&self.text)));', '&to_utf8(&self.text)) });');
}

/**
 * Writes a copy of the workspace whose addon contains the panics. The addon has another name, so that it shares the
 * builds of all other crates.
 * @param {string} folder
 */
export function writeInjected(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'src'), { recursive: true });
  for (const name of ['build.rs', 'clippy.toml']) cpSync(join(repository, name), join(folder, name));
  symlinkSync(join(repository, 'crates'), join(folder, 'crates'));
  for (const name of ['Cargo.toml', 'Cargo.lock']) {
    const text = readFileSync(join(repository, name), 'utf8');
    const renamed = text.replace('name = "palimpsest"\n', 'name = "palimpsest-panics"\n');
    writeFileSync(
      join(folder, name),
      renamed.replace('\n[build-dependencies]', `${OTHER_CRATES}\n[build-dependencies]`),
    );
  }
  for (const source of sources()) {
    const { file } = source;
    // The library's addon has its own.
    if (source.folder !== 'src' && file === 'lib.rs') continue;
    mkdirSync(join(folder, 'src', file, '..'), { recursive: true });
    writeFileSync(join(folder, 'src', file), withPoints(file, textOf(source)));
  }
  const lib = join(folder, 'src/lib.rs');
  const modules = ['error', 'http_llm', 'injected', 'runtime', 'sessions'].map((name) => `mod ${name};`);
  writeFileSync(lib, readFileSync(lib, 'utf8').replace(SHARED, [...modules, 'use runtime::locked;'].join('\n')));
  writeFileSync(join(folder, 'src/injected.rs'), INJECTED);
}
