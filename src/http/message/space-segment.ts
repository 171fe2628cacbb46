/** The segment of the space in a path. Without it a path is of the default space, and one handler serves both. */
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { DEFAULT_SPACE } from '../../domain/ids.js';

/** For controllers: what all paths of a space begin with. */
export const API_OF_SPACE = ['api', 'api/:spaceId'];

export interface InSpace {
  readonly spaceId?: string;
}

/** What the path of a request names. */
export const pathParams = <Params>(context: ExecutionContext): Params =>
  context.switchToHttp().getRequest<{ readonly params: Params }>().params;

/** `@SpaceId() spaceId: string` */
export const SpaceId = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const { spaceId = DEFAULT_SPACE } = pathParams<InSpace>(context);
  return spaceId;
});
