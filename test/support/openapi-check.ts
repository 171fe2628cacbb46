/**
 * Holds every answer against the OpenAPI document: the status and content type must be documented for the operation,
 * and the body must validate against the schema, with no field that the document does not name.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { Client, type Reply, type Send } from './client.js';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at the path, `{}` where there is none. */
const at = (value: unknown, ...path: readonly string[]): Json => {
  let found = value;
  for (const key of path) found = isObject(found) ? found[key] : undefined;
  return isObject(found) ? found : {};
};

/** Objects hold what their schema names and nothing else. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isObject(schema)) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return isObject(copy.properties) && copy.type === 'object'
    ? { ...copy, additionalProperties: false }
    : copy;
};

/** A client that throws on any answer that the document does not promise. */
export class CheckedClient extends Client {
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false });
  private readonly validators = new Map<string, ValidateFunction>();
  private constructor(
    url: string,
    private readonly document: Json,
  ) {
    super(url);
    this.ajv.addSchema({ $id: 'document', components: closed(document.components) });
  }

  static async connect(url: string): Promise<CheckedClient> {
    const plain = new Client(url);
    const { json } = await plain.get('/api/docs/openapi.json');
    plain.close();
    if (!isObject(json)) throw new Error('there is no OpenAPI document');
    return new CheckedClient(url, json);
  }

  override async send(path: string, options: Send = {}): Promise<Reply> {
    const reply = await super.send(path, options);
    this.check(options.method ?? 'GET', path, reply);
    return reply;
  }

  private check(method: string, path: string, reply: Reply): void {
    if (reply.status >= 500 && reply.status !== 503)
      throw new Error(`${method} ${path} failed: ${reply.text}`);
    const operation = this.operation(method, path);
    if (!operation) {
      if (reply.status >= 400 && method !== 'HEAD') this.validate(problemSchema, reply, `${method} ${path}`);
      return;
    }
    const what = `${method} ${path} ${reply.status}`;
    const documented = at(operation, 'responses')[reply.status];
    if (!isObject(documented)) throw new Error(`${what} is not documented: ${reply.text}`);
    const [contentType = ''] = (reply.headers['content-type'] ?? '').split(';');
    if (reply.status === 304 || reply.body.length === 0) return;
    const { schema } = at(documented, 'content', contentType);
    if (!isObject(schema)) throw new Error(`${what} is not documented as ${contentType}`);
    this.validate(schema, reply, what);
  }

  private validate(schema: Json, { json }: Reply, what: string): void {
    if (json === undefined) return;
    const key = JSON.stringify(schema);
    let validator = this.validators.get(key);
    if (!validator) {
      validator = this.ajv.compile(JSON.parse(key.replaceAll('#/components', 'document#/components')));
      this.validators.set(key, validator);
    }
    if (validator(json)) return;
    throw new Error(`${what} is not as documented: ${this.ajv.errorsText(validator.errors)}`);
  }

  /** At the first segment where two paths differ, the one that names it goes before the one with a parameter. */
  private operation(method: string, path: string): Json | undefined {
    const [plain = ''] = path.split('?');
    const templates = Object.keys(at(this.document, 'paths')).filter((template) =>
      new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(plain),
    );
    // A brace sorts behind every character that a segment has.
    const [template] = templates.sort();
    const operation = template && at(this.document, 'paths', template)[method.toLowerCase()];
    return isObject(operation) ? operation : undefined;
  }
}

const problemSchema = { $ref: '#/components/schemas/ProblemDto' };
