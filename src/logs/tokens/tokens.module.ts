/** Access tokens: issuing, checking, listing. */
import { Global, Module } from '@nestjs/common';
import { TOKENS_OF_ACCOUNTS } from '../../accounts/accounts.js';
import { EndpointsModule } from '../endpoints/endpoints.module.js';
import { AccountTokens } from './account-tokens.js';
import { TokenHolders, tokenCommandHandlers } from './token.handlers.js';
import { tokenListHandlers } from './tokens.queries.handlers.js';

/** Global, because accounts are a lower layer than logs and end the tokens of an account with it. */
@Global()
@Module({
  imports: [EndpointsModule],
  providers: [
    TokenHolders,
    AccountTokens,
    { provide: TOKENS_OF_ACCOUNTS, useExisting: AccountTokens },
    ...tokenCommandHandlers,
    ...tokenListHandlers,
  ],
  exports: [TokenHolders, TOKENS_OF_ACCOUNTS],
})
export class TokensModule {}
