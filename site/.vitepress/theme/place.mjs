// @ts-check
import { fileURLToPath } from 'node:url';

/** @param {string} name @returns {string} */
export const themeFile = (name) => fileURLToPath(new URL(name, import.meta.url));
