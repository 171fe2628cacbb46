/**
 * All of Podium but HTTP: the stores, the buses, and every feature's commands and queries. The server puts HTTP on
 * top of it, a command of the CLI uses it as it is.
 */
import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AccessModule } from './access/access.module.js';
import { AccountsModule } from './accounts/accounts.module.js';
import type { PodiumConfig } from './config.js';
import { ContestsModule } from './contests/contests.module.js';
import { ExchangeModule } from './exchange/exchange.module.js';
import { LogsModule } from './logs/logs.module.js';
import { PersonsModule } from './persons/persons.module.js';
import { RankingsModule } from './rankings/rankings.module.js';
import { RecordsModule } from './records/records.module.js';
import { RoundsModule } from './rounds/rounds.module.js';
import { SpacesModule } from './spaces/spaces.module.js';
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
