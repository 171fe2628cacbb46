/** Access tokens: issuing, checking, listing. */
import { Module } from '@nestjs/common';
import { tokenCommandHandlers, tokenQueryHandlers } from './token.handlers.js';
import { tokenListHandlers } from './tokens.queries.handlers.js';

@Module({ providers: [...tokenCommandHandlers, ...tokenQueryHandlers, ...tokenListHandlers] })
export class TokensModule {}
