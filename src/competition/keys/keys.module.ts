/** API keys: issuing, checking, listing. */
import { Module } from '@nestjs/common';
import { accessCommandHandlers, accessQueryHandlers } from './key.handlers.js';
import { keyQueryHandlers } from './key.queries.handlers.js';

@Module({ providers: [...keyQueryHandlers, ...accessQueryHandlers, ...accessCommandHandlers] })
export class KeysModule {}
