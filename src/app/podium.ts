#!/usr/bin/env node
import { createProgram } from '../cli/program.js';
import { exitStatusOf } from '../cli/refusals.js';
/**
 * The `podium` command. It only reads arguments, dispatches to the command and query buses and prints what they
 * answer; nothing is decided here. Exit status: 0 when all was done, 1 when something was refused or failed (the
 * reason on stderr), 2 when the command line itself was wrong.
 */
import { cliWiring } from './cli-wiring.js';

// Whoever reads what is printed may have enough of it, as `head` has.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  await createProgram(cliWiring).parseAsync(process.argv);
} catch (error) {
  process.exitCode = exitStatusOf(error);
}
