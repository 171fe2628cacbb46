/** Who advances, the one button that closes a round and opens the next one, and what can still be put right then. */
import { useState } from 'react';
import type { Confirmation } from '../../../../../src/competition/aggregates/round/advancement-plan.js';
import type {
  AdvancementView,
  NextRoundView,
  PlacedCompetitorView,
} from '../../../../../src/competition/rounds/advancement.queries.js';
import { countText } from '../../../format.js';
import { Button } from '../../parts/button.js';
import { ConfirmCommand } from '../../parts/dialog.js';
import { Checkbox } from '../../parts/field.js';

interface Advance {
  readonly competitors: readonly { readonly personIds: readonly number[] }[];
  readonly confirmed: readonly Confirmation[];
}

interface NextRoundProps {
  readonly view: AdvancementView;
  readonly next: NextRoundView;
  readonly roundNumber: number;
  readonly isOpen: boolean;
  readonly isPending: boolean;
  readonly onAdvance: (advance: Advance) => Promise<unknown>;
  readonly onUndo: () => void;
  readonly onAdd: (personIds: readonly number[]) => void;
}

const idsOf = ({ persons }: PlacedCompetitorView): readonly number[] => persons.map(({ id }) => id);
const keyOf = (competitor: PlacedCompetitorView): string => idsOf(competitor).join();
const textOf = ({ place, persons }: PlacedCompetitorView): string =>
  `${place}. ${persons.map(({ name }) => name).join(', ')}`;

export const NextRound = (props: NextRoundProps) => (
  <section aria-labelledby="next-round">
    <h3 id="next-round">Advancing to round {props.next.roundNumber}</h3>
    {props.next.opened ? <Opened {...props} /> : <Planned {...props} />}
  </section>
);

const Planned = ({ view, next, roundNumber, isOpen, isPending, onAdvance }: NextRoundProps) => {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isAsked, setIsAsked] = useState(false);
  const chosen = view.competitors.filter((competitor) => !left.has(keyOf(competitor)));
  if (view.competitors.length === 0)
    return <p className="empty">Nobody advances yet, by the rule of this round.</p>;
  return (
    <>
      <ul className="advancing" aria-label={`Advancing to round ${next.roundNumber}`}>
        {view.competitors.map((competitor) => (
          <li key={keyOf(competitor)}>
            <Checkbox
              name="advances"
              isSelected={!left.has(keyOf(competitor))}
              onChange={(isSelected) => {
                const others = new Set(left);
                if (isSelected) others.delete(keyOf(competitor));
                else others.add(keyOf(competitor));
                setLeft(others);
              }}
            >
              {textOf(competitor)}
            </Checkbox>
          </li>
        ))}
      </ul>
      <Button isMain isDisabled={isPending || chosen.length === 0} onPress={() => setIsAsked(true)}>
        {isOpen
          ? `Close round ${roundNumber}, open round ${next.roundNumber} with ${chosen.length}`
          : `Open round ${next.roundNumber} with ${chosen.length}`}
      </Button>
      {isAsked && (
        <AskToAdvance {...{ view, next, chosen, roundNumber, onAdvance }} onClose={() => setIsAsked(false)} />
      )}
    </>
  );
};

const AskToAdvance = ({
  view: { competitors, toConfirm, missing, incomplete },
  next,
  chosen,
  roundNumber,
  onAdvance,
  onClose,
}: Pick<NextRoundProps, 'view' | 'next' | 'roundNumber' | 'onAdvance'> & {
  readonly chosen: readonly PlacedCompetitorView[];
  readonly onClose: () => void;
}) => {
  const leftOut = competitors.filter((competitor) => !chosen.includes(competitor));
  const awaited = missing.filter(({ mark }) => mark === 'expected');
  const confirmed: Confirmation[] = toConfirm.map(({ rule }) => rule);
  if (leftOut.length > 0) confirmed.push('other-competitors');
  return (
    <ConfirmCommand
      title={`Open round ${next.roundNumber} with ${countText(chosen.length, 'competitor')}?`}
      action={`Open round ${next.roundNumber}`}
      command={() =>
        onAdvance({ competitors: chosen.map((each) => ({ personIds: idsOf(each) })), confirmed })
      }
      onDone={onClose}
      onClose={onClose}
    >
      <p>Round {roundNumber} takes no more results then. While nothing is entered, this can be taken back.</p>
      <ul className="what-ends">
        {toConfirm.map(({ rule, message }) => (
          <li key={rule}>{`${message.charAt(0).toUpperCase()}${message.slice(1)}.`}</li>
        ))}
        {awaited.length > 0 && (
          <li>
            Without a result:{' '}
            {awaited.map(({ persons }) => persons.map(({ name }) => name).join(', ')).join('; ')}.
          </li>
        )}
        {incomplete.length > 0 && (
          <li>
            With attempts missing:{' '}
            {incomplete.map(({ persons }) => persons.map(({ name }) => name).join(', ')).join('; ')}.
          </li>
        )}
        {leftOut.length > 0 && <li>Left out: {leftOut.map(textOf).join('; ')}.</li>}
      </ul>
    </ConfirmCommand>
  );
};

const Opened = ({ next, isPending, onUndo, onAdd }: NextRoundProps) => {
  const { roundNumber, reserves, notTaken, notAdvancing, canUndo } = next;
  return (
    <>
      <p>Round {roundNumber} is open.</p>
      {reserves.length > 0 && (
        <>
          <p>Somebody has quit. Next in line:</p>
          <ul className="advancing" aria-label="Next in line">
            {reserves.map((competitor) => (
              <li key={keyOf(competitor)}>
                {textOf(competitor)}{' '}
                <Button
                  isQuiet
                  isDisabled={isPending}
                  label={`Add ${textOf(competitor)}`}
                  onPress={() => onAdd(idsOf(competitor))}
                >
                  Add
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
      {(notTaken.length > 0 || notAdvancing.length > 0) && (
        <>
          <p>
            By the results as they are now, others would advance. The roster of round {roundNumber} stays.
          </p>
          <ul className="advancing" aria-label="Differences">
            {notTaken.map((competitor) => (
              <li key={keyOf(competitor)}>{textOf(competitor)} would advance</li>
            ))}
            {notAdvancing.map((competitor) => (
              <li key={keyOf(competitor)}>{textOf(competitor)} would not</li>
            ))}
          </ul>
        </>
      )}
      {canUndo && (
        <Button isDisabled={isPending} onPress={onUndo}>
          Take the opening back
        </Button>
      )}
    </>
  );
};
