/** The whole server: the features, and HTTP on top of them. */
import { type DynamicModule, Module } from '@nestjs/common';
import { contestProcesses } from '../competition/contests/contest-ending.process.js';
import { personProcesses } from '../competition/merges/person-merge.process.js';
import { PersonsModule } from '../competition/persons/persons.module.js';
import type { PodiumConfig } from '../foundation/config.js';
import { LogCacheModule, ResultCacheTimer } from '../logs/cache/cache.module.js';
import { PagesModule } from '../pages/pages.module.js';
import { CoreModule } from './core.module.js';
import { HttpModule } from './http.module.js';
import type { StoresOptions } from './stores.module.js';

@Module({})
export class AppModule {
  static register(config: PodiumConfig, told: Omit<StoresOptions, 'mode'>): DynamicModule {
    return {
      module: AppModule,
      imports: [
        CoreModule.register(config, { mode: 'server', ...told }),
        HttpModule,
        LogCacheModule,
        PagesModule,
        PersonsModule,
      ],
      providers: [...contestProcesses, ...personProcesses, ResultCacheTimer],
    };
  }
}
