/** The thread that compares tallies. It opens the file for each comparison, so that no old snapshot keeps the log long. */
import { workerData } from 'node:worker_threads';
import { type AnsweredValue, answerRequests } from '../../../foundation/basics/request-thread.messages.js';
import { SqliteDatabase } from '../sqlite.js';
import { auditTallies } from './sqlite-audit.js';
import type { AuditAnswer } from './sqlite-audit.messages.js';
import { openAnother, type ReadModelFile } from './sqlite-read-model-file.js';

const file: Pick<ReadModelFile, 'path' | 'identity'> = workerData;

const audit = (): AuditAnswer => {
  const db = openAnother(file, { readonly: true, timeout: 5_000 });
  try {
    return { damages: auditTallies(db) };
  } catch (error) {
    if (!(error instanceof SqliteDatabase.SqliteError)) throw error;
    return { failure: { code: error.code, message: error.message } };
  } finally {
    db.close();
  }
};

answerRequests({ answer: async (): Promise<AnsweredValue<AuditAnswer>> => ({ value: audit() }) });
