/** Log endpoints: access tokens, saved endpoints, queries. */
import { Module } from '@nestjs/common';
import { EndpointsModule } from './endpoints/endpoints.module.js';
import { TokensModule } from './tokens/tokens.module.js';

@Module({ imports: [EndpointsModule, TokensModule] })
export class LogsModule {}
