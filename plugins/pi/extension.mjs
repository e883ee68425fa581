// @ts-check
export { palimpsest as default } from 'palimpsest/pi';
