/**
 * Snapshots change no decision: whatever is commanded on whichever node, and whatever becomes of the snapshots meanwhile,
 * each command is decided as on the fold of the whole stream, and no request that was ever used is forgotten.
 */
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type RoundCommand,
  roundAggregate,
  roundDecider,
} from '../../../../src/competition/aggregates/round/round.decider.js';
import type { RoundEvent, RoundState } from '../../../../src/competition/aggregates/round/round.js';
import { roundSnapshots } from '../../../../src/competition/aggregates/round/round-snapshots.js';
import { StreamNames } from '../../../../src/domain/streams.js';
import { Aggregates } from '../../../../src/foundation/aggregates/aggregates.js';
import { ReadModelUnavailableError } from '../../../../src/foundation/read-models/read-model-store.js';
import { roundHistory } from '../../../support/commands.js';
import { MemoryEventStore } from '../../../support/memory-event-store.js';
import { MemorySnapshots } from '../../../support/memory-snapshots.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { turn } from '../../../support/turn.js';

const NAMES = new StreamNames();
const ROUND = { spaceId: 's', competitionId: 'C', eventId: 'e', roundNumber: 1 };
const CONTEXT = { actor: 'device', correlationId: 'c' };

/**
 * Commands come as JSON and events are stored as JSON, which has no NaN, no infinity and no -0. Only the facts of other streams
 * are maps.
 */
const jsonHistory: fc.Arbitrary<readonly RoundCommand[]> = roundHistory.map((history) =>
  history.map((command) => ({
    ...JSON.parse(JSON.stringify(command)),
    ...('facts' in command && { facts: command.facts }),
  })),
);

const sorted = (map: Iterable<readonly [string | number, unknown]>): readonly unknown[] =>
  [...map].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));

/** What a state says, apart from the requests and from how its maps are laid out. */
const said = ({ requests: _, ...state }: RoundState): string => {
  const { results, removed, aliases, roster, ...plain } = state;
  return JSON.stringify([plain, sorted(results), sorted(removed), sorted(aliases), roster && sorted(roster)]);
};

const fold = (state: RoundState, events: readonly RoundEvent[]): RoundState =>
  events.reduce(roundDecider.evolve, state);

const eventsOf = (commands: readonly RoundCommand[]): readonly RoundEvent[] => {
  const events: RoundEvent[] = [];
  for (const command of commands) {
    const decision = roundDecider.decide(command, fold(roundDecider.initialState, events));
    if (decision.ok) events.push(...decision.events);
  }
  return events;
};

it('a state from a snapshot and the events after it is the state from the beginning', () => {
  fc.assert(
    fc.property(jsonHistory, fc.nat(), (commands, place) => {
      const events = eventsOf(commands);
      const at = place % (events.length + 1);
      const before = fold(roundDecider.initialState, events.slice(0, at));
      const restored = roundSnapshots.decode(roundSnapshots.encode(before));
      expect(restored.requests.size).toBe(0);
      const whole = roundSnapshots.withRequests(restored, before.requests);
      const state = fold(whole, events.slice(at));
      const fromTheStart = fold(roundDecider.initialState, events);
      expect(said(state)).toBe(said(fromTheStart));
      expect(state.requests.equals(fromTheStart.requests)).toBe(true);
    }),
    propertyRuns(300),
  );
});

const MISHAPS = ['none', 'none', 'none', 'restart', 'wiped', 'spoilt', 'stale', 'away'] as const;

interface Step {
  readonly node: number;
  readonly mishap: (typeof MISHAPS)[number];
  readonly key: number;
}

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({ node: fc.nat(1), mishap: fc.constantFrom(...MISHAPS), key: fc.nat(11) }),
  { minLength: 100, maxLength: 100 },
);

const keyed = (command: RoundCommand, key: number): RoundCommand =>
  (command.type === 'EnterAttempt' || command.type === 'EnterResults') && key < 8
    ? { ...command, request: { key: `k${key}`, fingerprint: JSON.stringify(command).length.toString(16) } }
    : command;

const befall = (mishap: Step['mishap'], snapshots: MemorySnapshots): void => {
  snapshots.isAway = false;
  if (mishap === 'wiped') snapshots.wipe();
  if (mishap === 'spoilt')
    snapshots.spoil((stored) => ({ ...stored, body: stored.body.replace(/\d\]/, '9]') }));
  if (mishap === 'stale') snapshots.spoil((stored) => ({ ...stored, eventId: 'of a stream that was lost' }));
};

/** While the snapshots are away, a command whose request may have been used before is refused, and nothing changes. */
const unlessAway =
  (command: RoundCommand) =>
  (error: unknown): 'away' => {
    expect(error).toBeInstanceOf(ReadModelUnavailableError);
    expect(roundSnapshots.requestOf(command)).toBeDefined();
    return 'away';
  };

it('every command is decided as on the whole stream, whatever becomes of the snapshots', async () => {
  await fc.assert(
    fc.asyncProperty(jsonHistory, steps, async (history, plan) => {
      const store = new MemoryEventStore();
      const snapshots = new MemorySnapshots();
      const open = (): Aggregates => new Aggregates({ store, names: NAMES, snapshots, snapshotEvents: 3 });
      const nodes = [open(), open()];
      let whole = roundDecider.initialState;
      // Everything comes twice: the second time as late as can be.
      for (const [index, command] of [...history, ...history].entries()) {
        const { node, mishap, key } = plan[index % plan.length] ?? { node: 0, mishap: 'none', key: 11 };
        befall(mishap, snapshots);
        if (mishap === 'restart') nodes[node] = open();
        const asked = keyed(command, key);
        const wanted = roundDecider.decide(asked, whole);
        snapshots.isAway = mishap === 'away';
        const outcome = await nodes[node]
          ?.execute(roundAggregate, ROUND, asked, CONTEXT)
          .catch(unlessAway(asked));
        await turn();
        if (outcome === 'away') continue;
        if (!wanted.ok)
          expect(outcome).toMatchObject({ ok: false, rejection: { code: wanted.rejection.code } });
        else {
          expect(outcome).toMatchObject({ ok: true, events: wanted.events });
          whole = fold(whole, wanted.events);
          expect(outcome?.ok && said(outcome.state)).toBe(said(whole));
        }
      }
    }),
    propertyRuns(40, 60_000),
  );
});
