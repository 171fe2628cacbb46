/** The thread that reads large bodies, so that a megabyte of JSON does not block the event loop of the server. */
import { type AnsweredValue, answerRequests } from '../../foundation/basics/request-thread.messages.js';
import { LearnedFields } from './learned-fields.js';
import { type ReadBody, type ReadRequest, readEntries, type SpentEntries } from './read-entries.js';

const learned = new LearnedFields();

const answer = async (request: ReadRequest | SpentEntries): Promise<AnsweredValue<ReadBody | null>> => {
  if ('spent' in request) throw new TypeError('letting go of entries has no answer');
  const value = readEntries(request, learned);
  return value?.packed ? { value, transfer: [value.packed.bytes.buffer] } : { value };
};

const observe = (request: ReadRequest | SpentEntries): void => {
  if ('spent' in request) learned.learn(request.source, request.newFields);
};

answerRequests({ answer, observe });
