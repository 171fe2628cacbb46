/**
 * Devices at the timer that never give up: each sends its attempts one after the other, sends again what got no reply,
 * and remembers what was acknowledged. Together they are the account that the event log is held against.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { roundStream } from '../../src/competition/aggregates/round/round.js';
import type { RoundKey } from '../../src/domain/references.js';
import { StreamNames } from '../../src/domain/streams.js';
import type { EventStore } from '../../src/foundation/event-store/event-store.js';

/** One attempt of one competitor: each is entered once and then corrected again and again. */
interface Slot {
  readonly round: RoundKey;
  readonly personId: number;
  readonly attemptNumber: number;
}

const ATTEMPTS = 5;

const ENTRY_TYPES = ['AttemptEntered', 'AttemptCorrected'];
const NAMES = new StreamNames();

export type DeviceEnd = 'stopped' | 'lost the server' | { readonly refusedWith: number };

/** Between two tries of a device that was told to come again. */
export const COME_AGAIN_MS = 100;

export interface DeviceOptions {
  /** Comes again when it is answered 503, as the reply says; else that is its end. */
  readonly comesAgain?: boolean;
}

export class Device {
  /** How many of its entries were acknowledged; the next may have landed too. */
  acknowledged = 0;
  /** How often it was told to come again. */
  turnedAway = 0;
  /** The longest that it waited for an answer, milliseconds. */
  slowestMs = 0;
  private readonly slots: readonly Slot[];

  constructor(
    private readonly key: string,
    rounds: readonly RoundKey[],
    personIds: readonly number[],
    private readonly options: DeviceOptions = {},
  ) {
    this.slots = rounds.flatMap((round) =>
      personIds.flatMap((personId) =>
        Array.from({ length: ATTEMPTS }, (_, index) => ({ round, personId, attemptNumber: index + 1 })),
      ),
    );
  }

  /** Enters until it is told to stop, is refused, or the server is gone. */
  async run(url: string, signal: AbortSignal, onAcknowledged: () => void): Promise<DeviceEnd> {
    while (!signal.aborted) {
      const status = await this.send(url);
      if (status === null) return 'lost the server';
      if (status === 'come again') {
        this.turnedAway += 1;
        await pause(COME_AGAIN_MS);
        continue;
      }
      if (status !== 201) return { refusedWith: status };
      this.acknowledged += 1;
      onAcknowledged();
    }
    return 'stopped';
  }

  /** What the log must hold for each slot; `inFlight` is the one entry whose outcome the device does not know. */
  account(): {
    readonly values: ReadonlyMap<string, readonly number[]>;
    readonly inFlight: { slot: string; value: number };
  } {
    const values = new Map<string, number[]>();
    for (let index = 0; index < this.acknowledged; index += 1) {
      const { name, value } = this.entry(index);
      values.set(name, [...(values.get(name) ?? []), value]);
    }
    const { name, value } = this.entry(this.acknowledged);
    return { values, inFlight: { slot: name, value } };
  }

  private entry(index: number): { readonly slot: Slot; readonly name: string; readonly value: number } {
    const slot = this.slots[index % this.slots.length];
    if (slot === undefined) throw new Error('a device without competitors');
    return {
      slot,
      name: `${NAMES.of(roundStream, slot.round)} person ${slot.personId} attempt ${slot.attemptNumber}`,
      value: 1_000 + index,
    };
  }

  private async send(url: string): Promise<number | 'come again' | null> {
    const { slot, value } = this.entry(this.acknowledged);
    const { round, personId, attemptNumber } = slot;
    const sentAt = performance.now();
    try {
      const response = await fetch(`${url}/api/enter-attempt`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': this.key },
        body: JSON.stringify({ ...round, personId, attemptNumber, attemptResult: value }),
      });
      await response.arrayBuffer();
      this.slowestMs = Math.max(this.slowestMs, performance.now() - sentAt);
      const comesAgain = response.status === 503 && response.headers.has('retry-after');
      return this.options.comesAgain && comesAgain ? 'come again' : response.status;
    } catch {
      return null;
    }
  }
}

/** The values of every slot in the order of the log. */
export const loggedValues = async (store: EventStore): Promise<ReadonlyMap<string, readonly number[]>> => {
  const values = new Map<string, number[]>();
  for await (const { stream, data } of store.readAll({ filter: { types: ENTRY_TYPES } })) {
    const { personIds, attemptNumber, value } = entryOf(data);
    const name = `${stream} person ${personIds.join(',')} attempt ${attemptNumber}`;
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return values;
};

const entryOf = (data: object): { personIds: readonly unknown[]; attemptNumber: number; value: number } => {
  const { personIds, attemptNumber, value } = { personIds: null, attemptNumber: null, value: null, ...data };
  if (!Array.isArray(personIds) || typeof attemptNumber !== 'number' || typeof value !== 'number') {
    throw new Error(`not an entered attempt: ${JSON.stringify(data)}`);
  }
  return { personIds, attemptNumber, value };
};

/** What the devices have met, for `writeFigures`. */
export const figuresOf = (devices: readonly Device[]): string => {
  const sum = (count: (device: Device) => number): number =>
    devices.reduce((before, device) => before + count(device), 0);
  const slowest = Math.round(Math.max(...devices.map(({ slowestMs }) => slowestMs)));
  return `${sum(({ acknowledged }) => acknowledged)} attempts acknowledged, ${sum(({ turnedAway }) => turnedAway)} turned away, the slowest answer in ${slowest} ms`;
};

/** Says what of the devices' account is not in the log as it must be: missing, twice, or never sent. Nothing: all is well. */
export const faultsOf = (
  devices: readonly Device[],
  logged: ReadonlyMap<string, readonly number[]>,
): readonly string[] => {
  const wanted = new Map<string, readonly number[]>();
  const perhaps = new Map<string, number>();
  for (const device of devices) {
    const { values, inFlight } = device.account();
    for (const [name, list] of values) wanted.set(name, list);
    perhaps.set(inFlight.slot, inFlight.value);
  }
  const names = new Set([...wanted.keys(), ...logged.keys()]);
  return [...names].flatMap((name) => {
    const sure = (wanted.get(name) ?? []).join();
    const withLast = [...(wanted.get(name) ?? []), perhaps.get(name)].join();
    const found = (logged.get(name) ?? []).join();
    return found === sure || found === withLast ? [] : [`${name}: acknowledged ${sure}, in the log ${found}`];
  });
};
