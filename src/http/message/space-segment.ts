/** The space segment of a path. A path without it means the default space; one handler serves both. */
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { DEFAULT_SPACE } from '../../domain/ids.js';

/** The prefixes of all paths of a space, for controllers. */
export const API_OF_SPACE = ['api', 'api/:spaceId'];

/** The beginning of the paths of a space's pages: empty for the default space. */
export const baseOf = (spaceId: string): string => (spaceId === DEFAULT_SPACE ? '' : `/${spaceId}`);

export interface InSpace {
  readonly spaceId?: string;
}

/** Returns the parameters of the path of a request. */
export const pathParams = <Params>(context: ExecutionContext): Params =>
  context.switchToHttp().getRequest<{ readonly params: Params }>().params;

/** `@SpaceId() spaceId: string` */
export const SpaceId = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const { spaceId = DEFAULT_SPACE } = pathParams<InSpace>(context);
  return spaceId;
});
