/**
 * Commands of an operator beside contests: replay, backup, copy-events, doctor, verify, logs reset, accept-loss,
 * event-store-user.
 */
import type { Command } from 'commander';
import { acceptLossCommand } from './accept-loss.js';
import { backupCommand } from './backup.js';
import { copyEventsCommand } from './copy-events.js';
import { doctorCommand } from './doctor.js';
import { eventStoreUserCommand } from './event-store-user.js';
import { logsCommands } from './logs-reset.js';
import { replayCommand } from './replay.js';
import { verifyCommand } from './verify.js';

export const maintenanceCommands = (program: Command): void => {
  replayCommand(program);
  backupCommand(program);
  copyEventsCommand(program);
  doctorCommand(program);
  verifyCommand(program);
  logsCommands(program);
  acceptLossCommand(program);
  eventStoreUserCommand(program);
};
