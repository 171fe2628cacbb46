/** Access tokens: issuing, checking, listing. */
import { Module } from '@nestjs/common';
import { EndpointsModule } from '../endpoints/endpoints.module.js';
import { TokenHolders, tokenCommandHandlers, tokenQueryHandlers } from './token.handlers.js';
import { tokenListHandlers } from './tokens.queries.handlers.js';

@Module({
  imports: [EndpointsModule],
  providers: [TokenHolders, ...tokenCommandHandlers, ...tokenQueryHandlers, ...tokenListHandlers],
  exports: [TokenHolders],
})
export class TokensModule {}
