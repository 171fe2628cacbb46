/** The thread that reads large bodies, so that a megabyte of JSON never stands between a device and its reply. */
import { type AnsweredValue, answerRequests } from '../../request-thread.messages.js';
import { type ReadEntries, type ReadRequest, readEntries } from './read-entries.js';

const answer = async (request: ReadRequest): Promise<AnsweredValue<ReadEntries>> => {
  const value = readEntries(request);
  return value ? { value, transfer: [value.bytes.buffer] } : { value };
};

answerRequests({ answer });
