/**
 * A screen in the venue. It shows what a moderator has chosen, in letters of at least 4 percent of its height, and needs no keyboard
 * beside it: it connects again by itself, shows its last state meanwhile, and loads newer versions of the page.
 */
import { roundCode } from '../../../src/domain/attempts.js';
import { categoryOf } from '../../../src/domain/results.js';
import { instantOf } from '../../../src/domain/time-zones.js';
import type { ScreenPage as Model } from '../../../src/pages/page-models.js';
import { useFreshSchedule, useNow } from '../fresh-page.js';
import { timeText } from '../schedule-text.js';
import { RoundsInTurn } from '../screen/rounds-in-turn.js';
import { ScheduleOnScreen } from '../screen/schedule-on-screen.js';
import { useFollowedScreen, useTicks, useWakeLock } from '../screen/use-screen.js';

export const screenTitle = ({ contest, screen }: Model): string => `${contest.name}: screen ${screen.name}`;

export const ScreenPage = ({ model }: { readonly model: Model }) => {
  const { base, contest, events } = model;
  const api = `/api${base}/competitions/${contest.competitionId}`;
  useWakeLock();
  const now = useNow();
  const schedule = useFreshSchedule(model.schedule, `${api}/schedule`);
  const { screen, lostAt, reconnects } = useFollowedScreen(
    model.screen,
    `${api}/screens/${model.screen.name}`,
  );
  const renewals = useTicks(RENEW_SECONDS);
  const rounds = screen.showing.flatMap(({ eventId, roundNumber }) => {
    const event = events.find((known) => known.eventId === eventId);
    const live = `${api}/rounds/${eventId}/${roundNumber}/live`;
    return event ? [{ code: roundCode({ eventId, roundNumber }), event, live }] : [];
  });
  const timeZone = schedule.venues[0]?.timeZone;
  const clock = (instant: string): string => timeText(instant, timeZone ?? ownTimeZone());
  return (
    <main className={`screen-page ${screen.theme}`}>
      <header>
        <p className="name contest">{contest.name}</p>
        {lostAt !== null && <p className="lost">no connection since {clock(instantOf(lostAt))}</p>}
        <p className="clock">{now !== null && clock(now)}</p>
      </header>
      {rounds.length === 0 ? (
        <ScheduleOnScreen schedule={schedule} now={now} seconds={screen.seconds} />
      ) : (
        <RoundsInTurn
          key={rounds.map(({ code }) => code).join()}
          rounds={rounds}
          category={categoryOf(contest.type)}
          seconds={screen.seconds}
          connection={reconnects + renewals}
        />
      )}
    </main>
  );
};

/** A stream that has died without a word, and without a request that failed, is not waited for longer than this. */
const RENEW_SECONDS = 600;

/** Of the device, where the contest has no venue. */
const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
