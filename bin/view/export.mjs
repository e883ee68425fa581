// @ts-check
/** Exports a session as one HTML file with page, script, style and all messages, for offline use. */
import { createHash } from 'node:crypto';
import { pageSources, pictureMaker } from './page-files.mjs';

/** @typedef {import('./sessions.mjs').Viewed} Viewed */

/** Escapes JSON so that it can't end a script element. @param {string} json */
function embedded(json) {
  const escaped = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026', '\u2028': '\\u2028', '\u2029': '\\u2029' };
  return json.replace(/[<>&\u2028\u2029]/g, (unit) => /** @type {Record<string, string>} */ (escaped)[unit] ?? '');
}

/** @param {string} script */
function inline(script) {
  if (script.includes('<!--')) throw new Error('expected a bundle without “<!--”, which begins a comment in a page');
  return script.replace(/<\/(?=script)/gi, '<\\/');
}

/** @param {string} text */
function hashOf(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** @param {string} text */
function html(text) {
  return text.replace(/[<>&"]/g, (unit) => `&#${unit.charCodeAt(0)};`);
}

/**
 * @param {import('./sessions.mjs').ViewedSessions} sessions @param {Viewed} viewed
 * @param {ReturnType<typeof import('./answers.mjs').listed>} entry the session's entry in the list of sessions
 * @returns {Promise<{ page: string, bill: string }>} HTML, and the bill as SVG without message content
 */
export async function exported(sessions, viewed, entry) {
  const [picture, messages] = await Promise.all([sessions.picture(viewed), sessions.allMessages(viewed)]);
  const parsed = JSON.parse(picture);
  const histories = await Promise.all(
    parsed.threads.map((/** @type {unknown} */ _, /** @type {number} */ thread) => sessions.history(viewed, thread)),
  );
  const data = `{"session":${JSON.stringify(entry)},"picture":${picture},"messages":${JSON.stringify(messages)},"histories":${JSON.stringify(histories)}}`;
  const sources = pageSources();
  const script = inline(sources.script);
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(sources.style)}; img-src blob:; base-uri 'none'; form-action 'none'`;
  const title = [entry.agentName, entry.project].filter((part) => part !== null).join(' · ');
  const parts = new Map([
    ['<title>palimpsest</title>', `<title>${html(title)}</title>`],
    ['<!-- policy -->', `<meta http-equiv="Content-Security-Policy" content="${policy}">`],
    ['<link rel="stylesheet" href="/page.css">', `<style>${sources.style}</style>`],
    [
      '<script type="module" src="/page.js"></script>',
      `<script type="application/json" id="session-data">${embedded(data)}</script>\n<script type="module">${script}</script>`,
    ],
  ]);
  let page = sources.html;
  for (const [from, to] of parts) {
    if (!page.includes(from)) throw new Error(`expected the page to have “${from}”`);
    page = page.replace(from, () => to);
  }
  const { billPicture } = await pictureMaker();
  return { page, bill: billPicture(parsed, 'en') };
}
