/** The schemas that a store was prepared for, and which of them each collection belongs to. */
import type { Generation, ProjectionSchema } from './read-model-store.js';

export class ProjectionSchemas {
  readonly #schemas = new Map<string, ProjectionSchema>();
  readonly #owners = new Map<string, string>();

  /** Name of the projection that each collection belongs to. */
  get owners(): ReadonlyMap<string, string> {
    return this.#owners;
  }

  /** Throws when one of its collections belongs to another projection. */
  add(schema: ProjectionSchema): void {
    this.#schemas.set(schema.name, schema);
    for (const { name } of schema.collections) {
      const owner = this.#owners.get(name) ?? schema.name;
      if (owner !== schema.name) throw new Error(`collection ${name} belongs to ${owner} already`);
      this.#owners.set(name, schema.name);
    }
  }

  get names(): readonly string[] {
    return [...this.#schemas.keys()];
  }

  /** Null: the store was not prepared for the projection. */
  find(projection: string): ProjectionSchema | null {
    return this.#schemas.get(projection) ?? null;
  }

  /** Throws when the store was not prepared for the projection. */
  of({ projection }: Generation): ProjectionSchema {
    const schema = this.find(projection);
    if (!schema) throw new Error(`projection ${projection} was not prepared`);
    return schema;
  }
}
