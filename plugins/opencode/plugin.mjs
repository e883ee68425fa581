// @ts-check
import { palimpsest } from 'palimpsest/opencode';

export default { id: 'opencode-palimpsest', server: palimpsest };
