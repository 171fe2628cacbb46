/** Rounds: opening, closing, result entry, and the queries of the entry desk. */
import { Module } from '@nestjs/common';
import { PersonsModule } from '../persons/persons.module.js';
import { AdvanceRoundHandler, UndoOpeningHandler } from './advancement.handlers.js';
import { advancementQueryHandlers } from './advancement.queries.handlers.js';
import { CheckResultHandler } from './check.handler.js';
import { EnterAttemptHandler, EnterResultsHandler } from './entry.handlers.js';
import { EntryAuthorsReader } from './entry-authors.reader.js';
import { entrySheetHandlers } from './entry-sheet.handlers.js';
import { MarkRosterHandler } from './mark-roster.handler.js';
import { roundHandlers } from './round.handlers.js';
import { UndoChangeHandler } from './undo.handler.js';

@Module({
  imports: [PersonsModule],
  providers: [
    ...roundHandlers,
    EnterAttemptHandler,
    EnterResultsHandler,
    UndoChangeHandler,
    CheckResultHandler,
    EntryAuthorsReader,
    ...entrySheetHandlers,
    AdvanceRoundHandler,
    UndoOpeningHandler,
    MarkRosterHandler,
    ...advancementQueryHandlers,
  ],
})
export class RoundsModule {}
