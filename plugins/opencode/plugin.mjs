// @ts-check
/** The plug-in that opencode loads: the package's adapter, in the form that opencode expects. */
import { palimpsest } from 'palimpsest/opencode';

export default { id: 'opencode-palimpsest', server: palimpsest };
