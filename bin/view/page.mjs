// @ts-check
/** The bundled page, and its export: one HTML file with all messages of a session, which works offline. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

/** @import { Viewed, ViewedSessions } from './sessions.mjs' */

const folder = new URL('../../ui/dist/', import.meta.url);

/** @param {string} name */
function read(name) {
  const url = new URL(name, folder);
  if (existsSync(url)) return readFileSync(url, 'utf8');
  throw new Error('the page has not been bundled; in a clone of the repository, `npm start -- view` does it');
}

export const pageSources = () => ({ html: read('page.html'), script: read('page.js'), style: read('page.css') });

/** Escapes JSON so that it can't end a script element. @param {string} json */
function escapedJson(json) {
  return json.replace(/[<>&\u2028\u2029]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Escapes a script so that it can't end its own element. @param {string} script */
function escapedScript(script) {
  if (script.includes('<!--')) throw new Error('expected a bundle without “<!--”, which begins a comment in a page');
  return script.replace(/<\/(?=script)/gi, '<\\/');
}

/** The source of a content security policy that allows this text alone. @param {string} text */
const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * @param {ViewedSessions} sessions @param {Viewed} viewed
 * @param {ReturnType<typeof import('./answers.mjs').sessionEntry>} entry the session's entry in the list of sessions
 * @returns {Promise<{ page: string, bill: string }>} HTML, and the bill as SVG without message content
 */
export async function exportPage(sessions, viewed, entry) {
  const [picture, messages] = await Promise.all([sessions.picture(viewed), sessions.allMessages(viewed)]);
  const parsed = JSON.parse(picture);
  const conversations = await Promise.all(
    parsed.threads.map((/** @type {unknown} */ _, /** @type {number} */ thread) => sessions.history(viewed, thread)),
  );
  const data = `{"session":${JSON.stringify(entry)},"picture":${picture},"messages":${JSON.stringify(messages)},"conversations":${JSON.stringify(conversations)}}`;
  const sources = pageSources();
  const script = escapedScript(sources.script);
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(sources.style)}; img-src blob:; base-uri 'none'; form-action 'none'`;
  const title = [entry.agentName, entry.project].filter((part) => part !== null).join(' · ');
  const escapedTitle = title.replace(/[<>&"]/g, (unit) => `&#${unit.charCodeAt(0)};`);
  const replacements = new Map([
    ['<title>palimpsest</title>', `<title>${escapedTitle}</title>`],
    ['<!-- policy -->', `<meta http-equiv="Content-Security-Policy" content="${policy}">`],
    ['<link rel="stylesheet" href="/page.css">', `<style>${sources.style}</style>`],
    [
      '<script type="module" src="/page.js"></script>',
      `<script type="application/json" id="session-data">${escapedJson(data)}</script>\n<script type="module">${script}</script>`,
    ],
  ]);
  let page = sources.html;
  for (const [from, to] of replacements) {
    if (!page.includes(from)) throw new Error(`expected the page to have “${from}”`);
    page = page.replace(from, () => to);
  }
  const { billPicture } = await import(new URL('bill-picture.js', folder).href);
  return { page, bill: billPicture(parsed, 'en') };
}
