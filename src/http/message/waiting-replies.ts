/**
 * A client may send further requests before it has the reply to an earlier one; their replies wait behind it. When the connection
 * closes, Node closes only the reply that is being sent. Those that wait are closed here, because what they hold is given back then.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const waiting = new WeakMap<Socket, Set<ServerResponse>>();

/** Guarantees a `close` of the response when its connection closes first. */
export const closeWithConnection = ({ socket }: IncomingMessage, response: ServerResponse): void => {
  const isFirst = response.socket !== null;
  if (isFirst) return;
  const replies = waiting.get(socket) ?? waitOn(socket);
  replies.add(response);
  response.once('close', () => replies.delete(response));
};

const waitOn = (socket: Socket): Set<ServerResponse> => {
  const replies = new Set<ServerResponse>();
  waiting.set(socket, replies);
  socket.once('close', () => {
    for (const reply of replies) if (reply.socket === null) reply.destroy().emit('close');
  });
  return replies;
};
