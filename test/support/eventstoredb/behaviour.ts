/**
 * How the test server behaves: by default as a real one was seen to, and, where a test asks for it, as one that is in
 * trouble. A test changes it while the server runs; what it did is counted.
 */
export interface Leader {
  readonly host: string;
  readonly port: number;
}

export class Behaviour {
  /** Commands and reads are answered so instead of being carried out. */
  trouble: 'none' | 'not ready' | 'unavailable' | 'no leader' | 'leader without address' | Leader = 'none';
  /** Tells that it has caught up, as versions from 23.10 on do. */
  saysCaughtUp = false;
  /** Offers the batch append; versions before 21.10 do not. */
  offersBatches = true;
  /** Waited for before an append is written. */
  beforeAppend: (stream: string) => Promise<void> = async () => undefined;
  /** Called when an append was written; true: it is never answered. */
  losesAnswer: (stream: string) => boolean = () => false;
  /** Answers twice: what it gave up on is answered again later. */
  answersTwice = false;
  /** Sends each record of a subscription as often. */
  deliveries = 1;
  /** Waited for before each record of a subscription is sent. */
  beforeDelivery: () => Promise<void> = async () => undefined;
  /** Sends no record that was written from now on to subscriptions, which stay open. */
  mutesSubscriptions = false;
  /** Records that a live subscription may have unsent before it is dropped. */
  slowAfter = 32;
  /** How long it tries to write before it says that it gave up. */
  writeTimeoutMs = 2_000;
  mostAppendBytes = 1024 * 1024;
  /** `user:password` that each call has to bring; null: anybody is let in. */
  credentials: string | null = null;
  /** Members of the cluster that it tells of: host, port and whether it leads. */
  members: readonly (Leader & { readonly leads: boolean })[] = [];

  /** What it was asked for. */
  readonly counts = {
    appends: 0,
    batchCalls: 0,
    appendCalls: 0,
    reads: 0,
    subscriptions: 0,
    dropped: 0,
    secondAnswers: 0,
    refused: 0,
  };
  /** Calls that are open. */
  openReads = 0;
  openSubscriptions = 0;
}
