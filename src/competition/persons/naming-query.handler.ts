/** The base of the query handlers that read a snapshot of the read models and add the names of persons. */
import { Inject } from '@nestjs/common';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import { PersonDirectory } from './person-directory.js';

export abstract class NamingQueryHandler {
  constructor(
    @Inject(READ_MODELS) protected readonly readModels: ReadModels,
    protected readonly directory: PersonDirectory,
  ) {}
}
