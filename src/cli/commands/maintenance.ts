/** Commands of an operator beside contests: replay, backup, copy-events, doctor. */
import type { Command } from 'commander';
import { backupCommand } from './backup.js';
import { copyEventsCommand } from './copy-events.js';
import { doctorCommand } from './doctor.js';
import { replayCommand } from './replay.js';

export const maintenanceCommands = (program: Command): void => {
  replayCommand(program);
  backupCommand(program);
  copyEventsCommand(program);
  doctorCommand(program);
};
