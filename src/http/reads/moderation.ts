/**
 * What all controllers of moderation are: below `moderation`, with and without the segment of the space, and answering as of what the
 * caller has seen.
 */
import { applyDecorators, Controller, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { API_OF_SPACE } from '../message/space-segment.js';
import { WaitForPosition } from './wait-for-position.js';

/** `path`: behind `moderation/`; empty where the methods name all of it. */
export const Moderation = (path = ''): ClassDecorator =>
  applyDecorators(
    ApiTags('moderation'),
    UseInterceptors(WaitForPosition),
    Controller(API_OF_SPACE.map((start) => `${start}/moderation${path && `/${path}`}`)),
  );
