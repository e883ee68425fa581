// @ts-check
/** @import { Card } from './card.js' */
import { h } from '../base/dom.js';
import { adviceCard } from './advice-card.js';
import { billCard } from './bill-card.js';
import { itemsCard } from './items-card.js';

/** @param {Card} card */
export function answerCards(card) {
  return h('div', { class: 'answers' }, billCard(card), itemsCard(card), adviceCard(card));
}
