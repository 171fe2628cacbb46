/**
 * Reads an Atom feed as a feed reader does, and holds it against RFC 4287: it is well-formed XML in the namespace of Atom, each
 * feed and entry has what it must have exactly once, and ids, dates and links have their form.
 */
import { expect } from '@jest/globals';
import { SaxesParser } from 'saxes';

const ATOM = 'http://www.w3.org/2005/Atom';

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

export interface AtomEntry {
  readonly id: string;
  readonly title: string;
  readonly published: string;
  readonly updated: string;
  readonly authors: readonly string[];
  /** Of the page about it. */
  readonly href: string;
  readonly tags: readonly string[];
  readonly content: string;
}

export interface AtomFeed {
  readonly id: string;
  readonly title: string;
  readonly updated: string;
  readonly self: string;
  readonly href: string;
  readonly entries: readonly AtomEntry[];
}

/** Throws when it is no valid feed. */
export const readAtom = (xml: string): AtomFeed => {
  const feed = parse(xml);
  expect(feed.name).toBe('feed');
  const entries = all(feed, 'entry').map(readEntry);
  const ids = [textOf(feed, 'id'), ...entries.map(({ id }) => id)];
  expect(new Set(ids).size).toBe(ids.length);
  expect(all(feed, 'author').map((author) => textOf(author, 'name'))).not.toContain('');
  return {
    id: iri(textOf(feed, 'id')),
    title: textOf(feed, 'title'),
    updated: instant(textOf(feed, 'updated')),
    self: linkOf(feed, 'self'),
    href: linkOf(feed, 'alternate'),
    entries,
  };
};

const readEntry = (entry: Element): AtomEntry => {
  const updated = instant(textOf(entry, 'updated'));
  const published = instant(textOf(entry, 'published'));
  expect(published <= updated).toBe(true);
  const authors = all(entry, 'author').map((author) => textOf(author, 'name'));
  expect(authors).not.toContain('');
  return {
    id: iri(textOf(entry, 'id')),
    title: textOf(entry, 'title'),
    published,
    updated,
    authors,
    href: linkOf(entry, 'alternate'),
    tags: all(entry, 'category').map(({ attributes }) => attributes.term ?? ''),
    content: textOf(entry, 'content'),
  };
};

const parse = (xml: string): Element => {
  const parser = new SaxesParser({ xmlns: true });
  const open: Element[] = [];
  const roots: Element[] = [];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    expect({ local, uri }).toEqual({ local, uri: ATOM });
    const values = Object.values(attributes).map((each) => [each.name, each.value]);
    const element = { name: local, attributes: Object.fromEntries(values), children: [], text: '' };
    (open.at(-1)?.children ?? roots).push(element);
    open.push(element);
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element) element.text += text;
  });
  parser.write(xml).close();
  const [root] = roots;
  if (!root) throw new Error('the document has no element');
  return root;
};

const all = ({ children }: Element, name: string): readonly Element[] =>
  children.filter((child) => child.name === name);

/** Of the element that must be there once. */
const textOf = (parent: Element, name: string): string => {
  const found = all(parent, name);
  expect({ name, count: found.length }).toEqual({ name, count: 1 });
  return found[0]?.text ?? '';
};

const linkOf = (parent: Element, rel: string): string => {
  const found = all(parent, 'link').filter(({ attributes }) => attributes.rel === rel);
  expect({ rel, count: found.length }).toEqual({ rel, count: 1 });
  expect(found[0]?.attributes.type).toMatch(/^[a-z]+\/[a-z+]+$/);
  return found[0]?.attributes.href ?? '';
};

/** An absolute one: it names the same thing wherever it is read. */
const iri = (text: string): string => {
  expect(text).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  return text;
};

const instant = (text: string): string => {
  expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  return text;
};
