/** From what the runtime answers to what a handler wants: an accepted outcome, or the refusal thrown. */
import { RejectedError } from '../../domain/rejections.js';
import type { Position } from '../event-store/event-store.js';
import type { Loaded, Outcome } from './aggregate.js';

/** What a command handler answers when nothing else is worth telling. */
export interface Receipt {
  /** Where the command's last event stands: read models that have come this far show it. */
  readonly position: Position;
}

/** Throws RejectedError when the command was refused. */
export const accepted = <S, E>(outcome: Outcome<S, E>): { readonly events: readonly E[] } & Loaded<S> => {
  if (!outcome.ok) throw new RejectedError(outcome.rejection);
  return outcome;
};

/** Throws RejectedError when the command was refused. */
export const receiptOf = (outcome: Outcome<unknown, unknown>): Receipt => ({
  position: accepted(outcome).position,
});
