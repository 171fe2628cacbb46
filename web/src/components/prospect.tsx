/** Whether a competitor of a round advances: a mark beside the place, its text for screen readers, and what the marks mean. */
import type { RoundResultView, RoundView } from '../../../src/competition/contests/contest.queries.js';

type Place = Pick<RoundResultView, 'advances' | 'advancement'>;
type Round = Pick<RoundView, 'provisional'>;

/** As the round stands a competitor advances or not. The prospect says whether that can change. */
type Standing = 'certain' | 'advancing' | 'possible' | 'out';

/** Null: nothing is known but that the competitor does not advance as it stands. */
const standingOf = ({ advances, advancement }: Place, { provisional }: Round): Standing | null => {
  if (advancement === 'possible' && advances) return 'advancing';
  if (advancement !== null) return advancement;
  if (!advances) return null;
  return provisional ? 'advancing' : 'certain';
};

const MEANINGS: Readonly<Record<Standing, string>> = {
  certain: 'advances to the next round',
  advancing: 'advances as it stands now',
  possible: 'can still advance',
  out: 'cannot advance any more',
};

/** The class of the row whose place has the mark. */
export const prospectClass = (place: Place, round: Round): string | null => {
  const standing = standingOf(place, round);
  return standing && `prospect-${standing}`;
};

/** What is known of the place; null: nothing but that the competitor does not advance as it stands. */
export const prospectText = (place: Place, round: Round): string | null => {
  const standing = standingOf(place, round);
  return standing && MEANINGS[standing];
};

/** For screen readers, in the cell of the place. */
export const ProspectText = ({ of, round }: { readonly of: Place; readonly round: Round }) => {
  const text = prospectText(of, round);
  return text && <span className="hidden"> {text}</span>;
};

const MARKED = ['certain', 'advancing', 'possible'] as const;

/** What the marks of the round mean. Screen readers have the texts in the rows. */
export const ProspectKey = ({ round }: { readonly round: RoundView }) => {
  const standings = new Set(round.results.map((result) => standingOf(result, round)));
  const shown = MARKED.filter((standing) => standings.has(standing));
  if (shown.length === 0) return null;
  return (
    <p className="about prospects" aria-hidden="true">
      {shown.map((standing) => (
        <span key={standing} className={`prospect-${standing}`}>
          <span className="place" /> {MEANINGS[standing]}
        </span>
      ))}
      {standings.has('out') && <span>without a mark: {MEANINGS.out}</span>}
    </p>
  );
};
