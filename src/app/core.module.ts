/**
 * All of Podium but HTTP: the stores, the buses, and every feature's commands and queries. The server puts HTTP on
 * top of it, a command of the CLI uses it as it is.
 */
import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ContestsModule } from '../competition/contests/contests.module.js';
import { ExchangeModule } from '../competition/exchange/exchange.module.js';
import { AccessModule } from '../competition/keys/keys.module.js';
import { PersonsModule } from '../competition/persons/persons.module.js';
import { RankingsModule } from '../competition/rankings/rankings.module.js';
import { RecordsModule } from '../competition/records/records.module.js';
import { RoundsModule } from '../competition/rounds/rounds.module.js';
import { SpacesModule } from '../competition/spaces/spaces.module.js';
import type { PodiumConfig } from '../foundation/config.js';
import { LogsModule } from '../logs/logs.module.js';
import { StoresModule, type StoresOptions } from './stores.module.js';

@Module({})
export class CoreModule {
  static register(config: PodiumConfig, options: StoresOptions = { mode: 'command' }): DynamicModule {
    return {
      module: CoreModule,
      imports: [
        CqrsModule.forRoot(),
        StoresModule.register(config, options),
        SpacesModule,
        PersonsModule,
        ContestsModule,
        RoundsModule,
        RankingsModule,
        RecordsModule,
        AccessModule,
        AccountsModule,
        LogsModule,
        ExchangeModule,
      ],
    };
  }
}
