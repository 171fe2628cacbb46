/** The result of a call as a file. The rows are those of the JSON reply, so limits, redaction and tenants are the same. */
import { Readable } from 'node:stream';
import type { JsonRecord } from '../../foundation/log-store/sources.js';
import { fileParts } from '../downloads/file-parts.js';
import type { RowFormat } from '../downloads/row-format.js';
import type { EndpointReply } from './endpoint-call.js';

export const downloadOf = ({ reply, columns }: EndpointReply, format: RowFormat): Readable => {
  const { result: rows }: { readonly result: readonly JsonRecord[] } = JSON.parse(reply.body.toString());
  return Readable.from(fileParts(columns, rows, format), { objectMode: false });
};
