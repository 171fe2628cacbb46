/** `npm run -s podium -- COMMAND`: the CLI of a checkout, installed and built first where that is missing. */
import { becomeBuilt, prepare } from './prepare.mjs';

prepare({ say: (line) => console.error(line) });
await becomeBuilt('app/podium.js');
