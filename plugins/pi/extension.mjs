// @ts-check
/** The extension that pi loads: the package's adapter. */
export { palimpsest as default } from 'palimpsest/pi';
