/** Who advances, the one button that closes a round and opens the next one, and what can still be put right then. */
import { type ComponentType, Fragment, useState } from 'react';
import type {
  AdvancementView,
  NextRoundView,
  PlacedCompetitorView,
} from '../../../../../src/competition/rounds/advancement.queries.js';
import { nextInLine } from '../../../../../src/domain/advancement.js';
import type { Confirmation } from '../../../../../src/domain/advancement-plan.js';
import { countText } from '../../../format.js';
import { Button } from '../../parts/button.js';
import { ConfirmCommand } from '../../parts/dialog.js';
import { Checkbox, Field } from '../../parts/field.js';
import { idsOf, keyOf, type Mark, Names, namesOf, QuitButton, type WithPersons } from './missing.js';

interface Advance {
  readonly competitors: readonly { readonly personIds: readonly number[] }[];
  readonly confirmed: readonly Confirmation[];
}

interface NextRoundProps {
  readonly view: AdvancementView;
  readonly next: NextRoundView;
  readonly roundNumber: number;
  /** `round 2`, `the final`. */
  readonly nextName: string;
  readonly isOpen: boolean;
  readonly isPending: boolean;
  readonly onMark: (marks: readonly Mark[]) => void;
  readonly onAdvance: (advance: Advance) => Promise<unknown>;
  readonly onUndo: () => void;
  readonly onAdd: (personIds: readonly number[]) => void;
}

type Placed = PlacedCompetitorView;

const textOf = (competitor: Placed): string => `${competitor.place}. ${namesOf(competitor)}`;

const PlacedNames = ({ of }: { readonly of: Placed }) => (
  <>
    {of.place}. <Names of={of} />
  </>
);

/** `Ada; Dee`, each shown by the component. */
const Listed = <T extends WithPersons>({
  of,
  by: Shown,
}: {
  readonly of: readonly T[];
  readonly by: ComponentType<{ readonly of: T }>;
}) =>
  of.map((each, index) => (
    <Fragment key={keyOf(each)}>
      {index > 0 && '; '}
      <Shown of={each} />
    </Fragment>
  ));

export const NextRound = (props: NextRoundProps) => (
  <section aria-labelledby="next-round">
    <h3 id="next-round">Advancing to {props.nextName}</h3>
    {props.next.opened ? <Opened {...props} /> : <Planned {...props} />}
  </section>
);

// --- before the opening -----------------------------------------------------------------------------------------------

/** Those who advance by the rule are chosen, until the moderator says otherwise. */
const useChoice = ({ competitors, line }: Pick<AdvancementView, 'competitors' | 'line'>) => {
  const [decided, setDecided] = useState<ReadonlyMap<string, boolean>>(new Map());
  const byRule = new Set(competitors.map(keyOf));
  const isChosen = (competitor: Placed): boolean =>
    decided.get(keyOf(competitor)) ?? byRule.has(keyOf(competitor));
  return {
    isChosen,
    chosen: [...competitors, ...line].filter(isChosen),
    choose: (some: readonly Placed[], isSelected: boolean): void =>
      setDecided(new Map([...decided, ...some.map((each) => [keyOf(each), isSelected] as const)])),
    chooseFirst: (count: number): void => {
      const first = new Set(nextInLine(line, { free: count, room: line.length }).map(keyOf));
      setDecided(new Map(line.map((each) => [keyOf(each), first.has(keyOf(each))])));
    },
  };
};

type Choice = ReturnType<typeof useChoice>;

const Planned = (props: NextRoundProps) => {
  const { view, nextName, roundNumber, isOpen, isPending } = props;
  const [isAsked, setIsAsked] = useState(false);
  const choice = useChoice(view);
  const { competitors, leaving, line, places, most, hasRule } = view;
  if (competitors.length + leaving.length + line.length === 0)
    return <p className="empty">No competitor has a valid result yet.</p>;
  const taken = competitors.filter(choice.isChosen).length;
  const offered = nextInLine(line, { free: (places ?? 0) - taken, room: most - taken });
  const others = line.filter((competitor) => !offered.includes(competitor));
  const { chosen } = choice;
  return (
    <>
      {!hasRule && <ChooseFirst count={line.length} onChoose={choice.chooseFirst} />}
      {hasRule && competitors.length === 0 && (
        <p className="empty">No competitor advances yet, by the rule of this round.</p>
      )}
      <Choices {...props} {...{ choice }} label={`Advancing to ${nextName}`} of={competitors} />
      {leaving.length > 0 && <Leaving {...props} />}
      {offered.length > 0 && (
        <>
          <p>Next in line for free places:</p>
          <Choices {...props} {...{ choice }} label="Next in line" of={offered} />
        </>
      )}
      {others.length > 0 && (
        <details open={!hasRule}>
          <summary>{hasRule ? `Others: ${others.length}` : `To choose from: ${others.length}`}</summary>
          <Choices {...props} {...{ choice }} label="Others" of={others} />
        </details>
      )}
      <Button isMain isDisabled={isPending || chosen.length === 0} onPress={() => setIsAsked(true)}>
        {isOpen
          ? `Close round ${roundNumber}, open ${nextName} with ${chosen.length}`
          : `Open ${nextName} with ${chosen.length}`}
      </Button>
      {isAsked && <AskToAdvance {...props} {...{ choice, offered }} onClose={() => setIsAsked(false)} />}
    </>
  );
};

/** A tie for the last place is chosen as a whole. */
const ChooseFirst = ({
  count,
  onChoose,
}: {
  readonly count: number;
  readonly onChoose: (count: number) => void;
}) => (
  <>
    <p>This round has no rule for advancing. Choose who advances.</p>
    <Field
      name="first"
      label="The first"
      inputMode="numeric"
      help={`A number up to ${count}; ties go together`}
      onChange={(text) => onChoose(/^\d+$/.test(text) ? Number(text) : 0)}
    />
  </>
);

const Choices = ({
  label,
  of,
  choice: { isChosen, choose },
  isOpen,
  isPending,
  onMark,
}: Pick<NextRoundProps, 'isOpen' | 'isPending' | 'onMark'> & {
  readonly label: string;
  readonly of: readonly Placed[];
  readonly choice: Choice;
}) => (
  <ul className="advancing" aria-label={label}>
    {of.map((competitor) => (
      <li key={keyOf(competitor)}>
        <Checkbox
          name="advances"
          isSelected={isChosen(competitor)}
          onChange={(isSelected) => choose([competitor], isSelected)}
        >
          <span>
            <PlacedNames of={competitor} />
          </span>
        </Checkbox>
        {isOpen && competitor.advancement === 'certain' && <span className="quiet">certain</span>}
        <QuitButton {...{ competitor, isPending, onMark }} hasQuit={false} />
      </li>
    ))}
  </ul>
);

const Leaving = ({ view: { leaving }, isPending, onMark }: NextRoundProps) => (
  <ul className="advancing" aria-label="Would advance, and has quit">
    {leaving.map((competitor) => (
      <li key={keyOf(competitor)}>
        <s>
          <PlacedNames of={competitor} />
        </s>{' '}
        <span className="badge">Quit</span>
        <QuitButton {...{ competitor, isPending, onMark }} hasQuit />
      </li>
    ))}
  </ul>
);

const AskToAdvance = ({
  view: { competitors, line, hasRule, toConfirm, missing, incomplete },
  nextName,
  choice,
  offered,
  roundNumber,
  onAdvance,
  onClose,
}: Pick<NextRoundProps, 'view' | 'nextName' | 'roundNumber' | 'onAdvance'> & {
  readonly choice: Choice;
  /** Those next in line for free places. */
  readonly offered: readonly Placed[];
  readonly onClose: () => void;
}) => {
  const { chosen, isChosen } = choice;
  const leftOut = competitors.filter((competitor) => !isChosen(competitor));
  const added = hasRule ? line.filter(isChosen) : [];
  const inLine = added.filter((competitor) => offered.includes(competitor));
  const inAddition = added.filter((competitor) => !offered.includes(competitor));
  const awaited = missing.filter(({ mark }) => mark === 'expected');
  const unfinished = incomplete.filter(({ hasQuit }) => !hasQuit);
  const confirmed: Confirmation[] = toConfirm.map(({ rule }) => rule);
  if (leftOut.length + added.length > 0) confirmed.push('other-competitors');
  return (
    <ConfirmCommand
      title={`Open ${nextName} with ${countText(chosen.length, 'competitor')}?`}
      action={`Open ${nextName}`}
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
            Without a result: <Listed of={awaited} by={Names} />.
          </li>
        )}
        {unfinished.length > 0 && (
          <li>
            With attempts missing: <Listed of={unfinished} by={Names} />.
          </li>
        )}
        {leftOut.length > 0 && (
          <li>
            Left out: <Listed of={leftOut} by={PlacedNames} />.
          </li>
        )}
        {inLine.length > 0 && (
          <li>
            Next in line, for free places: <Listed of={inLine} by={PlacedNames} />.
          </li>
        )}
        {inAddition.length > 0 && (
          <li>
            In addition to the rule: <Listed of={inAddition} by={PlacedNames} />.
          </li>
        )}
      </ul>
    </ConfirmCommand>
  );
};

// --- after it ---------------------------------------------------------------------------------------------------------

const Opened = ({ next, nextName, isPending, onUndo, onAdd }: NextRoundProps) => {
  const { reserves, notTaken, notAdvancing, canUndo } = next;
  return (
    <>
      <p>{`${nextName.charAt(0).toUpperCase()}${nextName.slice(1)} is open.`}</p>
      {reserves.length > 0 && (
        <>
          <p>A place is free in {nextName}. Next in line:</p>
          <Additions label="Next in line" of={reserves} {...{ isPending, onAdd }} />
        </>
      )}
      {notTaken.length > 0 && (
        <>
          <p>These would advance by the results as they are now, and are not in {nextName}:</p>
          <Additions label="Not taken" of={notTaken} {...{ isPending, onAdd }} />
        </>
      )}
      {notAdvancing.length > 0 && (
        <p>
          In {nextName}, and would not advance by the results as they are now:{' '}
          <Listed of={notAdvancing} by={PlacedNames} />. The roster stays as it was decided.
        </p>
      )}
      {canUndo && (
        <Button isDisabled={isPending} onPress={onUndo}>
          Take the opening back
        </Button>
      )}
    </>
  );
};

const Additions = ({
  label,
  of,
  isPending,
  onAdd,
}: Pick<NextRoundProps, 'isPending' | 'onAdd'> & {
  readonly label: string;
  readonly of: readonly Placed[];
}) => (
  <ul className="advancing" aria-label={label}>
    {of.map((competitor) => (
      <li key={keyOf(competitor)}>
        <span>
          <PlacedNames of={competitor} />
        </span>{' '}
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
);
