/**
 * The names of streams: `<prefix>/<category>/<part>/…`. Each aggregate declares one category, which writes an id as
 * parts and reads it back. Ids hold no `/`, so names of two categories never collide. An operator sets the prefix when
 * several installations share one EventStoreDB.
 */

/** The streams of one aggregate. */
export interface StreamCategory<Id> {
  /** Second part of the name: `round` in `podium/round/default/Open2024/333/1`. */
  readonly name: string;
  readonly partsOf: (id: Id) => readonly (string | number)[];
  /** The reverse of `partsOf`: `idOf(partsOf(id).map(String))` equals `id`. */
  readonly idOf: (parts: readonly string[]) => Id;
}

/** A category whose ids are one string, such as the id of an API key. */
export const textCategory = (name: string): StreamCategory<string> => ({
  name,
  partsOf: (id) => [id],
  idOf: ([id = '']) => id,
});

/** A stream's name, parsed. */
export interface StreamSubject {
  readonly category: string;
  readonly parts: readonly string[];
}

/** The id of the subject; null when it is of another category. */
export const idIn = <Id>(category: StreamCategory<Id>, subject: StreamSubject): Id | null =>
  subject.category === category.name ? category.idOf(subject.parts) : null;

export class StreamNames {
  /** The beginning of every stream name of this installation. */
  readonly prefix: string;

  constructor(prefix = 'podium') {
    this.prefix = `${prefix}/`;
  }

  of<Id>(category: StreamCategory<Id>, id: Id): string {
    return `${this.prefix}${category.name}/${category.partsOf(id).join('/')}`;
  }

  subjectOf(stream: string): StreamSubject {
    const [category = '', ...parts] = stream.slice(this.prefix.length).split('/');
    return { category, parts };
  }

  /** The id in the stream's name; null when it is of another category. */
  idIn<Id>(category: StreamCategory<Id>, stream: string): Id | null {
    return idIn(category, this.subjectOf(stream));
  }
}
