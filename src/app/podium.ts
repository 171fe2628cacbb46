#!/usr/bin/env node
/**
 * The `podium` command. It reads arguments, sends commands and queries to the buses and prints their results;
 * it decides nothing. Exit status: 0 when all was done, 1 when something was refused or failed (reason on
 * stderr), 2 when the command line was wrong.
 */
import { makeFilesPrivate } from '../cli/file-modes.js';
import { createProgram } from '../cli/program.js';
import { exitStatusOf } from '../cli/refusals.js';
import { cliWiring } from './cli-wiring.js';

makeFilesPrivate();

// A reader of the output, such as `head`, may close the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  await createProgram(cliWiring).parseAsync(process.argv);
} catch (error) {
  process.exitCode = exitStatusOf(error);
}
