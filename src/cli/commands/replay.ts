/** `podium replay`: rebuilds read models from the events beside the live ones, then swaps them. */
import type { Command } from 'commander';
import { startProgress } from '../progress.js';
import { inSession } from '../session.js';

export const replayCommand = (program: Command): void => {
  program
    .command('replay')
    .description(
      'Rebuild all read models (or one) from the events. Readers see the old ones until it is done.',
    )
    .argument('[projection]', 'only this projection')
    .addHelpText('after', '\nExamples:\n  podium replay\n  podium replay rankings')
    .action(
      inSession(async ({ app, wiring, out }, name: string | undefined) => {
        const { Projector } = await import('../../foundation/projections/projector.js');
        const projections = await wiring.projections();
        const names = name === undefined ? projections.map((each) => each.name) : [name];
        const progress = await startProgress('events');
        let events = 0;
        const begun = Date.now();
        try {
          await app.get(Projector).replay(names, (report) => {
            events = report.events;
            progress.update(report.done, report.total, names.join(', '), events);
          });
        } finally {
          progress.stop();
        }
        const seconds = (Date.now() - begun) / 1_000;
        out.answer(
          { projections: names, events, seconds },
          `${names.join(', ')}: ${events} events in ${seconds.toFixed(1)} s`,
        );
      }),
    );
};
