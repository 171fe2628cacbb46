/** The questions below a card that take the focus until they are answered: whether a world record is one, whether to remove a result. */
import { useId, useState } from 'react';
import { Button } from '../../parts/button.js';

export const HOW_TO_REMOVE = 'Enter removes it, Escape keeps it; it can be undone.';
export const HOW_TO_CLAIM = 'Type WR and press Enter to save it. Escape goes back.';

interface RecordQuestionProps {
  /** All that is asked about the card, as sentences. */
  readonly doubts: readonly string[];
  readonly isPending: boolean;
  readonly onYes: () => void;
  readonly onBack: () => void;
}

/** A world record is rare, and Enter is a habit. So the typist answers with a word. */
export const RecordQuestion = ({ doubts, isPending, onYes, onBack }: RecordQuestionProps) => {
  const id = useId();
  const [answer, setAnswer] = useState('');
  return (
    <form
      ref={(question) => question?.scrollIntoView({ block: 'nearest' })}
      className="record-question"
      onSubmit={(event) => {
        event.preventDefault();
        if (answer.trim().toUpperCase() === 'WR' && !isPending) onYes();
      }}
    >
      <p id={`${id}-what`}>
        <strong>{doubts.join(' ')}</strong>
      </p>
      <label htmlFor={id}>{HOW_TO_CLAIM}</label>
      <input
        // biome-ignore lint/a11y/noAutofocus: the question follows an Enter of the typist, who answers it at once.
        autoFocus
        id={id}
        aria-describedby={`${id}-what`}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        size={4}
        value={answer}
        readOnly={isPending}
        onChange={(event) => setAnswer(event.currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === 'Escape') onBack();
        }}
      />
      <Button isQuiet onPress={onBack}>
        Back
      </Button>
    </form>
  );
};

/** Takes the focus, so that the next Enter confirms. */
export const RemoveQuestion = ({
  isPending,
  onRemove,
  onKeep,
}: {
  readonly isPending: boolean;
  readonly onRemove: () => void;
  readonly onKeep: () => void;
}) => (
  // biome-ignore lint/a11y/noStaticElementInteractions: it handles Escape of its buttons, which have the focus.
  <div
    ref={(question) => question?.scrollIntoView({ block: 'nearest' })}
    className="card-end"
    onKeyDown={({ key }) => {
      if (key === 'Escape') onKeep();
    }}
  >
    <strong>Remove the whole result?</strong>
    <Button isMain isDanger autoFocus isPending={isPending} onPress={onRemove}>
      Remove
    </Button>
    <Button isQuiet onPress={onKeep}>
      Keep
    </Button>
    <span className="quiet">{HOW_TO_REMOVE}</span>
  </div>
);
