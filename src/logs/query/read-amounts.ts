/** What answered calls have read, until their requests are written to the server's own edge_logs. */
import type { IncomingMessage } from 'node:http';
import type { Amount } from './estimate-views.js';

const amounts = new WeakMap<IncomingMessage, Amount>();

export const noteRead = (request: IncomingMessage, read: Amount): void => {
  amounts.set(request, read);
};

export const readBy = (request: IncomingMessage): Amount | null => amounts.get(request) ?? null;
