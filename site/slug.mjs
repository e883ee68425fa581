// @ts-check
/**
 * The anchor of a heading as GitHub makes it, so that a link to one works there and on the site.
 * @param {string} heading without marks
 */
export function slugOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}
