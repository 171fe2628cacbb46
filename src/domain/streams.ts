/**
 * The names of streams: `<prefix>/<category>/<part>/…`. Each aggregate declares one category, as data: what its ids
 * consist of. Ids hold no `/`, so names of two categories never collide. An operator sets the prefix when several
 * installations share one EventStoreDB.
 */

type Kind<Value> = Value extends number ? 'number' : 'text';
type KindsOf<Id> = Id extends object ? { readonly [Field in keyof Id]: Kind<Id[Field]> } : Kind<Id>;
type Kinds = 'text' | 'number' | Readonly<Record<string, 'text' | 'number'>>;

/** The streams of one aggregate. */
export interface StreamCategory<Id> {
  /** Second part of the name: `round` in `podium/round/default/Open2024/333/1`. */
  readonly name: string;
  /** What an id consists of: one text or number, or fields, which the name has in this order. */
  readonly id: KindsOf<Id> & Kinds;
}

/** A stream's name, parsed. */
export interface StreamSubject {
  readonly category: string;
  readonly parts: readonly string[];
}

const readPart = (kind: 'text' | 'number' | undefined, text: string | undefined): string | number =>
  kind === 'number' ? Number(text) : (text ?? '');

const readId = (kinds: Kinds, parts: readonly string[]): unknown => {
  if (typeof kinds === 'string') return readPart(kinds, parts[0]);
  const id: Record<string, string | number> = {};
  let index = 0;
  for (const field in kinds) id[field] = readPart(kinds[field], parts[index++]);
  return id;
};

/** The id of the subject; null when it is of another category. The cast is safe: `id` of the category describes it. */
export const idIn = <Id>({ name, id }: StreamCategory<Id>, { category, parts }: StreamSubject): Id | null =>
  category === name ? (readId(id, parts) as Id) : null;

export class StreamNames {
  /** The beginning of every stream name of this installation. */
  readonly prefix: string;

  constructor(prefix = 'podium') {
    this.prefix = `${prefix}/`;
  }

  of<Id>(category: StreamCategory<Id>, id: Id): string {
    const kinds: Kinds = category.id;
    const name = this.prefix + category.name;
    if (typeof kinds === 'string') return `${name}/${id}`;
    const fields = Object(id);
    let stream = name;
    for (const field in kinds) stream += `/${fields[field]}`;
    return stream;
  }

  /** The category of a stream with an id; null when it has none. Cheaper than the whole subject. */
  categoryOf(stream: string): string | null {
    const from = this.prefix.length;
    const to = stream.indexOf('/', from);
    return to > 0 ? stream.slice(from, to) : null;
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
