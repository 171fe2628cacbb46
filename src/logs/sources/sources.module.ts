/** The sources of the logs: listing them, and adding those of the installation's own. */
import { Module } from '@nestjs/common';
import { EndpointsModule } from '../endpoints/endpoints.module.js';
import { CreateSourceHandler } from './source.handlers.js';
import { ListSourcesHandler, SourceList } from './source.queries.handlers.js';

@Module({ imports: [EndpointsModule], providers: [SourceList, CreateSourceHandler, ListSourcesHandler] })
export class SourcesModule {}
