/** What a server does for accounts in the background. */
import type { ServerPart } from '../http/feature.js';
import { AuditRetention } from './audit-retention.js';

export const accountsServer: ServerPart = { providers: [AuditRetention] };
