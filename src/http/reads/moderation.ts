/**
 * The decorator of moderation controllers: paths below `moderation`, with and without the space segment, that
 * wait for the Podium-Position of the request.
 */
import { applyDecorators, Controller, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { API_OF_SPACE } from '../message/space-segment.js';
import { WaitForPosition } from './wait-for-position.js';

/** `path`: the part after `moderation/`; empty when the methods name the whole path. */
export const Moderation = (path = ''): ClassDecorator =>
  applyDecorators(
    ApiTags('moderation'),
    UseInterceptors(WaitForPosition),
    Controller(API_OF_SPACE.map((start) => `${start}/moderation${path && `/${path}`}`)),
  );
