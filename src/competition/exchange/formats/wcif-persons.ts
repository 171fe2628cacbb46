/**
 * Reads the persons of a WCIF: who they are, their numbers and bests, and the events that accepted ones are registered for. Nothing
 * else of a registration is read: no birthdate, no email address, no comment.
 */
import { isCountry } from '../../../domain/regions.js';
import { MAX_COMPETITOR_NUMBER } from '../../aggregates/competitor-list/competitor-rows.js';
import type { ContestFile, FileCompetitor, FilePerson } from './contest-file.js';
import type { JsonCursor } from './json-cursor.js';
import { type SplitName, splitName } from './person-name.js';
import { EXTENSIONS, extension } from './wcif.js';
import { readBests } from './wcif-bests.js';

export const readCountry = (cursor: JsonCursor): string => {
  const code = cursor.string().toUpperCase();
  return isCountry(code) ? code : cursor.fail(`is “${code}”, which is no ISO 3166-1 country code`);
};

export interface WcifPersons extends Pick<ContestFile, 'organizers' | 'competitors'> {
  readonly byRegistrant: ReadonlyMap<number, FilePerson>;
}

export const readPersons = (root: JsonCursor): WcifPersons => {
  const byRegistrant = new Map<number, FilePerson>();
  const organizers: FilePerson[] = [];
  const competitors: FileCompetitor[] = [];
  for (const cursor of root.field('persons').items()) {
    const registrant = cursor.optional('registrantId');
    const country = cursor.optional('countryIso2');
    const person: FilePerson = {
      ...readName(cursor),
      assocId: cursor.optional('wcaId')?.nonEmptyString() ?? null,
      regionCode: country && readCountry(country),
      ref: registrant ? String(registrant.integer()) : null,
    };
    if (registrant) {
      const number = registrant.integer();
      const numbered = isNumbered(cursor);
      if (number < 1 || (numbered && number > MAX_COMPETITOR_NUMBER))
        registrant.fail(`is ${number}; it must be from 1 to ${MAX_COMPETITOR_NUMBER}`);
      if (byRegistrant.has(number)) registrant.fail(`${number} is there twice`);
      byRegistrant.set(number, person);
      if (numbered)
        competitors.push({
          person,
          number,
          ...registeredIn(cursor),
          place: registrant.place,
          bests: readBests(cursor),
        });
    }
    const roles = cursor.optional('roles')?.items() ?? [];
    if (roles.some((role) => role.string() === 'organizer')) organizers.push(person);
  }
  return { byRegistrant, organizers, competitors };
};

/** The extension has names that brackets cannot represent. */
const readName = (person: JsonCursor): SplitName => {
  const own = extension(person, EXTENSIONS.person);
  const name = own?.optional('name');
  const whole = person.field('name');
  if (!name) return splitName(whole.nonEmptyString());
  return { name: name.string(), localizedName: own?.optional('localizedName')?.string() ?? null };
};

/** A person who has withdrawn or is not yet accepted has no number. */
const isNumbered = (person: JsonCursor): boolean => {
  const status = person.optional('registration')?.optional('status')?.string() ?? 'accepted';
  const numbered = extension(person, EXTENSIONS.person)?.optional('numbered')?.boolean() ?? true;
  return status === 'accepted' && numbered;
};

/** Of an accepted person. Nothing else of the registration is read. */
const registeredIn = (person: JsonCursor): Pick<FileCompetitor, 'eventIds'> => {
  const registration = person.optional('registration');
  const eventIds = registration?.optional('eventIds');
  if (!eventIds || registration?.optional('isCompeting')?.boolean() === false) return {};
  return { eventIds: eventIds.items().map((eventId) => eventId.nonEmptyString()) };
};
