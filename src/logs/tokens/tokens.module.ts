/** Access tokens: issuing, checking, listing. */
import { Module } from '@nestjs/common';
import { EndpointsModule } from '../endpoints/endpoints.module.js';
import { tokenCommandHandlers, tokenQueryHandlers } from './token.handlers.js';
import { tokenListHandlers } from './tokens.queries.handlers.js';

@Module({
  imports: [EndpointsModule],
  providers: [...tokenCommandHandlers, ...tokenQueryHandlers, ...tokenListHandlers],
})
export class TokensModule {}
