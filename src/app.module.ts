/** The whole server: the features, and HTTP on top of them. */
import { type DynamicModule, Module } from '@nestjs/common';
import type { PodiumConfig } from './config.js';
import { contestProcesses } from './contests/contest-ending.process.js';
import { CoreModule } from './core.module.js';
import { HttpModule } from './http/http.module.js';
import { LogCacheModule, ResultCacheTimer } from './logs/cache/cache.module.js';
import { personProcesses } from './persons/person-merge.process.js';
import { PersonsModule } from './persons/persons.module.js';
import type { StoresOptions } from './stores.module.js';
import { PagesModule } from './web/pages.module.js';

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
