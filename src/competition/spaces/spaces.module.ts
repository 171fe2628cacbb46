/** Spaces and their catalogues of events. */
import { Module } from '@nestjs/common';
import { spaceCommandHandlers } from '../aggregates/space/space.handlers.js';
import { spaceQueryHandlers } from './space.queries.handlers.js';

@Module({ providers: [...spaceQueryHandlers, ...spaceCommandHandlers] })
export class SpacesModule {}
