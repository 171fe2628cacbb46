/** The JSON of screens as classes, for the OpenAPI document, and the reader of its body. */
import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import type { RoundRef } from '../../domain/attempts.js';
import { anInteger, aText, JsonFields, listOf, oneOf } from '../../http/body/json-fields.js';
import { RoundRefDto } from '../contests/contest.dto.js';
import { DEFAULT_SCREEN, MAX_SECONDS, MIN_SECONDS } from './screens.decider.js';
import {
  SCREEN_CONTENTS,
  SCREEN_THEMES,
  type Screen,
  type ScreenContent,
  type ScreenTheme,
} from './screens.events.js';
import type { ShownScreenView } from './screens.queries.js';

const showsDoc = {
  enum: SCREEN_CONTENTS,
  example: 'rounds',
  description: 'open-rounds: all open rounds in turn; rounds: those chosen, in turn; schedule: now and next',
};
const roundsDoc = {
  type: String,
  isArray: true,
  example: ['333-r1'],
  description: 'The rounds of `rounds`, in their turn; otherwise empty',
};
const secondsDoc = {
  type: 'integer',
  minimum: MIN_SECONDS,
  maximum: MAX_SECONDS,
  example: 15,
  description: 'How long each page of a round is shown',
} as const;

export class ScreenDto implements Screen {
  @ApiProperty({ example: '1', description: 'In the address of the screen: /screen/SpringOpen2026/1' })
  name: string;

  @ApiProperty(showsDoc) shows: ScreenContent;
  @ApiProperty(roundsDoc) rounds: string[];
  @ApiProperty(secondsDoc) seconds: number;
  @ApiProperty({ enum: SCREEN_THEMES, example: 'dark' }) theme: ScreenTheme;
}

export class ShownScreenDto extends ScreenDto implements ShownScreenView {
  @ApiProperty({ type: [RoundRefDto], description: 'The rounds in their turn; empty: now and next' })
  showing: RoundRef[];
}

export class ScreenBody extends OmitType(ScreenDto, ['name', 'rounds', 'seconds', 'theme']) {
  @ApiPropertyOptional(roundsDoc) rounds: string[];
  @ApiPropertyOptional({ ...secondsDoc, default: DEFAULT_SCREEN.seconds }) seconds: number;
  @ApiPropertyOptional({ enum: SCREEN_THEMES, default: DEFAULT_SCREEN.theme }) theme: ScreenTheme;
}

/** Throws RejectedError `invalid-request`. */
export const readScreen = (body: unknown, name: string): Screen => {
  const fields = JsonFields.of(body);
  const screen: Screen = {
    name,
    shows: fields.needed('shows', oneOf(SCREEN_CONTENTS), DEFAULT_SCREEN.shows),
    rounds: fields.given('rounds', listOf(aText), []),
    seconds: fields.given('seconds', anInteger, DEFAULT_SCREEN.seconds),
    theme: fields.given('theme', oneOf(SCREEN_THEMES), DEFAULT_SCREEN.theme),
  };
  fields.check();
  return screen;
};
