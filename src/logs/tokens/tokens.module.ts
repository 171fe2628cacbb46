/** Access tokens: issuing, checking, listing. */
import { Global, Module } from '@nestjs/common';
import { END_TOKENS_OF } from '../../accounts/accounts.js';
import { EndpointsModule } from '../endpoints/endpoints.module.js';
import { AccountTokens } from './account-tokens.js';
import { TokenHolders, tokenCommandHandlers, tokenQueryHandlers } from './token.handlers.js';
import { tokenListHandlers } from './tokens.queries.handlers.js';

/** Global, because accounts are a lower layer than logs and end the tokens of an account with it. */
@Global()
@Module({
  imports: [EndpointsModule],
  providers: [
    TokenHolders,
    AccountTokens,
    {
      provide: END_TOKENS_OF,
      useFactory: ({ endAllOf }: AccountTokens) => endAllOf,
      inject: [AccountTokens],
    },
    ...tokenCommandHandlers,
    ...tokenQueryHandlers,
    ...tokenListHandlers,
  ],
  exports: [TokenHolders, END_TOKENS_OF],
})
export class TokensModule {}
