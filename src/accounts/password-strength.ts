/**
 * Judges how hard a new password is to guess, by dictionaries on this machine: no other server hears of it. That takes
 * seconds in the worst case and 25 MB, so it runs in a thread, which ends when it has had nothing to do for a while.
 */
import { Worker } from 'node:worker_threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { RequestThread } from '../foundation/basics/request-thread.js';
import { threadUrl } from '../foundation/basics/threads.js';

const IDLE_MS = 30_000;

export interface JudgedPassword {
  readonly password: string;
  /** What a guesser would try for this user: email, name. */
  readonly context: readonly string[];
}

/** Why the password is easy to guess, in sentences; null: it is not. */
export type Weakness = string | null;

@Injectable()
export class PasswordStrength implements OnApplicationShutdown {
  #thread: RequestThread<JudgedPassword, Weakness> | null = null;
  #end: NodeJS.Timeout | undefined;

  async weaknessOf(judged: JudgedPassword): Promise<Weakness> {
    clearTimeout(this.#end);
    this.#thread ??= new RequestThread(
      () => new Worker(threadUrl('password-strength.worker.js', import.meta.url)),
    );
    try {
      return await this.#thread.request(judged);
    } finally {
      clearTimeout(this.#end);
      this.#end = setTimeout(() => void this.onApplicationShutdown(), IDLE_MS).unref();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.#end);
    const thread = this.#thread;
    this.#thread = null;
    await thread?.close();
  }
}
