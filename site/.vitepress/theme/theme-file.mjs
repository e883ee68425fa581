// @ts-check
/** Finds the theme's own files, which replace files of VitePress. */
import { fileURLToPath } from 'node:url';

/** Path of a file in this folder. @param {string} name @returns {string} */
export const themeFile = (name) => fileURLToPath(new URL(name, import.meta.url));
