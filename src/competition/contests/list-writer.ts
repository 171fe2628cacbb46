/**
 * Who replaces a competitor list: a moderator of the contest by a session, or a program by an API key that was issued for
 * this. A request with a key is judged by the key alone.
 */
import { Inject, Injectable } from '@nestjs/common';
import { AccessControl, contextOf } from '../../accounts/access-control.js';
import { sessionIdOf } from '../../accounts/session-cookie.js';
import { keyRefusal } from '../../domain/key-purposes.js';
import { RejectedError, type Rejection } from '../../domain/rejections.js';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';
import { keyOf } from '../../http/credentials/request-key.js';
import type { ContestExchange } from '../contest-access.js';
import { KeyCheck } from '../keys/key-check.js';

const NO_CREDENTIAL: Rejection = {
  code: 'key-missing',
  detail: 'send an API key for the competitor list in the x-api-key header, or sign in as a moderator',
};

@Injectable()
export class ListWriter {
  constructor(
    private readonly signedIn: AccessControl,
    private readonly keys: KeyCheck,
    @Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore,
  ) {}

  /** Runs `write` for the writer of the request, and counts the use of a key. Throws RejectedError, also what `write` throws. */
  async write<T>(at: ContestExchange, write: (context: CommandContext) => Promise<T>): Promise<T> {
    const context = await this.contextOf(at);
    const { keyId } = context;
    if (keyId === undefined) return write(context);
    try {
      const written = await write(context);
      this.operational.recordKeyUse(keyId, { at: Date.now(), accepted: 1, refused: 0 });
      return written;
    } catch (error) {
      if (error instanceof RejectedError)
        this.operational.recordKeyUse(keyId, { at: Date.now(), accepted: 0, refused: 1 });
      throw error;
    }
  }

  private async contextOf({ contest, request }: ContestExchange): Promise<CommandContext> {
    const isAnonymous = keyOf(request.headers) === null && sessionIdOf(request) === null;
    if (isAnonymous) throw new RejectedError(NO_CREDENTIAL);
    if (keyOf(request.headers) === null)
      return contextOf(await this.signedIn.moderatorOf(request, contest), request);
    const holder = await this.keys.holder(request);
    const refused = keyRefusal(holder, contest, 'competitors');
    if (refused !== null) throw new RejectedError(refused);
    return { actor: 'device', keyId: holder.keyId, correlationId: request.id };
  }
}
