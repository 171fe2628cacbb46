/** Saved queries of the log explorer. */
import { Module } from '@nestjs/common';
import { savedQueryHandlers } from './saved-query.handlers.js';

@Module({ providers: savedQueryHandlers })
export class SavedQueriesModule {}
