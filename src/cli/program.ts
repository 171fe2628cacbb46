/**
 * The grammar of the command line. Each group has a file in commands/, and loads what it needs only when it
 * runs.
 */
import { Command } from 'commander';
import { VERSION } from '../http/message/version.js';
import { alertsCommands } from './commands/alerts.js';
import { competitorsCommands } from './commands/competitors.js';
import { contestCommands } from './commands/contest.js';
import { drainsCommands } from './commands/drains.js';
import { endpointsCommands } from './commands/endpoints.js';
import { eventCommands } from './commands/event.js';
import { exchangeCommands } from './commands/exchange.js';
import { filtersCommands } from './commands/filters.js';
import { keysCommands } from './commands/keys.js';
import { maintenanceCommands } from './commands/maintenance.js';
import { personCommands } from './commands/person.js';
import { referencesCommands } from './commands/references.js';
import { rosterCommands } from './commands/roster.js';
import { roundCommands } from './commands/round.js';
import { scheduleCommands } from './commands/schedule.js';
import { screensCommands } from './commands/screens.js';
import { serveCommand } from './commands/serve.js';
import { sourcesCommands } from './commands/sources.js';
import { spaceCommands } from './commands/space.js';
import { tokensCommands } from './commands/tokens.js';
import { usersCommands } from './commands/users.js';
import { setWiring, type Wiring } from './wiring.js';

export const createProgram = (wiring: Wiring): Command => {
  const program = new Command('podium')
    .description('Runs contests: creates and ends them, issues keys to devices, imports and exports results.')
    .version(VERSION, '-V, --version', 'print the version')
    .option('--json', 'print JSON on stdout, for scripts')
    .option('--space <slug>', 'the space to work in', 'default')
    .helpOption('-h, --help', 'show what a command does, with examples')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(add --help for usage)')
    .exitOverride()
    .addHelpText('after', ENVIRONMENT);
  setWiring(program, wiring);
  serveCommand(program);
  spaceCommands(program);
  const contest = contestCommands(program);
  roundCommands(contest);
  competitorsCommands(program);
  rosterCommands(contest);
  scheduleCommands(program);
  screensCommands(program);
  personCommands(program);
  eventCommands(program);
  referencesCommands(program);
  keysCommands(program);
  tokensCommands(program);
  endpointsCommands(program);
  alertsCommands(program);
  drainsCommands(program);
  filtersCommands(program);
  sourcesCommands(program);
  usersCommands(program);
  exchangeCommands(program);
  maintenanceCommands(program);
  return program;
};

const ENVIRONMENT = `
It uses the stores of PODIUM_DATA (./data), also while a server uses them.

Examples:
  podium contest list
  podium keys issue --contest SpringOpen2026 --device "Timer 1"
  podium contest open-round SpringOpen2026 333 1
  podium contest finish SpringOpen2026`;
