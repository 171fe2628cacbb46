/**
 * Two nodes on the same stores, each given some of a history's commands, while what projects moves between them: leases
 * run out, a projector stands still in the middle of a commit or dies there. What either node then answers, from its copies
 * too, is what the oracle says, and what a process that begins from the first event builds.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import fc from 'fast-check';
import { projections } from '../../../../src/app/features.js';
import { openReadModelStore } from '../../../../src/app/stores/open-read-model-store.js';
import type { NodeDescription } from '../../../../src/foundation/projections/runner/nodes.js';
import type { ProjectionContext } from '../../../../src/foundation/projections/runner/projection-context.js';
import { ProjectorHost } from '../../../../src/foundation/projections/runner/projector-host.js';
import { SubscribedEvents } from '../../../../src/foundation/projections/runner/subscribed-events.js';
import { compareWithOracle } from '../../../support/compare.js';
import { type History, histories } from '../../../support/histories.js';
import { HistoryRunner } from '../../../support/history-runner.js';
import { type MemoryCore, names, openMemoryCore } from '../../../support/memory-core.js';
import { MemoryEventStore } from '../../../support/memory-event-store.js';
import { MovingProjector } from '../../../support/moving-projector.js';
import { temporaryFolder } from '../../../support/podium-app.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { at, type RanHistory } from '../../../support/ran-history.js';
import { readEverything } from '../../../support/read-everything.js';
import type { UpkeepStep } from '../../../support/step-commands.js';

const STEPS = 40;
const LONG = 600_000;
/** Of all lists, one in so many is looked at. */
const LOOKED_AT = 25;

interface Node {
  readonly core: MemoryCore;
  readonly projector: MovingProjector;
}

const described = (id: string): NodeDescription => ({
  id,
  host: 'here',
  pid: process.pid,
  startedAt: 0,
  version: 'test',
  address: 'http://127.0.0.1:9',
});

describe('two nodes', () => {
  let folder: string;
  let readModelUrl: string;
  let store: MemoryEventStore;
  let nodes: readonly Node[];
  let spaces = 0;

  const startNode = async (id: string): Promise<Node> => {
    const connection = store.connect();
    const projector = await MovingProjector.begin(
      { eventStore: connection, projections, subscribed: new SubscribedEvents(names) },
      async () => openReadModelStore(readModelUrl),
    );
    const reads = { readModelUrl, engineOf: () => projector };
    const core = await openMemoryCore({ store: connection, folder }, reads);
    projector.announce(described(id));
    return { core, projector };
  };

  beforeAll(async () => {
    folder = await temporaryFolder();
    readModelUrl = `sqlite:${join(folder, 'read-models.sqlite')}`;
    store = new MemoryEventStore();
    nodes = [await startNode('first'), await startNode('second')];
  }, LONG);
  afterAll(async () => {
    for (const { core } of nodes) await core.close();
    await rm(folder, { recursive: true, force: true });
  }, LONG);

  const allGoOn = async (): Promise<void> => {
    for (const { projector } of nodes) await projector.goOn();
  };

  const move = async ({ projector }: Node, how: number): Promise<void> => {
    if (how < 3) projector.standStill();
    else if (how < 6) await projector.die();
    else if (how < 8) projector.lapses = !projector.lapses;
    else await projector.goOn();
  };

  const check = async (history: History, draw: (below: number) => number): Promise<void> => {
    spaces += 1;
    const upkeep = async (step: UpkeepStep): Promise<void> => {
      if (step.step === 'restart') await at(nodes, draw(2)).projector.die();
    };
    const commands = (): CommandBus => at(nodes, draw(2)).core.get(CommandBus);
    const moveOrCompare = async (soFar: RanHistory): Promise<void> => {
      const doing = draw(10);
      if (doing < 5) await move(at(nodes, draw(2)), draw(12));
      if (doing === 5) await compare(soFar);
    };
    const compare = async (ran: RanHistory): Promise<void> => {
      await allGoOn();
      for (const { core } of nodes) {
        const asked = {
          queries: core.get(QueryBus),
          waitFor: core.shown,
          isLookedAt: () => draw(LOOKED_AT) === 0,
        };
        await compareWithOracle(asked, ran, [100, 1 + draw(4)]);
      }
    };
    const runner = new HistoryRunner({ commands, upkeep });
    const ran = await runner.run(history, `space${spaces}`, async (soFar, step) => {
      await moveOrCompare(soFar);
      // A merge looks at what is shown.
      if (history.steps[step + 1]?.step === 'merge') await allGoOn();
    });
    await compare(ran);
    await compareWithRebuilt(ran);
  };

  /** A process that begins from the first event, with no copies. */
  const compareWithRebuilt = async (ran: RanHistory): Promise<void> => {
    const own = `sqlite:${join(folder, `rebuilt-${spaces}.sqlite`)}`;
    const engineOf = (context: ProjectionContext) => new ProjectorHost(context);
    const fresh = await openMemoryCore({ store: store.connect(), folder }, { readModelUrl: own, engineOf });
    try {
      const regions = [null, 'IE'];
      await fresh.shown(ran.position);
      const rebuilt = await readEverything(fresh.get(QueryBus), [ran], { regions });
      for (const { core } of nodes)
        expect(await readEverything(core.get(QueryBus), [ran], { regions })).toEqual(rebuilt);
    } finally {
      await fresh.close();
    }
  };

  it(
    'answer what the oracle says wherever the projecting is',
    async () => {
      const draws = fc.infiniteStream(fc.nat({ max: 1_000_000 }));
      const law = fc.asyncProperty(histories(STEPS), draws, (history, drawn) =>
        check(history, (below) => (drawn.next().value ?? 0) % below),
      );
      // Where the projecting is at a moment is no part of a case, so there is nothing to shrink.
      await fc.assert(law, { ...propertyRuns(3, LONG / 2), endOnFailure: true });
    },
    LONG,
  );
});
