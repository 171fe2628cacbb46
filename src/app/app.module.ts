/** The whole server: the features, with the parts that each adds to a server. */
import type { DynamicModule } from '@nestjs/common';
import type { PodiumConfig } from '../foundation/config.js';
import type { ServerPart } from '../http/feature.js';
import { HttpModule } from '../http/http.module.js';
import { CoreModule, featureModules, loadAll } from './core.module.js';
import type { StoresOptions } from './stores.module.js';

export const serverParts = (): Promise<ServerPart[]> => loadAll(({ server }) => [server]);

export class AppModule {
  static async register(config: PodiumConfig, options: Omit<StoresOptions, 'mode'>): Promise<DynamicModule> {
    const parts = await serverParts();
    return {
      module: AppModule,
      imports: [
        CoreModule.register(config, { mode: 'server', ...options }),
        HttpModule,
        ...(await featureModules()),
      ],
      controllers: await loadAll(({ controllers = [] }) => controllers),
      providers: parts.flatMap(({ providers = [] }) => [...providers]),
    };
  }
}
