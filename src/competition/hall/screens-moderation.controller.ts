/** The screens of a contest over HTTP, for its moderators. */
import { Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { Moderation } from '../../http/reads/moderation.js';
import { AtContest, ContestAccess, type ContestExchange } from '../contest-access.js';
import { contestParam } from '../contest-paths.js';
import { ReadsContest } from '../contests/contest-moderation.js';
import { ChangeScreens, type ScreensChange } from './screens.commands.js';
import { readScreen, ScreenBody, ScreenDto } from './screens.dto.js';
import type { Screen } from './screens.events.js';
import { ListScreens } from './screens.queries.js';

const screenParam = ApiParam({ name: 'screen', example: '1' });

interface OfScreen {
  readonly screen: string;
}

@Moderation('contests/:competitionId/screens')
export class ScreensModerationController {
  constructor(private readonly access: ContestAccess) {}

  @Get()
  @ReadsContest('List the screens of a contest', {
    type: [ScreenDto],
    description: 'In the order in which they were added; screen 1 where none was',
  })
  list(@AtContest() at: ContestExchange): Promise<readonly Screen[]> {
    return this.access.query(at, (contest) => new ListScreens(contest));
  }

  @Put(':screen')
  @HttpCode(200)
  @ApiOperation({ summary: 'Choose what a screen shows; adds the screen' })
  @contestParam
  @screenParam
  @ApiBody({ type: ScreenBody })
  @ApiResponse({ status: 200, type: [ScreenDto], description: 'All screens' })
  @Problems(400, 401, 403, 404, 413, 415, 422, 503)
  set(@AtContest() at: ContestExchange, @Param() { screen }: OfScreen): Promise<readonly Screen[]> {
    return this.change(at, () => ({ type: 'SetScreen', screen: readScreen(at.request.body, screen) }));
  }

  @Delete(':screen')
  @HttpCode(200)
  @ApiOperation({ summary: 'Remove a screen; at its address it then shows the open rounds' })
  @contestParam
  @screenParam
  @ApiResponse({ status: 200, type: [ScreenDto], description: 'All screens' })
  @Problems(400, 401, 403, 404, 503)
  remove(@AtContest() at: ContestExchange, @Param() { screen }: OfScreen): Promise<readonly Screen[]> {
    return this.change(at, () => ({ type: 'RemoveScreen', name: screen }));
  }

  private change(at: ContestExchange, make: () => ScreensChange): Promise<readonly Screen[]> {
    return this.access.answer(
      at,
      (contest, context) => new ChangeScreens(contest, make(), context),
      (contest) => new ListScreens(contest),
    );
  }
}
