import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { MergePersons, type PersonReceipt } from '../persons/person.commands.js';
import { PersonMerges } from './person-merges.js';

@CommandHandler(MergePersons)
export class MergePersonsHandler implements ICommandHandler<MergePersons> {
  constructor(private readonly merges: PersonMerges) {}

  execute({ from, into, context }: MergePersons): Promise<PersonReceipt> {
    return this.merges.carryOut({ from, into }, context);
  }
}
