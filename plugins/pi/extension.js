export { palimpsest as default } from 'palimpsest/pi';
