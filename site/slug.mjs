// @ts-check
/**
 * Computes a heading's anchor as GitHub does, so that links to it work on GitHub and on the site.
 * @param {string} heading without markup
 */
export function slugOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}
