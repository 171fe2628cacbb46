/** Commands that import, export and generate data. */
import type { Command } from 'commander';
import { exportCommand } from './export.js';
import { generateCommand } from './generate.js';
import { generateLogsCommand } from './generate-logs.js';
import { importCommand } from './import.js';

export const exchangeCommands = (program: Command): void => {
  importCommand(program);
  exportCommand(program);
  generateCommand(program);
  generateLogsCommand(program);
};
