import { CommandBus, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { type FieldError, invalid, RejectedError } from '../../../domain/rejections.js';
import type { Receipt } from '../../../foundation/aggregates/outcome.js';
import { GetCompetitorList, type ListedCompetitorView } from '../../contests/competitor-list.commands.js';
import { type CompetitorView, ListCompetitors } from '../../contests/contest.queries.js';
import { ChangeSchedule } from '../../schedule/schedule.commands.js';
import { ImportSchedule } from '../exchange.commands.js';
import {
  type Fault,
  type FilePerson,
  type FileSchedule,
  faultText,
  type Reading,
} from '../formats/contest-file.js';
import { wholeSchedule } from './file-schedule.js';

@CommandHandler(ImportSchedule)
export class ImportScheduleHandler implements ICommandHandler<ImportSchedule> {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  async execute({ contest, readings, context }: ImportSchedule): Promise<Receipt> {
    const schedule = scheduleIn(readings);
    const { competitors } = await this.queries.execute(new GetCompetitorList(contest, true));
    const numbered = await this.queries.execute(new ListCompetitors(contest));
    const whole = wholeSchedule(schedule, personsOf(competitors, numbered));
    return this.commands.execute(new ChangeSchedule(contest, { type: 'ReplaceSchedule', ...whole }, context));
  }
}

const scheduleIn = ([reading]: readonly Reading[]): FileSchedule => {
  if (reading?.ok === false) throw new RejectedError(invalid(reading.faults.map(errorOf)));
  const schedule = reading?.contest.schedule;
  if (schedule !== undefined) return schedule;
  throw new RejectedError(
    invalid([{ field: 'schedule', rule: 'required', message: 'the file has no schedule with venues' }]),
  );
};

const errorOf = (fault: Fault): FieldError => ({ field: 'file', rule: 'wcif', message: faultText(fault) });

/** `numbered`: with both numbers of a merged person. */
const personsOf = (
  competitors: readonly ListedCompetitorView[],
  numbered: readonly CompetitorView[],
): ((person: FilePerson) => number | null) => {
  const byAssocId = new Map(
    competitors.flatMap(({ person }) =>
      person.assocId === null ? [] : [[person.assocId.toLowerCase(), person]],
    ),
  );
  const listed = new Set(competitors.map(({ person }) => person.id));
  const byNumber = new Map(
    numbered.flatMap(({ number, person }) => (listed.has(person.id) ? [[String(number), person]] : [])),
  );
  return ({ assocId, ref }) => {
    if (assocId !== null && byAssocId.has(assocId.toLowerCase()))
      return byAssocId.get(assocId.toLowerCase())?.id ?? null;
    const found = byNumber.get(ref ?? '');
    // Another association id shows that the number is of another person.
    return found !== undefined && (assocId === null || found.assocId === null) ? found.id : null;
  };
};
