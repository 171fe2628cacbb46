/** How to read results: lists, one contest, rankings, and how a client sees an entry that was just made. */
import { feedPath } from '../components/records-form.js';
import { Example } from './example.js';
import { type DocsSectionProps, Section } from './section.js';

export const Reading = ({ model }: DocsSectionProps) => {
  const { base, origin, examples } = model;
  const { eventId, competitionId, roundNumber } = examples;
  const api = `/api${base}`;
  const rankings = `${api}/results/rankings/${eventId}`;
  const get = (title: string, path: string) => (
    <Example title={title} origin={origin} request={{ method: 'GET', path }} />
  );
  return (
    <Section id="reading">
      <p>
        Reads are public and need no key. The path of a space other than the default one has its slug after{' '}
        <code>/api</code>: <code>/api/club/events</code>.
      </p>
      {get('The events of the catalogue', `${api}/events`)}
      {get('The newest contests', `${api}/competitions?limit=2`)}
      {get('A contest with its rounds and results', `${api}/competitions/${competitionId}`)}
      {get('Its schedule, with the times that are expected', `${api}/competitions/${competitionId}/schedule`)}
      {!examples.hasContest && (
        <p>There is no contest here yet, so this one is made up and the reply is a 404.</p>
      )}
      {get(
        'Its competitors, empty while no competitor is registered',
        `${api}/competitions/${competitionId}/competitors`,
      )}
      <h3>Rankings</h3>
      <p>
        The path names event, type (<code>single</code>, <code>average</code>, <code>all-avg-formats</code>)
        and category (<code>competitions</code>, <code>meetups</code>, <code>online</code>, <code>all</code>).
        The query may have <code>show</code> (<code>persons</code>, <code>results</code>), <code>region</code>{' '}
        (a country such as <code>IE</code> or a continent such as <code>XE</code>) and <code>topN</code>.
      </p>
      {get('The three best singles', `${rankings}/single/all?topN=3`)}
      {get(
        'The best averages of Europe, every result',
        `${rankings}/average/all?show=results&region=XE&topN=3`,
      )}
      <h3>Records</h3>
      <p>
        Results say in <code>recordTags</code> what their single and average were on their day:{' '}
        <code>WR</code>, <code>CR</code>, <code>NR</code> of the world, the continent or the country,{' '}
        <code>PR</code> the best of the person. Each category has records of its own, so show the tag of a
        meetup as <code>Meetup WR</code> and that of an online contest as <code>Online WR</code>. The newest
        records are a list, and <a href={feedPath({ base })}>an Atom feed</a>.
      </p>
      {get('The three newest records', `${api}/records/recent?limit=3`)}
      <p>
        A space may know records from elsewhere, which a result has to equal or beat to be one. They have no
        result: the records of an event name them in <code>references</code>, with <code>since</code> and{' '}
        <code>who</code>.
      </p>
      <h3>Values</h3>
      <p>
        An attempt is one integer: centiseconds in timed events, <code>-1</code> for DNF, <code>-2</code> for
        DNS, <code>0</code> for an attempt that was not taken. Equal results share a place, and the next place
        is skipped.
      </p>
      <h3>Rounds under way</h3>
      <ul>
        <li>
          <code>provisional</code> of a round says that its places may change: the round is open, or was
          closed with results missing.
        </li>
        <li>
          <code>roster</code> says how many competitors are expected, entered and complete, and who is
          missing. It is null in a contest without a competitor list: its rounds take every known person.
        </li>
        <li>
          <code>advances</code> of a result is yes or no, as the round stands. <code>advancement</code> is{' '}
          <code>certain</code> or <code>out</code> when no way in which the round can end changes that, else{' '}
          <code>possible</code>.
        </li>
        <li>
          What each competitor with an open attempt needs to win, for the podium, to advance and for a record
          is the worst value that is enough; everything else of the round stays as it is. Of those on the
          roster without a result, <code>isEveryAttempt</code> says that it is the same value in every
          attempt.
          <pre>{`curl '${origin}${api}/competitions/${competitionId}/rounds/${eventId}/${roundNumber}/outlook'`}</pre>
        </li>
        <li>
          A screen in the venue is the page <code>/screen/{competitionId}/1</code>. Moderators choose in the
          dashboard what it shows; the rounds that it shows in turn are
          <pre>{`curl '${origin}${api}/competitions/${competitionId}/screens/1'`}</pre>
        </li>
      </ul>
      <h3>Caching, fresh reads, live results</h3>
      <ul>
        <li>
          Each reply has a strong <code>ETag</code>. Send it back as <code>If-None-Match</code>: the reply for
          an unchanged list is a 304 without a body.
        </li>
        <li>
          <code>Podium-Position</code> is the position up to which a reply has all events. A read that sends
          the position of an entry's reply waits up to two seconds until it has that entry. After that its
          reply has <code>Podium-Stale: true</code>.
        </li>
        <li>
          You can subscribe to a round with server-sent events, which resume after a lost connection:{' '}
          <code>round</code> is the whole round, <code>results</code> has the <code>results</code> to replace
          or add by <code>resultId</code>, the ids of those <code>removed</code>, and the{' '}
          <code>progress</code> of the roster.
          <pre>{`curl -N '${origin}${api}/competitions/${competitionId}/rounds/${eventId}/${roundNumber}/live'`}</pre>
        </li>
      </ul>
    </Section>
  );
};
