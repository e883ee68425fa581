// @ts-check
/**
 * All sessions, newest first.
 *
 * @import { Language } from '../base/language.js'
 * @import { Listed } from './source.js'
 * @import { Words } from './words.js'
 */
import { h } from '../base/dom.js';
import { formatCount, formatShort, formatTime } from '../base/format.js';
import { legible } from '../picture/naming.js';
import { formatMoney } from './figures.js';

/** @param {readonly Listed[]} sessions @param {Words} words @param {Language} language */
export function sessionList(sessions, words, language) {
  if (sessions.length === 0) return h('p', { class: 'empty' }, words.noSessions);
  const heads = [words.project, words.agent, words.lastUsed, words.requests, words.longest, words.losses, words.paid];
  const cells = heads.map((head, at) => h('th', { scope: 'col', class: at > 2 ? 'number' : '' }, head));
  const rows = sessions.map((session) => rowOf(session, words, language));
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': words.sessions },
    h('table', {}, h('thead', {}, h('tr', {}, ...cells)), h('tbody', {}, ...rows)),
  );
}

/** @param {Listed} session @param {Words} words @param {Language} language */
function rowOf(session, words, language) {
  const { id, agentName, requests, peakTokens, busts, bill, lastMs } = session;
  const time = lastMs === null ? undefined : formatTime(lastMs, language);
  const figures = [
    formatCount(requests, language),
    peakTokens > 0 ? formatShort(peakTokens, language) : words.unknown,
    busts === null ? words.unknown : formatCount(busts, language),
    bill === null ? words.unknown : formatMoney(bill.paid, bill.currency, words, language),
  ];
  return h(
    'tr',
    {},
    h(
      'td',
      { class: 'project' },
      h('a', { href: `#session=${id}` }, titleOf(session, words)),
      session.title && h('div', { class: 'first' }, legible(session.title)),
    ),
    h('td', {}, agentName),
    h('td', {}, time === undefined ? words.unknown : h('time', { datetime: time.datetime }, time.text)),
    ...figures.map((figure) => h('td', { class: 'number' }, figure)),
  );
}

/** The project's folder, else the file's name. @param {Listed} session @param {Words} words */
export function titleOf({ project, path }, words) {
  const ends = (/** @type {string} */ whole) =>
    whole
      .split(/[\\/]/)
      .filter((part) => part !== '')
      .at(-1);
  return (project === null ? undefined : ends(project)) ?? ends(path) ?? words.untitled;
}
