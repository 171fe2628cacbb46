/** API keys: issuing, checking, listing. */
import { Module } from '@nestjs/common';
import { keyCommandHandlers } from './key.handlers.js';
import { keyQueryHandlers } from './key.queries.handlers.js';

@Module({ providers: [...keyCommandHandlers, ...keyQueryHandlers] })
export class KeysModule {}
