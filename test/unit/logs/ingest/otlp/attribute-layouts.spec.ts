/** What is kept of names and layouts: a layout belongs to its names and kinds, and what senders make up is not kept without bound. */
import { describe, expect, it } from '@jest/globals';
import { NO_FIELDS, type RecordType } from '../../../../../src/foundation/log-store/field-catalogue.js';
import {
  AttributeLayouts,
  type AttributeName,
  INTEGER,
  TEXT,
} from '../../../../../src/logs/ingest/otlp/attribute-layouts.js';

const nameIn = (layouts: AttributeLayouts, text: string): AttributeName => {
  const bytes = Buffer.from(`<${text}>`);
  const name = layouts.name(bytes, 1, bytes.length - 1);
  if (name === null) throw new Error('no name');
  return name;
};

const textsOf = (layouts: AttributeLayouts, names: readonly string[], kinds: readonly number[]) => {
  const of = layouts.of(
    names.map((text) => nameIn(layouts, text)),
    kinds,
    names.length,
  );
  return { texts: of.texts.map((text) => Buffer.from(text).toString()), order: of.order };
};

/** 32 names with one hash. */
const alike = Array.from({ length: 32 }, (_, index) =>
  Array.from({ length: 5 }, (__, bit) => ((index >> bit) & 1 ? 'Aa' : 'BB')).join(''),
);

describe('the layouts of attributes', () => {
  it('have the text around the values, in the order of the metadata', () => {
    const layouts = new AttributeLayouts();
    expect(textsOf(layouts, ['b.c', 'a', 'b.d', '7', 'a'], [TEXT, TEXT, TEXT, TEXT, INTEGER])).toEqual({
      texts: ['"attributes":{"7":"', '","b":{"c":"', '","d":"', '"},"a":', '}'],
      order: [3, 0, 2, 4],
    });
    expect(textsOf(layouts, [], [])).toEqual({ texts: [''], order: [] });
  });

  it('are kept, by names and kinds', () => {
    const layouts = new AttributeLayouts();
    const names = [nameIn(layouts, 'a'), nameIn(layouts, 'b')];
    const layout = layouts.of(names, [TEXT, TEXT], 2);
    expect(layouts.of([...names], [TEXT, TEXT, INTEGER], 2)).toBe(layout);
    expect(layouts.of(names, [TEXT, INTEGER], 2)).not.toBe(layout);
    expect(layouts.of(names, [TEXT], 1)).not.toBe(layout);
    expect(layouts.of(names.toReversed(), [TEXT, TEXT], 2)).not.toBe(layout);
  });

  it('know a name again, and tell apart those with one hash', () => {
    const layouts = new AttributeLayouts();
    const few = alike.slice(0, 10).map((text) => nameIn(layouts, text));
    expect(few.map(({ text }) => text)).toEqual(alike.slice(0, 10));
    expect(alike.slice(0, 10).map((text) => nameIn(layouts, text))).toEqual(few);
  });

  it('begin anew when many names have one hash, and mix up nothing', () => {
    const layouts = new AttributeLayouts();
    const first = nameIn(layouts, 'first');
    const kinds = alike.map(() => TEXT);
    const { texts } = textsOf(layouts, ['first', ...alike], [TEXT, ...kinds]);
    expect(nameIn(layouts, 'first').id).not.toBe(first.id);
    expect(texts.join('')).toBe(
      `"attributes":{"first":${alike.map((text) => `"",${JSON.stringify(text)}:`).join('')}""}`,
    );
  });

  it('begin anew when they are many', () => {
    const layouts = new AttributeLayouts();
    const first = nameIn(layouts, 'first');
    for (let number = 0; number < 30_000; number++) nameIn(layouts, String(number));
    expect(nameIn(layouts, 'first')).toBe(first);
    for (let number = 30_000; number < 60_000; number++) nameIn(layouts, String(number));
    expect(nameIn(layouts, 'first').id).not.toBe(first.id);
  });

  it('begin anew when many projects know them', () => {
    const layouts = new AttributeLayouts();
    const name = nameIn(layouts, 'a');
    const layout = layouts.of([name], [TEXT], 1);
    const fields = { attributes: { kind: 'record', fields: { a: { kind: 'string' } } } } as const;
    const typeOfProject = (): RecordType => ({ kind: 'record', fields });
    const type = typeOfProject();
    expect(layouts.isKnown(layout, NO_FIELDS)).toBe(false);
    for (let project = 0; project < 100_000; project++) layouts.isKnown(layout, typeOfProject());
    for (let again = 0; again < 1_000; again++) expect(layouts.isKnown(layout, type)).toBe(true);
    expect(nameIn(layouts, 'a')).toBe(name);
    for (let project = 0; project < 100_000; project++) layouts.isKnown(layout, typeOfProject());
    expect(nameIn(layouts, 'a')).not.toBe(name);
  });

  it('have no name that is no text', () => {
    expect(new AttributeLayouts().name(Buffer.from([0xff]), 0, 1)).toBeNull();
  });
});
