/** The rights to the entries of tails, exports and drains. */
import { Module } from '@nestjs/common';
import { EndpointsModule } from '../endpoints/endpoints.module.js';
import { QueryModule } from '../query/query.module.js';
import { TailRights } from './tail-rights.js';

@Module({ imports: [EndpointsModule, QueryModule], providers: [TailRights], exports: [TailRights] })
export class TailModule {}
