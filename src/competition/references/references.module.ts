/** The reference records of spaces. */
import { Module } from '@nestjs/common';
import { ReferenceHolders } from './reference-holders.js';
import { referenceHandlers } from './references.handlers.js';

@Module({ providers: [ReferenceHolders, ...referenceHandlers] })
export class ReferencesModule {}
