/** The keys by which a shared cache purges replies: the tags of what they show. */
import { type ChangedTags, isBestTag, isPersonTag } from '../../domain/tags.js';

/** Every reply that a shared cache keeps has this key. */
export const ALL = 'podium';

/** A list of many persons has this key in place of one for each. A purge of any person names it, too. */
const MANY_PERSONS = 'persons';
const MAX_PERSONS = 100;

/** Varnish takes header lines of 8 kB by default, Fastly 16 kB. */
const MAX_LENGTH = 7_500;

/** Returns the value of Surrogate-Key; null when it would be too long, so that no cache may keep the reply. */
export const surrogateKeys = (tags: readonly string[]): string | null => {
  const others = tags.filter((tag) => !isPersonTag(tag));
  const named = tags.length - others.length > MAX_PERSONS ? [...others, MANY_PERSONS] : tags;
  const keys = [ALL, ...named].join(' ');
  return keys.length > MAX_LENGTH ? null : keys;
};

/** Returns the keys of all replies that show one of these tags. */
export const purgedKeys = (changed: ChangedTags): readonly string[] => {
  const keys = [...changed.keys()].filter((tag) => !isBestTag(tag));
  return keys.some(isPersonTag) ? [...keys, MANY_PERSONS] : keys;
};
