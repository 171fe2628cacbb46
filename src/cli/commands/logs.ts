/** `podium logs`: the log entries, and the file that holds them. */
import type { Command } from 'commander';
import { copyLogsCommand } from './logs-copy.js';
import { exportLogsCommand } from './logs-export.js';
import { refusedCommand } from './logs-refused.js';
import { resetCommand } from './logs-reset.js';
import { tailCommand } from './logs-tail.js';

export const logsCommands = (program: Command): void => {
  const logs = program.command('logs').description('The log entries, and the file that holds them.');
  tailCommand(logs);
  exportLogsCommand(logs);
  refusedCommand(logs);
  copyLogsCommand(logs);
  resetCommand(logs);
};
