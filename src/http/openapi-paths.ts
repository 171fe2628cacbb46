/**
 * One method that serves a path with and without the space segment is two operations with the same parameters: each is left with
 * those that its path has, and the space is described where it is one of them.
 */
import type { OpenAPIObject } from '@nestjs/swagger';
import { spaceParamDoc } from './openapi-decorators.js';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Parameter = NonNullable<Operation['parameters']>[number];

const SPACE_NAME = spaceParamDoc.name;
const SPACE: Parameter = { ...spaceParamDoc, in: 'path', required: true, schema: { type: 'string' } };

export const fitParameters = (document: OpenAPIObject): OpenAPIObject => {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation) operation.parameters = fitted(path, operation.parameters ?? []);
    }
  }
  return document;
};

const fitted = (path: string, parameters: readonly Parameter[]): Parameter[] => {
  const fitting = parameters.filter(
    (each) => '$ref' in each || each.in !== 'path' || path.includes(`{${each.name}}`),
  );
  const isNamed = fitting.some((each) => 'name' in each && each.name === SPACE_NAME);
  return path.includes(`{${SPACE_NAME}}`) && !isNamed ? [SPACE, ...fitting] : fitting;
};
