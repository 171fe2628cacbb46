/** UUIDs as the protocol has them: as text, or (in what the server says of its own accord) as two numbers of 64 bits. */
import { UUID } from './protocol.js';

type Uuid = InstanceType<typeof UUID>;

export const uuid = (text: string): Uuid => {
  const message = new UUID();
  message.setString(text);
  return message;
};

/** In lower case; empty where there is none. */
export const uuidText = (message: Uuid | undefined): string => {
  const parts = message?.getStructured();
  if (!parts) return (message?.getString() ?? '').toLowerCase();
  const hex = hexOf(parts.getMostSignificantBits()) + hexOf(parts.getLeastSignificantBits());
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

const hexOf = (signed: string): string => BigInt.asUintN(64, BigInt(signed)).toString(16).padStart(16, '0');
