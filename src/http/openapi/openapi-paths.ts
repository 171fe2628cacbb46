/**
 * Completes the OpenAPI document with what the framework cannot derive. A method with and without the space
 * segment is two operations; the one with it has one more parameter. Private operations need a session and, to
 * change something, our own header. Bodies that are read strictly allow no unknown field.
 */
import type { OpenAPIObject } from '@nestjs/swagger';
import { isPrivatePath } from '../message/paths.js';
import { problemDoc } from './openapi-decorators.js';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;
type Method = (typeof METHODS)[number];

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Parameter = NonNullable<Operation['parameters']>[number];
type Components = NonNullable<OpenAPIObject['components']>;
type Schema = NonNullable<Components['schemas']>[string];

const SPACE: Parameter = {
  name: 'spaceId',
  description: 'URL slug of the space; leave the segment out for the default space',
  example: 'default',
  in: 'path',
  required: true,
  schema: { type: 'string' },
};
const namesSpace = (path: string): boolean => path.includes(`{${SPACE.name}}`);

const OWN_HEADER: Parameter = {
  name: 'X-Podium-Request',
  in: 'header',
  required: true,
  schema: { type: 'string', enum: ['1'] },
  description: 'Other sites and forms cannot send it. Origin or Sec-Fetch-Site must name this site as well',
};

export const completeDocument = (document: OpenAPIObject): OpenAPIObject => {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation) continue;
      if (namesSpace(path)) operation.parameters = [SPACE, ...(operation.parameters ?? [])];
      operation.operationId = nameOf(path, operation.operationId ?? '');
      if (operation.summary) operation.summary = summaryOf(path, operation.summary);
      if (isPrivatePath(path)) addSecurity(path, method, operation);
      if (method !== 'get') addBodyProblems(operation);
      if (isReadStrictly(path)) forbidUnknownFieldsInBody(operation, document.components ?? {});
    }
  }
  return document;
};

/** The framework numbers two paths of one method in brackets, which generated clients cannot have in a name. */
const nameOf = (path: string, given: string): string => {
  const name = given.replace(/\[\d+\]$/, '');
  if (!namesSpace(path)) return name;
  return name + (isDoneInSpace(path) ? 'InSpace' : 'OfSpace');
};

/** These keep the names that generated clients know. */
const isDoneInSpace = (path: string): boolean => /\/(?:enter-attempt|enter-results|live)$/.test(path);

/** Summaries are written for the path with the segment. */
const summaryOf = (path: string, given: string): string =>
  namesSpace(path) ? given : given.replace(' of a space', ' of the default space');

/** To sign in, by password or passkey, and to sign out. */
const NEEDS_NO_SESSION = /^\/api\/session(?:\/passkey(?:\/options)?)?$/;

const addSecurity = (path: string, method: Method, operation: Operation): void => {
  if (!NEEDS_NO_SESSION.test(path) || method === 'get') operation.security ??= [{ session: [] }];
  if (method !== 'get') operation.parameters = [...(operation.parameters ?? []), OWN_HEADER];
};

/** A body is read before its path and credentials are checked. */
const BODY_PROBLEMS = [400, 413, 415] as const;

const addBodyProblems = (operation: Operation): void => {
  for (const status of BODY_PROBLEMS) operation.responses[status] ??= problemDoc(status);
};

/** Devices and log shippers may send additional fields. Forms and configurations may not. */
const isReadStrictly = (path: string): boolean =>
  isPrivatePath(path) || /^\/api\/endpoints(?:\/check|\/\{endpoint\})?$/.test(path);

const forbidUnknownFieldsInBody = ({ requestBody }: Operation, components: Components): void => {
  if (!requestBody || '$ref' in requestBody) return;
  for (const { schema } of Object.values(requestBody.content))
    if (schema) forbidUnknownFields(schema, components);
};

/** Follows all references. A closed schema ends the recursion. */
const forbidUnknownFields = (schema: Schema, components: Components): void => {
  if ('$ref' in schema) {
    const named = components.schemas?.[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)];
    if (named) forbidUnknownFields(named, components);
    return;
  }
  if (schema.properties && schema.additionalProperties === undefined) {
    schema.additionalProperties = false;
    for (const property of Object.values(schema.properties)) forbidUnknownFields(property, components);
  }
  for (const part of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])])
    forbidUnknownFields(part, components);
  if (schema.items) forbidUnknownFields(schema.items, components);
};
