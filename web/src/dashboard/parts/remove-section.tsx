/** The end of a page of what can be removed: a button, and the question before it is done. */
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from './button.js';
import { ConfirmCommand } from './dialog.js';

interface Removal {
  /** What it is, as in `Remove the alert`. */
  readonly what: string;
  readonly name: string;
  readonly remove: () => Promise<unknown>;
  /** The queries that show it alone, those that list it, and the page of the list. */
  readonly ownKey: QueryKey;
  readonly listKey: QueryKey;
  readonly list: string;
  /** What the removal brings. */
  readonly children: ReactNode;
}

export const RemoveSection = ({ what, name, remove, ownKey, listKey, list, children }: Removal) => {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <h2>Remove</h2>
      <p>{children}</p>
      <Button isDanger onPress={() => setAsking(true)}>
        Remove the {what}
      </Button>
      {isAsking && (
        <ConfirmCommand
          title={`Remove ${name}?`}
          action="Remove it"
          isDanger
          command={remove}
          onDone={async () => {
            client.removeQueries({ queryKey: ownKey });
            navigate(list);
            await client.invalidateQueries({ queryKey: listKey });
          }}
          onClose={() => setAsking(false)}
        >
          <p>This cannot be undone.</p>
        </ConfirmCommand>
      )}
    </>
  );
};
