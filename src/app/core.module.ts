/**
 * Podium without HTTP: the stores, the buses, and the commands and queries of every feature. The server adds
 * HTTP; a command of the CLI uses it directly.
 */
import type { DynamicModule, Type } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { PodiumConfig } from '../foundation/config.js';
import type { Feature, Lazy } from '../http/feature.js';
import { features } from './features.js';
import { FirstStart } from './first-start.js';
import { StoresModule, type StoresOptions } from './stores.module.js';

/** Loads one after the other, in the order of the features. */
export const loadAll = async <T>(
  pick: (feature: Feature) => readonly (Lazy<T> | undefined)[],
): Promise<T[]> => {
  const loaded: T[] = [];
  for (const load of features.flatMap(pick)) if (load) loaded.push(await load());
  return loaded;
};

export const featureModules = (): Promise<Type[]> => loadAll(({ module }) => [module]);

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
