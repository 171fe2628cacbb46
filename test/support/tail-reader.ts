/** Reads a tail of the logs over real HTTP, and keeps its events. */
import { until } from './until.js';

export interface TailedEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export class TailReader {
  readonly events: TailedEvent[] = [];
  hasEnded = false;
  /** As a client that reconnects sends it. */
  lastEventId = '';
  readonly #cancel = new AbortController();

  private constructor(readonly reply: Response) {}

  /** Resolves when the reader has the position from which it follows. */
  static async open(url: string, headers: Readonly<Record<string, string>>): Promise<TailReader> {
    const cancel = new AbortController();
    const reply = await fetch(url, { headers, signal: cancel.signal });
    if (reply.status !== 200) throw new Error(`${reply.status}: ${await reply.text()}`);
    const reader = new TailReader(reply);
    reader.#cancel.signal.addEventListener('abort', () => cancel.abort());
    void reader.#read();
    await reader.until('started');
    return reader;
  }

  /** The messages of the entries so far. */
  get messages(): readonly unknown[] {
    return this.of('entry').map(({ event_message }) => event_message);
  }

  of(event: string): readonly TailedEvent['data'][] {
    return this.events.filter((one) => one.event === event).map(({ data }) => data);
  }

  /** Resolves when so many events of the kind have come. */
  async until(event: string, count = 1): Promise<void> {
    await until(
      async () => this.of(event).length,
      (length) => length >= count,
    );
  }

  async ended(): Promise<void> {
    await until(
      async () => this.hasEnded,
      (hasEnded) => hasEnded,
    );
  }

  close(): void {
    this.#cancel.abort();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let text = '';
    try {
      for await (const piece of this.reply.body ?? []) {
        text += decoder.decode(piece, { stream: true });
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) this.#take(block);
      }
    } catch {
      // The test closed it, or the server broke off.
    }
    this.hasEnded = true;
  }

  #take(block: string): void {
    const fields = new Map(
      block.split('\n').map((line) => [line.split(': ', 1)[0], line.replace(/^\w+: /, '')]),
    );
    const id = fields.get('id');
    if (id !== undefined) this.lastEventId = id;
    const event = fields.get('event');
    if (event !== undefined)
      this.events.push({ id: id ?? '', event, data: JSON.parse(fields.get('data') ?? 'null') });
  }
}
