/** The thread that reads large bodies, so that a megabyte of JSON does not block the event loop of the server. */
import { type AnsweredValue, answerRequests } from '../../foundation/basics/request-thread.messages.js';
import { type ReadEntries, type ReadRequest, readEntries, type SpentMemory } from './read-entries.js';

const answer = async (request: ReadRequest | SpentMemory): Promise<AnsweredValue<ReadEntries>> => {
  if ('spent' in request) throw new TypeError('letting go of memory has no answer');
  const value = readEntries(request);
  return value ? { value, transfer: [value.bytes.buffer] } : { value };
};

answerRequests({ answer });
