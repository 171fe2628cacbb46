import { MessageChannel } from 'node:worker_threads';

/** Returns the buffer when these bytes are all of it. A buffer that other values share cannot be transferred to a thread. */
export const ownMemory = ({ buffer, byteLength }: Uint8Array): ArrayBuffer[] =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];

const { port1: closed } = new MessageChannel();
closed.close();

/**
 * Frees the memory of these buffers, which then have no bytes. What is moved to a closed port goes with its message. Left to
 * garbage collection, a few megabytes start a collection of the whole heap.
 */
export const freeMemory = (buffers: readonly ArrayBuffer[]): void => {
  if (buffers.length > 0) closed.postMessage(null, buffers);
};
