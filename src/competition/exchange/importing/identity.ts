/**
 * Decides who the persons of a file are. A file may name the person's id in Podium. Else the association id is looked for,
 * then the exact name if only one person of the space has it. Otherwise the person is new. Decisions are kept aside until the contest has no faults,
 * so a contest that is left out registers no persons.
 */
import { latestRegion } from '../../../domain/regions.js';
import type { AggregateRuntime } from '../../../foundation/aggregates/aggregate.js';
import type { OperationalStore, Profile } from '../../../foundation/operational/operational-store.js';
import type { Competitors } from '../../aggregates/person/competitors.js';
import { personAggregate } from '../../aggregates/person/person.decider.js';
import { ERASED_NAME } from '../../persons/person-directory.js';
import { profileErrors } from '../../persons/profile-rules.js';
import type { PersonDecision } from '../exchange.commands.js';
import {
  type ContestFile,
  type Fault,
  FaultList,
  type FileCompetitor,
  type FileOpaqueParts,
  type FilePerson,
  type FileRound,
  type Place,
} from '../formats/contest-file.js';

/** The persons who are in a contest already. */
export interface ContestMembers {
  /** Persons with a result or a number. */
  readonly competing: ReadonlySet<number>;
  readonly organizing: readonly number[];
}

/** A person of the space, or one whom this import will register. Accepted contests add facts. */
export interface Candidate {
  /** Negative until the person is registered. */
  personId: number;
  /** Further ids of the person: those who were merged into it. */
  readonly absorbed: readonly number[];
  readonly name: string;
  localizedName: string | null;
  assocId: string | null;
  /** The current region. */
  regionCode: string | null;
  /** Whether the person's stream exists. False for a new person, and after an interrupted registration. */
  readonly registered: boolean;
}

/** The decision for one person of a contest file. */
export interface Identified {
  readonly person: FilePerson;
  readonly candidate: Candidate;
  readonly by: PersonDecision['by'];
  /** Facts that the file has about a person of the space, and the space does not have. */
  readonly learned: PersonDecision['learned'];
}

export interface ContestIdentities {
  readonly faults: FaultList;
  /** Persons of one association id with several names: the file may have given one person the id of another. */
  readonly notes: readonly Fault[];
  /** By personKey. */
  readonly persons: ReadonlyMap<string, Identified>;
}

/** What names persons in a file. */
export type FilePersons = Pick<ContestFile, 'organizers' | 'place'> & {
  readonly rounds: readonly Pick<FileRound, 'results'>[];
  readonly competitors: readonly Pick<FileCompetitor, 'person' | 'place'>[];
  readonly opaque: Pick<FileOpaqueParts, 'rounds'> | null;
};

/**
 * The key of a person within one file: the id in Podium, otherwise the association id, the file's own reference, the name.
 */
export const personKey = ({ personId, ref, assocId, name }: FilePerson): string => {
  if (personId !== undefined) return `p:${personId}`;
  if (assocId !== null) return `a:${assocId.toLowerCase()}`;
  return ref === null ? `n:${plainName(name)}` : `r:${ref}`;
};

/** The same for a name whose accents are characters of their own, as some programs write them. */
const plainName = (name: string): string => name.normalize('NFC');

export const isSameName = (a: string, b: string): boolean => plainName(a) === plainName(b);

export interface IdentityServices {
  readonly operational: OperationalStore;
  readonly competitors: Competitors;
  readonly aggregates: AggregateRuntime;
}

export class Identities {
  /** Persons whom the accepted contests will register. */
  readonly pending: Candidate[] = [];
  readonly #known = new Map<number, Candidate>();
  readonly #learnedAssocIds = new Map<string, Candidate>();
  #nextId = -1;

  constructor(
    private readonly spaceId: string,
    private readonly services: IdentityServices,
  ) {}

  /** Decides without an effect on later contests; see `accept`. */
  async decide(contest: FilePersons, present: ContestMembers): Promise<ContestIdentities> {
    const faults = new FaultList();
    const notes = new FaultList();
    const named = personsOf(contest, { faults, notes });
    const all = [...named.values()].map(({ person }) => person);
    const byAssocId = await this.#byAssocId(all);
    const byPersonId = await this.#byPersonId(all);
    const persons = new Map<string, Identified>();
    const claimed = new Set<number>();
    const claim = (key: string, person: FilePerson, candidate: Candidate, by: Identified['by']): void => {
      persons.set(key, {
        person,
        candidate,
        by,
        learned: by === 'new' || candidate.name === ERASED_NAME ? [] : learnedFrom(person, candidate),
      });
      claimed.add(candidate.personId);
    };
    for (const [key, { person, place }] of named) {
      if (person.personId === undefined) continue;
      const candidate = byPersonId.get(person.personId);
      const fault = wrongId(person, candidate);
      if (fault !== null) faults.add(place, fault);
      if (candidate) claim(key, person, candidate, 'personId');
    }
    for (const [key, { person, place }] of named) {
      const candidate = person.assocId === null ? undefined : byAssocId.get(person.assocId.toLowerCase());
      if (!candidate || persons.has(key)) continue;
      claim(key, person, candidate, 'assocId');
      if (candidate.name !== ERASED_NAME && !isSameName(candidate.name, person.name))
        notes.add(
          place,
          `${person.assocId} is called ${candidate.name} in this space, and ${person.name} in the file`,
        );
    }
    for (const [key, { person }] of named) {
      if (persons.has(key)) continue;
      const bearers = (await this.#bearers(person.name)).filter(({ personId }) => !claimed.has(personId));
      const bearer = chooseBearer(person, bearers, present);
      if (bearer) claim(key, person, bearer, 'name');
      else claim(key, person, this.#newcomer(person), 'new');
    }
    return { faults, notes: notes.faults, persons };
  }

  /** Makes the facts about persons of a contest without faults known to later contests. */
  accept({ persons }: ContestIdentities): void {
    for (const { person, candidate, by, learned } of persons.values()) {
      if (by === 'new') this.pending.push(candidate);
      if (learned.includes('assocId')) candidate.assocId = person.assocId;
      if (learned.includes('localizedName')) candidate.localizedName = person.localizedName;
      if (learned.includes('region')) candidate.regionCode = person.regionCode;
      if (candidate.assocId !== null) this.#learnedAssocIds.set(candidate.assocId.toLowerCase(), candidate);
    }
  }

  #newcomer({ name, localizedName, assocId, regionCode }: FilePerson): Candidate {
    const personId = this.#nextId;
    this.#nextId -= 1;
    return { personId, absorbed: [], name, localizedName, assocId, regionCode, registered: false };
  }

  async #byAssocId(persons: readonly FilePerson[]): Promise<ReadonlyMap<string, Candidate>> {
    const wanted = persons.flatMap(({ assocId }) => (assocId === null ? [] : [assocId.toLowerCase()]));
    const found = new Map<string, Candidate>();
    const profiles = await this.services.operational.profilesByAssocId(this.spaceId, wanted);
    for (const [assocId, profile] of profiles) found.set(assocId, await this.#candidate(profile));
    for (const assocId of wanted) {
      const learned = this.#learnedAssocIds.get(assocId);
      if (learned) found.set(assocId, learned);
    }
    return found;
  }

  async #byPersonId(persons: readonly FilePerson[]): Promise<ReadonlyMap<number, Candidate>> {
    const wanted = persons.flatMap(({ personId }) => personId ?? []);
    const found = new Map<number, Candidate>();
    const profiles = await this.services.operational.profiles(wanted);
    for (const personId of wanted) {
      const profile = profiles.get(personId) ?? erasedProfile(this.spaceId, personId);
      const candidate = await this.#candidate(profile);
      if (profile.spaceId === this.spaceId && (candidate.registered || profiles.has(personId)))
        found.set(personId, candidate);
    }
    return found;
  }

  async #bearers(name: string): Promise<readonly Candidate[]> {
    const bearers = new Set<Candidate>();
    for (const form of new Set([name, plainName(name), name.normalize('NFD')]))
      for (const profile of await this.services.operational.profilesByName(this.spaceId, form))
        bearers.add(await this.#candidate(profile));
    for (const candidate of this.pending) if (isSameName(candidate.name, name)) bearers.add(candidate);
    return [...bearers];
  }

  /** Follows merges. */
  async #candidate(profile: Profile): Promise<Candidate> {
    const { competitors, operational, aggregates } = this.services;
    const selector = { by: 'personId', personIds: [profile.personId] } as const;
    const [resolved] = await competitors.resolve(this.spaceId, [selector]);
    const personId = resolved && 'personIds' in resolved ? resolved.personIds[0] : undefined;
    const known = this.#known.get(personId ?? profile.personId);
    if (known) return known;
    const own =
      personId === undefined ? profile : ((await operational.profiles([personId])).get(personId) ?? profile);
    const { state } = await aggregates.load(personAggregate, own.personId);
    const [, ...absorbed] = await competitors.idsOf(this.spaceId, own.personId);
    const candidate: Candidate = {
      personId: own.personId,
      absorbed,
      name: own.name,
      localizedName: own.localizedName,
      assocId: own.assocId,
      regionCode: latestRegion(state.timeline),
      registered: personId !== undefined,
    };
    this.#known.set(candidate.personId, candidate);
    return candidate;
  }
}

const erasedProfile = (spaceId: string, personId: number): Profile => ({
  personId,
  spaceId,
  name: ERASED_NAME,
  localizedName: null,
  assocId: null,
});

interface NamedPerson {
  readonly person: FilePerson;
  /** Where the file names the person first. */
  readonly place: Place;
}

/** Returns all persons that a file names, competitors before organizers. */
const personsOf = (
  contest: FilePersons,
  { faults, notes }: { readonly faults: FaultList; readonly notes: FaultList },
): ReadonlyMap<string, NamedPerson> => {
  const named = new Map<string, NamedPerson>();
  const nameless = new Map<string, string>();
  const add = (person: FilePerson, place: Place): void => {
    const key = personKey(person);
    const known = named.get(key)?.person;
    if (known && !isSameName(person.name, known.name)) {
      const called = `is called ${person.name} here, and ${known.name} before`;
      if (person.assocId === null) faults.add(place, `person ${person.ref} ${called}`);
      else notes.add(place, `${person.assocId} ${called}`);
    }
    if (known) return;
    named.set(key, { person, place });
    for (const { field, message } of profileErrors(person))
      faults.add(place, `${field} of a person: ${message}`);
    if (person.assocId !== null || person.personId !== undefined || person.name === ERASED_NAME) return;
    if (nameless.has(plainName(person.name)))
      faults.add(place, `two persons are called ${person.name} and have no association id`);
    nameless.set(plainName(person.name), key);
  };
  for (const { results } of contest.rounds) {
    for (const { competitors, place } of results) for (const person of competitors) add(person, place);
  }
  for (const { results, at } of contest.opaque?.rounds ?? []) {
    for (const { competitors } of results) for (const person of competitors) add(person, at);
  }
  for (const { person, place } of contest.competitors) add(person, place);
  for (const organizer of contest.organizers) {
    const competing = [...named.values()].some(({ person }) => isSameName(person.name, organizer.name));
    if (organizer.ref !== null || organizer.assocId !== null || !competing) add(organizer, contest.place);
  }
  return named;
};

/** An id of another installation names another person here, so the name has to agree. Null: it does. */
const wrongId = ({ personId, name }: FilePerson, candidate: Candidate | undefined): string | null => {
  if (candidate === undefined) return `the space has no person ${personId}`;
  return isSameName(candidate.name, name)
    ? null
    : `person ${personId} is called ${candidate.name} in this space, and ${name} in the file`;
};

const learnedFrom = (person: FilePerson, candidate: Candidate): PersonDecision['learned'] => [
  ...(person.assocId !== null && candidate.assocId === null ? ['assocId' as const] : []),
  ...(person.localizedName !== null && candidate.localizedName === null ? ['localizedName' as const] : []),
  ...(person.regionCode !== null && candidate.regionCode === null ? ['region' as const] : []),
];

/**
 * Chooses the person that the name refers to. A person with an association id in the file must have none yet. When
 * several persons have the name, only one who is in this contest already is chosen. So the same file again finds the
 * same persons. What stands for an erased name is a name of many: those in this contest are taken in their order.
 */
const chooseBearer = (
  person: FilePerson,
  bearers: readonly Candidate[],
  { competing, organizing }: ContestMembers,
): Candidate | undefined => {
  const possible = person.assocId === null ? bearers : bearers.filter(({ assocId }) => assocId === null);
  const isErased = person.name === ERASED_NAME;
  if (bearers.length === 1 && !isErased) return possible[0];
  const chosenOf = (found: readonly Candidate[]): Candidate | undefined =>
    found.length === 1 || isErased ? found[0] : undefined;
  const here = possible.filter(({ personId }) => competing.has(personId));
  if (here.length > 0) return chosenOf(here);
  return chosenOf(possible.filter(({ personId }) => organizing.includes(personId)));
};
