/** The thread that reads large bodies, so that a megabyte of JSON does not block the event loop of the server. */
import { freeMemory, ownMemory } from '../../foundation/basics/own-memory.js';
import { type AnsweredValue, answerRequests } from '../../foundation/basics/request-thread.messages.js';
import { LearnedFields } from './learned-fields.js';
import { type LearnedEntries, type ReadBody, type ReadRequest, readEntries } from './read-entries.js';

const learned = new LearnedFields();

const answer = async (request: ReadRequest | LearnedEntries): Promise<AnsweredValue<ReadBody | null>> => {
  if ('newFields' in request) throw new TypeError('learning fields has no answer');
  const value = readEntries(request, learned);
  freeMemory(ownMemory(request.body.bytes));
  return value?.packed ? { value, transfer: [value.packed.bytes.buffer] } : { value };
};

const observe = (request: ReadRequest | LearnedEntries): void => {
  if ('newFields' in request) learned.learn(request.source, request.newFields);
};

answerRequests({ answer, observe });
