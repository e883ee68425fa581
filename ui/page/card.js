// @ts-check
/**
 * A card answers one question about a session with a heading, a sentence and rows.
 * @import { SessionPicture } from '../picture.js'
 * @import { Words } from './words.js'
 * @typedef {(thread: number, request: number, cell?: number | null) => void} Select shows a request in chart and map
 * @typedef {{ picture: SessionPicture, words: Words, select: Select }} Card what a card is built from
 * @typedef {object} Row
 * @property {string} what
 * @property {string} figure
 * @property {[from: number, to: number]} [bar] start and end as shares of the card's width
 * @property {string} [tone] `good` or `bad`
 * @property {string} [title]
 * @property {() => void} [press] makes the row a button
 */
import { h } from '../base/dom.js';

/** @param {string} title the question @param {string} lead the answer @param {...(Node | false | null)} more */
export function cardOf(title, lead, ...more) {
  return h('section.answer', h('h2', title), h('p.lead', lead), ...more);
}

/** A paragraph in small type. @param {string} text */
export function note(text) {
  return h('p.more', text);
}

/** @param {Row} row @param {...Node} below shown below the row */
export function rowOf({ what, figure, bar, tone = '', title, press }, ...below) {
  const parts = [h('span.what', what), h('span', { class: `figure ${tone}` }, figure)];
  // A button shows one line; its title shows the full text.
  const line = press === undefined ? parts : [h('button', { title, onclick: press }, ...parts)];
  return h('li.entry', ...line, bar === undefined ? null : barOf(bar, tone), ...below);
}

/** @param {[from: number, to: number]} bar @param {string} tone */
function barOf([from, to], tone) {
  const bar = h('span', { class: `filled ${tone}` });
  bar.style.marginInlineStart = `${Math.max(0, Math.min(100, from * 100))}%`;
  bar.style.width = `${Math.max(0.4, Math.min(100, (to - from) * 100))}%`;
  return h('span.bar-track', { 'aria-hidden': 'true' }, bar);
}
