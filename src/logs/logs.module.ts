/** Log endpoints: access tokens, saved endpoints, queries. */
import { Module } from '@nestjs/common';
import { TokensModule } from './tokens/tokens.module.js';

@Module({ imports: [TokensModule] })
export class LogsModule {}
