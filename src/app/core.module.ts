/**
 * All of Podium but HTTP: the stores, the buses, and every feature's commands and queries. The server puts HTTP on
 * top of it, a command of the CLI uses it as it is.
 */
import type { DynamicModule, Type } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { PodiumConfig } from '../foundation/config.js';
import { features } from './features.js';
import { FirstStart } from './first-start.js';
import { StoresModule, type StoresOptions } from './stores.module.js';

export const featureModules = async (): Promise<readonly Type[]> =>
  (await Promise.all(features.map(({ module }) => module?.()))).filter((module) => module !== undefined);

export class CoreModule {
  static async register(
    config: PodiumConfig,
    options: StoresOptions = { mode: 'command' },
  ): Promise<DynamicModule> {
    return {
      module: CoreModule,
      imports: [CqrsModule.forRoot(), StoresModule.register(config, options), ...(await featureModules())],
      providers: [FirstStart],
    };
  }
}
