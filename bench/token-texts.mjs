// @ts-check
/** Texts to count, by kind: from this repository, from the recorded sessions outside it, and generated ones. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadCorpus } from '../__test__/support/corpus.mjs';
import { seeded } from './promise/random.mjs';

const repository = fileURLToPath(new URL('..', import.meta.url));
const SESSION_CHARACTERS = 2_000_000;
const GENERATED_CHARACTERS = 200_000;
const GENERATED_LENGTH = 10_000;

/** Texts by kind. @returns {Record<string, string[]>} */
export function textSets() {
  /** @type {Record<string, string[]>} */
  const sets = {
    JavaScript: filesOf(['lib', 'bin', 'bench', 'scripts', '__test__'], /\.m?js$/),
    Rust: filesOf(['crates', 'src'], /\.rs$/),
    JSON: [readFileSync(join(repository, 'package-lock.json'), 'utf8')],
    base64: generated('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'),
    hexadecimal: generated('0123456789abcdef'),
    // With four times as many letters, one of the JavaScript tokenizers takes 19 s.
    'one word of 5,000 letters': ['a'.repeat(5_000)],
  };
  for (const text of corpusTexts()) {
    const name = `corpus, ${kindOf(text)}`;
    sets[name] ??= [];
    sets[name].push(text);
  }
  return sets;
}

/** A long restored session: recorded texts, or else the repository's own. @returns {string[]} */
export function sessionTexts() {
  const corpus = corpusTexts();
  const texts = corpus.length > 0 ? corpus : Object.values(textSets()).flat();
  let left = SESSION_CHARACTERS;
  return texts.flatMap((text) => {
    const kept = text.slice(0, left);
    left -= kept.length;
    return kept === '' ? [] : [kept];
  });
}

/**
 * Message texts and call arguments, without images and without duplicates, which a tokenizer would cache.
 * @returns {string[]}
 */
function corpusTexts() {
  const messages = loadCorpus().sessions.flatMap((session) => session.messages);
  const texts = messages.flatMap(({ content, tool_calls }) => {
    const parts = Array.isArray(content) ? content.map((part) => part?.text) : [content];
    const calls = Array.isArray(tool_calls) ? tool_calls.map((call) => call?.function?.arguments) : [];
    return [...parts, ...calls].filter((text) => typeof text === 'string' && text !== '' && !isMedia(text));
  });
  return [...new Set(texts)];
}

/** @param {string} text */
function isMedia(text) {
  return text.length > 10_000 && /[A-Za-z0-9+/]{5000}/.test(text);
}

/** @param {string} text */
function kindOf(text) {
  const wide = text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0;
  if (wide > 0.1 * text.length) return 'Chinese';
  if (text.includes('\u001b[')) return 'terminal';
  if (/^\s*[[{]/.test(text)) return 'JSON';
  return 'English and code';
}

/** @param {readonly string[]} folders @param {RegExp} names */
function filesOf(folders, names) {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  return paths.filter((path) => names.test(path)).map((path) => readFileSync(join(repository, path), 'utf8'));
}

/** @param {string} alphabet */
function generated(alphabet) {
  const random = seeded(alphabet.length);
  const letter = () => alphabet[Math.floor(random() * alphabet.length)];
  return Array.from({ length: GENERATED_CHARACTERS / GENERATED_LENGTH }, () =>
    Array.from({ length: GENERATED_LENGTH }, letter).join(''),
  );
}
