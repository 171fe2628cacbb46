/** The names and colours of types and states of contests, and of phases of rounds. */
import type { ContestStage } from '../../../../../src/competition/contests/contest.queries.js';
import type { RoundPhase } from '../../../../../src/competition/contests/moderation.queries.js';
import type { ContestType } from '../../../../../src/domain/attempts.js';
import { optionsFrom } from '../../../components/options.js';

export const CONTEST_TYPE_NAMES: Readonly<Record<ContestType, string>> = {
  competition: 'Competition',
  meetup: 'Meetup',
  online: 'Online',
};

const STATES: Readonly<Record<ContestStage, string>> = {
  draft: 'Draft',
  announced: 'Announced',
  ongoing: 'Ongoing',
  finished: 'Finished',
  deleted: 'Deleted',
};

export const STATE_CHOICES = [{ value: '', name: 'All' }, ...optionsFrom(STATES)];

export const StateBadge = ({ state }: { readonly state: ContestStage }) => (
  <span className={`badge ${state}`}>{STATES[state]}</span>
);

const PHASES: Readonly<Record<RoundPhase, string>> = {
  unopened: 'Not opened',
  open: 'Open',
  closed: 'Closed',
};

export const PhaseBadge = ({ phase }: { readonly phase: RoundPhase }) => (
  <span className={`badge ${phase === 'open' ? 'ongoing' : phase}`}>{PHASES[phase]}</span>
);
