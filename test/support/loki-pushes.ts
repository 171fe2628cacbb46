/** Pushes to Loki for tests, written once and encoded in both ways that Loki takes. */
import { snappyCompress } from 'hysnappy';
import { PUSH_REQUEST } from '../../src/logs/ingest/loki/loki-messages.js';

export interface PushSketch {
  readonly labels: Readonly<Record<string, string>>;
  /** Time in nanoseconds, line, structured metadata. */
  readonly lines: readonly (readonly [bigint, string, Readonly<Record<string, string>>?])[];
}

export const jsonPush = (...streams: readonly PushSketch[]): string =>
  JSON.stringify({
    streams: streams.map(({ labels, lines }) => ({
      stream: labels,
      values: lines.map(([time, ...rest]) => [String(time), ...rest]),
    })),
  });

/** Labels as Go prints them, but for characters that it would escape for no need. */
const labelText = (labels: PushSketch['labels']): string =>
  `{${Object.entries(labels)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(', ')}}`;

/** Before its compression. */
export const protobufPush = (...streams: readonly PushSketch[]): Uint8Array =>
  PUSH_REQUEST.encode(
    PUSH_REQUEST.fromObject({
      streams: streams.map(({ labels, lines }) => ({
        labels: labelText(labels),
        entries: lines.map(([time, line, metadata = {}]) => ({
          timestamp: { seconds: String(time / 1_000_000_000n), nanos: Number(time % 1_000_000_000n) },
          line,
          structuredMetadata: Object.entries(metadata).map(([name, value]) => ({ name, value })),
        })),
      })),
    }),
  ).finish();

export const snappyPush = (...streams: readonly PushSketch[]): Uint8Array =>
  snappyCompress(protobufPush(...streams));
