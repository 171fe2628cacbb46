/** `npm start`: installs and builds what is missing, then runs the server. */
import { becomeBuilt, prepare } from './prepare.mjs';

prepare({ say: (line) => console.log(line) });
await becomeBuilt('app/main.js');
