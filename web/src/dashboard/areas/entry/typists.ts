/** Who has typed the results of a round: the choice of those to check, and those that devices entered and a moderator should confirm. */
import type { RoundResultView, RoundView } from '../../../../../src/competition/contests/contest.queries.js';
import type {
  ChangeMaker,
  CheckedResult,
  EntrySheetView,
} from '../../../../../src/competition/rounds/entry-sheet.queries.js';
import { attemptsOfResult, otherSingles } from './desk-round.js';
import { claimText, recordClaims, standingFor } from './record-claims.js';
import { unusualReason } from './unusual.js';

export const makerText = ({ kind, name, id }: ChangeMaker): string => {
  switch (kind) {
    case 'device':
      return `Device ${name ?? id}`;
    case 'account':
      return name ?? 'A removed account';
    case 'system':
      return name === 'cli' ? 'Command line' : 'Podium';
    default:
      return kind satisfies never;
  }
};

/** Of a maker among all, as the value of a choice. */
export const makerKey = ({ kind, id, name }: ChangeMaker): string => `${kind} ${id ?? name}`;

/** What one maker has typed of a result. */
interface Share {
  readonly by: ChangeMaker;
  readonly attemptNumbers: readonly number[];
}

/** By result id. */
export type Shares = ReadonlyMap<string, readonly Share[]>;

export const sharesIn = ({ typists }: Pick<EntrySheetView, 'typists'>): Shares => {
  const shares = new Map<string, Share[]>();
  for (const { by, typed } of typists) {
    for (const { resultId, attemptNumbers } of typed)
      shares.set(resultId, [...(shares.get(resultId) ?? []), { by, attemptNumbers }]);
  }
  return shares;
};

/** By result id: the attempts as they were checked. */
export const checkedAttempts = (checked: readonly CheckedResult[]): ReadonlyMap<string, string> =>
  new Map(checked.map(({ resultId, attempts }) => [resultId, attempts.join(' ')]));

/** Also while the round already shows later attempts than the sheet, which the mark does not cover. */
export const isChecked = (
  { resultId, attempts }: Pick<RoundResultView, 'resultId' | 'attempts'>,
  checked: ReadonlyMap<string, string>,
): boolean => checked.get(resultId) === attempts.map(({ result }) => result).join(' ');

export const ANYBODY = '';
export const OTHERS = 'others';

/** What the choice and the list are made from. */
export interface EnteredRound {
  readonly sheet: Pick<EntrySheetView, 'event' | 'checked' | 'standing'>;
  readonly shares: Shares;
  /** The live round. The sheet may be some seconds older. */
  readonly round: RoundView;
}

/** The results that are not checked yet. `typist`: ANYBODY, OTHERS than the account, or the key of a maker. */
export const toCheck = (
  { sheet, shares, round }: EnteredRound,
  { typist, accountId }: { readonly typist: string; readonly accountId: string },
): readonly RoundResultView[] => {
  const checked = checkedAttempts(sheet.checked);
  return round.results.filter((result) => {
    const makers = (shares.get(result.resultId) ?? []).map(({ by }) => by);
    if (isChecked(result, checked)) return false;
    if (typist === ANYBODY) return true;
    if (typist === OTHERS) return makers.every(({ id }) => id !== accountId);
    return makers.some((maker) => makerKey(maker) === typist);
  });
};

/** A result that a device entered and that a moderator would have been asked about. */
export interface ToConfirm {
  readonly result: RoundResultView;
  /** Sentences. */
  readonly reasons: readonly string[];
  readonly devices: readonly ChangeMaker[];
}

/** In the order of the round. */
export const toConfirm = ({ sheet, shares, round }: EnteredRound): readonly ToConfirm[] => {
  const checked = checkedAttempts(sheet.checked);
  return round.results.flatMap((result) => {
    const ofDevices = (shares.get(result.resultId) ?? []).filter(({ by }) => by.kind === 'device');
    if (ofDevices.length === 0 || isChecked(result, checked)) return [];
    const attemptNumbers = ofDevices.flatMap((share) => share.attemptNumbers);
    const reasons = reasonsToAsk(result, attemptNumbers, { sheet, round });
    return reasons.length === 0 ? [] : [{ result, reasons, devices: ofDevices.map(({ by }) => by) }];
  });
};

/** `attemptNumbers`: those of devices. */
const reasonsToAsk = (
  result: RoundResultView,
  attemptNumbers: readonly number[],
  { sheet, round }: Pick<EnteredRound, 'sheet' | 'round'>,
): readonly string[] => {
  const { format } = sheet.event;
  const standing = standingFor(result.persons, sheet, result.regionCode);
  const claims = recordClaims(result, result, standing).map((claim) => claimText(claim, standing, format));
  const attempts = attemptsOfResult(result, round);
  const singles = otherSingles(result.persons, round);
  const surroundings = { valueFormat: format, attempts, singles, ownBest: standing.ownBest };
  const unusual = attemptNumbers.flatMap((number) => {
    const reason = unusualReason(number - 1, surroundings);
    return reason === null ? [] : [`Attempt ${number}: ${reason}`];
  });
  return [...claims, ...unusual];
};
