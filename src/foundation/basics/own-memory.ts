/** Returns the buffer when these bytes are all of it. A buffer that other values share cannot be transferred to a thread. */
export const ownMemory = ({ buffer, byteLength }: Uint8Array): ArrayBuffer[] =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
