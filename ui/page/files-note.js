// @ts-check
/**
 * What the session reader noted about the files: invalid lines, unread files. It is shown in a section that opens.
 * @import { FileNote, Listing } from './source.js'
 * @import { Words } from './words.js'
 */
import { h } from '../base/dom.js';

/** Maximum number of links to sessions with the same note. */ const MAX_LINKS = 5;

/** Notes about one session's file. @param {readonly FileNote[]} notes @param {Words} words */
export function sessionNotes(notes, { files, number }) {
  const lines = notes.map(({ kind, what, count, at }) => {
    const times = files.times(number(count), files.kinds[kind] ?? what);
    return h('li', `${times}${at === null ? '' : files.at(at)}`);
  });
  return collapsible(files.titleOfOne, lines);
}

/** Notes about all files, summed by kind. @param {Listing} listing @param {Words} words */
export function filesNote({ sessions, failures, outside, passedOver }, { files, number, quoted }) {
  /** @type {Map<string, { what: string, count: number, ids: [id: string, path: string][] }>} */
  const kinds = new Map();
  for (const { id, path, notes } of sessions) {
    for (const { kind, what, count } of notes) {
      const sum = kinds.get(kind) ?? { what: files.kinds[kind] ?? what, count: 0, ids: [] };
      sum.count += count;
      sum.ids.push([id, path]);
      kinds.set(kind, sum);
    }
  }
  const lines = [
    passedOver > 0 && h('li', files.passedOver(number(passedOver))),
    outside > 0 && h('li', files.outside(number(outside))),
    ...failures.map(({ path, code, message }) => h('li', quoted(path, files.failures[code] ?? message))),
    ...[...kinds.values()].map((kind) => h('li', `${files.times(number(kind.count), kind.what)}: `, linksTo(kind.ids))),
  ];
  return collapsible(files.title, lines);
}

/** @param {readonly [id: string, path: string][]} ids of sessions, with the paths of their files */
function linksTo(ids) {
  const links = ids.slice(0, MAX_LINKS).flatMap(([id, path], index) => {
    const name = path.split(/[\\/]/).at(-1) ?? path;
    return [index > 0 && ', ', h('a', { href: `#session=${id}`, 'data-key': `odd ${id}` }, name)];
  });
  return [...links, ids.length > MAX_LINKS && ', …'];
}

/** @param {string} title @param {(Element | false)[]} lines */
function collapsible(title, lines) {
  if (!lines.some(Boolean)) return [];
  return [h('details.about', h('summary', { 'data-key': title }, title), h('ul', lines))];
}
