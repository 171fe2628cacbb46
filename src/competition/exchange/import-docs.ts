/** How the imports are documented: their choices, their files, and the preview that they may be held to. */
import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiQuery } from '@nestjs/swagger';
import { MAX_IMPORT_BYTES } from './importing/import-gate.js';

/** A choice that is off unless the request says otherwise. */
export const choiceQuery = (name: string, description: string): MethodDecorator =>
  ApiQuery({ name, required: false, schema: { type: 'boolean', default: false }, description });

export const previewQuery = ApiQuery({
  name: 'preview',
  required: false,
  description: 'Fingerprint of a preview; refused (409) when the import would now make other changes',
});

/** A body that is a WCIF or a CSV. `description`: what is in it. */
export const fileBody = (description: string): MethodDecorator =>
  applyDecorators(
    ApiConsumes('application/json', 'text/csv'),
    ApiBody({
      description: `${description}; at most ${MAX_IMPORT_BYTES} bytes`,
      schema: { type: 'string' },
    }),
  );
