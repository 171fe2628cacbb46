/** `podium serve`: the server in this process. */
import type { Command } from 'commander';
import { wiringOf } from '../wiring.js';

export const serveCommand = (program: Command): void => {
  program
    .command('serve')
    .description('Serve the API on HOST and PORT (127.0.0.1:3000) until SIGTERM or SIGINT.')
    .addHelpText(
      'after',
      `
Examples:
  podium serve
  PORT=8080 PODIUM_DATA=/var/lib/podium PODIUM_SAMPLE=false podium serve`,
    )
    .action((_options: object, command: Command) => wiringOf(command).serve());
};
