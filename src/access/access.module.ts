/** API keys: issuing, checking, listing. */
import { Module } from '@nestjs/common';
import { keyQueryHandlers } from './keys.queries.handlers.js';

@Module({ providers: [...keyQueryHandlers] })
export class AccessModule {}
