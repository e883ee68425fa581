// @ts-check
/**
 * Buttons that save the bill's picture as SVG or PNG. The browser draws it, so nothing is sent over the network.
 *
 * @import { Card } from './card.js'
 */
import { h } from '../base/dom.js';
import { billPicture, SIZE } from './bill-picture.js';

/** PNG pixels per CSS pixel. */
const PNG_SCALE = 2;

/** @param {Card} card */
export function saveButtons({ picture, words, language }) {
  const svgFile = () => new Blob([billPicture(picture, language)], { type: 'image/svg+xml' });
  const button = (/** @type {string} */ name, /** @type {() => Promise<void>} */ save) =>
    h('button', { type: 'button', 'aria-label': words.saveAs(name), onclick: save }, name);
  return h(
    'p',
    { class: 'more save', title: words.saveHint },
    words.save,
    button('SVG', async () => save('palimpsest-bill.svg', svgFile())),
    button('PNG', async () => save('palimpsest-bill.png', await asPng(svgFile()))),
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
  const canvas = h('canvas', { width: SIZE.width * PNG_SCALE, height: SIZE.height * PNG_SCALE });
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((png) => (png === null ? reject(new Error('the browser drew nothing')) : resolve(png)), 'image/png');
  });
}

/** @param {string} name @param {Blob} file */
function save(name, file) {
  const url = URL.createObjectURL(file);
  h('a', { href: url, download: name }).click();
  // The browser must have started to read the file.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
