/** What viewers of a round are sent: once joined, all that happens; after a break, what they missed. */
import { describe, expect, it } from '@jest/globals';
import type { RoundResultView, RoundView } from '../../../../src/competition/contests/contest.queries.js';
import { applyChanges } from '../../../../src/competition/live/round-changes.js';
import { RoundChannel } from '../../../../src/competition/live/round-channel.js';
import type { EventReader } from '../../../../src/http/message/event-stream.js';
import { roundView } from '../../../support/round-views.js';

const result = (resultId: string, place: number, best = 1_000 + place): RoundResultView => ({
  resultId,
  place,
  advances: false,
  advancement: null,
  recordTags: { single: null, average: null },
  persons: [{ id: place, name: resultId, localizedName: null, regionCode: null, assocId: null }],
  attempts: [{ result: best }],
  best,
  average: 0,
  date: '2026-05-01',
  regionCode: null,
});

const round = (results: readonly RoundResultView[], open = true): RoundView => roundView({ results, open });

/** Applies what it is sent, as the page does. */
class TestViewer implements EventReader {
  isBehind = false;
  ended = false;
  shown: RoundView | null = null;
  lastStep = '';
  readonly events: string[] = [];

  send(bytes: Buffer): void {
    const [, id = '', event = '', data = ''] =
      /^id: (.+)\nevent: (.+)\ndata: (.+)\n\n$/.exec(bytes.toString()) ?? [];
    this.lastStep = id;
    this.events.push(event);
    if (event === 'round') this.shown = JSON.parse(data);
    else if (this.shown) this.shown = applyChanges(this.shown, JSON.parse(data));
  }

  end(): void {
    this.ended = true;
  }
}

const STEPS = [
  round([]),
  round([result('a', 1)]),
  round([result('a', 1), result('b', 2)]),
  round([result('b', 1, 900), result('a', 2)]),
  round([result('b', 1, 900)]),
] as const;

const channelAt = (step: number): RoundChannel => {
  const channel = new RoundChannel('boot');
  for (const shown of STEPS.slice(0, step + 1)) channel.show(shown);
  return channel;
};

describe('a channel', () => {
  it('sends the whole round first and then only what changes', () => {
    const channel = channelAt(0);
    const viewer = new TestViewer();
    channel.join(viewer, undefined);
    for (const shown of STEPS.slice(1)) {
      channel.show(shown);
      expect(viewer.shown).toEqual(shown);
    }
    expect(viewer.events).toEqual(['round', 'results', 'results', 'results', 'results']);
  });

  it('says nothing when nothing looks different', () => {
    const channel = channelAt(2);
    const viewer = new TestViewer();
    channel.join(viewer, undefined);
    channel.show(STEPS[2]);
    expect(viewer.events).toEqual(['round']);
  });

  it('sends the round anew when more than its results changed', () => {
    const channel = channelAt(1);
    const viewer = new TestViewer();
    channel.join(viewer, undefined);
    channel.show(round(STEPS[1].results, false));
    expect(viewer.events).toEqual(['round', 'round']);
    expect(viewer.shown?.open).toBe(false);
  });

  it('sends a viewer who comes back exactly the steps that were missed', () => {
    const channel = channelAt(1);
    const before = new TestViewer();
    channel.join(before, undefined);
    channel.leave(before);
    channel.show(STEPS[2]);
    channel.show(STEPS[3]);
    const again = new TestViewer();
    again.shown = before.shown;
    channel.join(again, before.lastStep);
    expect(again.events).toEqual(['results', 'results']);
    expect(again.shown).toEqual(STEPS[3]);
  });

  it.each(['other.1', 'boot.x', 'boot.99', '', '1'])(
    'sends the whole round to a viewer who has seen "%s"',
    (lastStep) => {
      const viewer = new TestViewer();
      channelAt(3).join(viewer, lastStep);
      expect(viewer.events).toEqual(['round']);
      expect(viewer.shown).toEqual(STEPS[3]);
    },
  );

  it('sends the whole round when the missed steps are not kept any more', () => {
    const channel = channelAt(1);
    const before = new TestViewer();
    channel.join(before, undefined);
    channel.leave(before);
    for (let best = 0; best < 600; best++) channel.show(round([result('a', 1, 5_000 - best)]));
    const again = new TestViewer();
    channel.join(again, before.lastStep);
    expect(again.events).toEqual(['round']);
    expect(again.shown?.results[0]?.best).toBe(4_401);
  });

  it('sends no step again that shows a person who is shown otherwise by now', () => {
    const channel = channelAt(0);
    const before = new TestViewer();
    channel.join(before, undefined);
    channel.leave(before);
    for (const shown of STEPS.slice(1)) channel.show(shown);
    channel.dropSteps([99]);
    const soon = new TestViewer();
    channel.join(soon, before.lastStep);
    expect(soon.events).toEqual(['results', 'results', 'results', 'results']);
    channel.dropSteps([2]);
    const later = new TestViewer();
    channel.join(later, before.lastStep);
    expect([later.events, later.shown]).toEqual([['round'], STEPS[4]]);
    const present = new TestViewer();
    channel.join(present, later.lastStep);
    expect(present.events).toEqual([]);
  });

  it('sends no step again that shows such a person among those who are missing', () => {
    const expecting = (name: string, open: boolean): RoundView => {
      const { persons } = result(name, 7);
      const roster = {
        expected: 1,
        entered: 0,
        complete: 0,
        missing: [{ persons, mark: 'expected' as const }],
      };
      return roundView({ open, roster });
    };
    const channel = new RoundChannel('boot');
    channel.show(expecting('Ann', true));
    const before = new TestViewer();
    channel.join(before, undefined);
    channel.leave(before);
    channel.show(expecting('Ann', false));
    channel.show(expecting('—', false));
    channel.dropSteps([7]);
    const later = new TestViewer();
    channel.join(later, before.lastStep);
    expect([later.events, later.shown]).toEqual([['round'], expecting('—', false)]);
  });

  it('leaves out a viewer who reads too slowly, and shows the whole round when there is room again', () => {
    const channel = channelAt(1);
    const viewer = new TestViewer();
    channel.join(viewer, undefined);
    viewer.isBehind = true;
    channel.show(STEPS[2]);
    viewer.isBehind = false;
    channel.show(STEPS[3]);
    expect(viewer.events).toEqual(['round']);
    channel.caughtUp(viewer);
    expect(viewer.shown).toEqual(STEPS[3]);
    channel.show(STEPS[4]);
    expect(viewer.shown).toEqual(STEPS[4]);
  });
});
