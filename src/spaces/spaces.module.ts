/** Spaces and their catalogues of events. */
import { Module } from '@nestjs/common';
import { spaceQueryHandlers } from './space.queries.handlers.js';

@Module({ providers: [...spaceQueryHandlers] })
export class SpacesModule {}
