// @ts-check
/**
 * Saves the bill's picture. The browser draws it, so nothing is sent over the network.
 * @import { Card } from './card.js'
 */
import { h } from '../base/dom.js';
import { billPicture, SIZE } from './bill-picture.js';

/** PNG pixels per CSS pixel. */
const SHARPNESS = 2;

/** @param {Card} card */
export function saveButtons({ picture, words, language }) {
  const svg = () => new Blob([billPicture(picture, language)], { type: 'image/svg+xml' });
  const button = (/** @type {string} */ name, /** @type {() => Promise<void>} */ save) =>
    h('button', { type: 'button', 'aria-label': words.saveAs(name), onclick: save }, name);
  return h(
    'p',
    { class: 'more save', title: words.saveHint },
    words.save,
    button('SVG', async () => save('palimpsest-bill.svg', svg())),
    button('PNG', async () => save('palimpsest-bill.png', await asPng(svg()))),
  );
}

/** @param {Blob} svg @returns {Promise<Blob>} */
async function asPng(svg) {
  const image = new Image();
  const url = URL.createObjectURL(svg);
  try {
    image.src = url;
    await image.decode();
  } finally {
    URL.revokeObjectURL(url);
  }
  const canvas = h('canvas', { width: SIZE.width * SHARPNESS, height: SIZE.height * SHARPNESS });
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((png) => (png === null ? reject(new Error('the browser drew nothing')) : resolve(png)), 'image/png');
  });
}

/** @param {string} name @param {Blob} file */
function save(name, file) {
  const url = URL.createObjectURL(file);
  h('a', { href: url, download: name }).click();
  // Wait, since the browser must start reading the file first.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
