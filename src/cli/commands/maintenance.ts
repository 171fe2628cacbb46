/** What an operator needs besides the contests: replay, backup, doctor. */
import type { Command } from 'commander';
import { backupCommand } from './backup.js';
import { doctorCommand } from './doctor.js';
import { replayCommand } from './replay.js';

export const maintenanceCommands = (program: Command): void => {
  replayCommand(program);
  backupCommand(program);
  doctorCommand(program);
};
