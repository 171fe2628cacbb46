/** Exports of OpenTelemetry for tests, written once and encoded in both ways that OTLP/HTTP has. */

import type { OtlpForm } from '../../src/logs/ingest/log-body.js';
import { OTLP_REQUESTS } from '../../src/logs/ingest/otlp/otlp-messages.js';

/** A message of OTLP with bytes as Buffers and 64-bit integers as bigints. */
export type Sketch = { readonly [field: string]: unknown };

const isSketch = (value: unknown): value is Sketch =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value);

const mapped = (value: unknown, leaf: (value: unknown, field: string) => unknown, field = ''): unknown => {
  if (Array.isArray(value)) return value.map((item) => mapped(item, leaf, field));
  if (!isSketch(value)) return leaf(value, field);
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, mapped(of, leaf, name)]));
};

/** In OTLP's JSON, ids are hex, other bytes base64 and 64-bit integers text; all others are protobuf's. */
const jsonLeaf = (value: unknown, field: string): unknown => {
  if (Buffer.isBuffer(value)) return value.toString(/(?:trace|span)Id$/i.test(field) ? 'hex' : 'base64');
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
};

const protobufLeaf = (value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

export const encodedExport = ({ signal, encoding }: OtlpForm, sketch: Sketch): Buffer => {
  if (encoding === 'json') return Buffer.from(JSON.stringify(mapped(sketch, jsonLeaf)));
  const type = OTLP_REQUESTS[signal];
  return Buffer.from(type.encode(type.fromObject(mapped(sketch, protobufLeaf) as Sketch)).finish());
};

/** An attribute as text. */
export const attribute = (key: string, stringValue: string): Sketch => ({ key, value: { stringValue } });

export const logsExport = (service: string, ...logRecords: readonly Sketch[]): Sketch => ({
  resourceLogs: [
    { resource: { attributes: [attribute('service.name', service)] }, scopeLogs: [{ logRecords }] },
  ],
});

export const spansExport = (service: string, ...spans: readonly Sketch[]): Sketch => ({
  resourceSpans: [
    { resource: { attributes: [attribute('service.name', service)] }, scopeSpans: [{ spans }] },
  ],
});
