/** The application without HTTP, as commands of the CLI use it. */
import 'reflect-metadata';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { PodiumConfig } from '../foundation/config.js';
import { CoreModule } from './core.module.js';

export const openApplication = async (config: PodiumConfig): Promise<INestApplicationContext> =>
  NestFactory.createApplicationContext(await CoreModule.register(config), {
    logger: false,
    abortOnError: false,
  });
