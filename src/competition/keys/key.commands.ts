/** Commands on API keys, for the command bus. Each throws RejectedError when it is refused. */

import { Command } from '@nestjs/cqrs';
import type { KeyPurpose } from '../../domain/key-purposes.js';
import type { ContestRef } from '../../domain/references.js';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { Receipt } from '../../foundation/aggregates/outcome.js';

export interface IssuedKey extends Receipt {
  readonly keyId: string;
  readonly device: string;
  readonly purpose: KeyPurpose;
  /** Shown only once: the store has only its hash. */
  readonly key: string;
}

export class IssueKey extends Command<IssuedKey> {
  constructor(
    readonly contest: ContestRef,
    readonly device: string,
    readonly context: CommandContext,
    readonly purpose: KeyPurpose = 'entry',
  ) {
    super();
  }
}

export class RevokeKey extends Command<Receipt> {
  constructor(
    readonly keyId: string,
    readonly context: CommandContext,
    /** When given, a key of another contest is `key-not-found`. */
    readonly contest?: ContestRef,
  ) {
    super();
  }
}
