/** Alerts on the logs: stored, run, delivered. The server starts their timer. */
import { Module } from '@nestjs/common';
import { OutgoingMail } from '../../http/outgoing/outgoing-mail.js';
import { OutgoingPosts, RESOLVE, resolveByDns } from '../../http/outgoing/outgoing-posts.js';
import { EndpointsModule } from '../endpoints/endpoints.module.js';
import { Owners } from '../owners.js';
import { QueryModule } from '../query/query.module.js';
import { ReceiverTests } from '../receiver-tests.js';
import { AlertBook } from './alert-book.js';
import { AlertDeliveries } from './alert-deliveries.js';
import { AlertQuery } from './alert-query.js';
import { AlertRuns } from './alert-runs.js';
import { Alerts } from './alerts.js';
import { Receivers } from './receivers.js';

@Module({
  imports: [EndpointsModule, QueryModule],
  providers: [
    { provide: RESOLVE, useValue: resolveByDns },
    OutgoingPosts,
    OutgoingMail,
    Receivers,
    AlertBook,
    Owners,
    ReceiverTests,
    AlertQuery,
    AlertRuns,
    AlertDeliveries,
    Alerts,
  ],
  exports: [Alerts, AlertBook, AlertRuns, AlertDeliveries, Receivers, Owners, OutgoingPosts, ReceiverTests],
})
export class AlertsModule {}
