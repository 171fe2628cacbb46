/** The thread that encodes files. It has no access to stores or requests. */
import { ownMemory } from '../../foundation/basics/own-memory.js';
import { type AnsweredValue, answerRequests } from '../../foundation/basics/request-thread.messages.js';
import { EncodedFiles, type EncoderRequest } from './encoded-files.js';

const files = new EncodedFiles();

const answer = async (request: EncoderRequest): Promise<AnsweredValue<readonly Uint8Array[]>> => {
  const value = await files.answer(request);
  return { value, transfer: value.flatMap(ownMemory) };
};

answerRequests({ answer, inTurn: false, observe: (request: EncoderRequest) => files.observe(request) });
