/** Where the records of an export come from: their resource and their scope. */
import type { JsonRecord } from '../../../foundation/log-store/sources.js';
import { nested } from './nested-attributes.js';
import { given } from './otlp-entry.js';
import { attributesOf, type Message, textOf } from './otlp-fields.js';

export interface Resource {
  /** Its `service.name`; null: it has none. */
  readonly service: string | null;
  readonly resource: JsonRecord;
}

export const resourceOf = (message: Message): Resource => {
  const attributes = attributesOf(message);
  const service = attributes.get('service.name');
  return {
    service: typeof service === 'string' && service !== '' ? service : null,
    resource: nested(attributes),
  };
};

export const scopeOf = (message: Message): JsonRecord =>
  given({
    name: textOf(message, 'name'),
    version: textOf(message, 'version'),
    attributes: nested(attributesOf(message)),
  });
