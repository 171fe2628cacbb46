/** The dialogs of venues and rooms. */
import type { ReactNode } from 'react';
import type { Room, Venue } from '../../../../../src/competition/schedule/schedule.events.js';
import { COUNTRY_OPTIONS, type Option } from '../../../components/options.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, SelectField } from '../../parts/field.js';
import { Form, FormActions, fieldText } from '../../parts/form.js';
import { type ScheduleRequest, useScheduleCommand } from './use-schedule.js';

interface PlaceFormProps {
  readonly competitionId: string;
  readonly onClose: () => void;
}

/** A form in a dialog that sends one command, and removes what it shows. */
const PlaceForm = ({
  competitionId,
  title,
  path,
  isNew,
  read,
  children,
  onClose,
}: PlaceFormProps & {
  readonly title: string;
  readonly path: string;
  readonly isNew: boolean;
  readonly read: (fields: FormData) => unknown;
  readonly children: ReactNode;
}) => {
  const { mutate, error, isPending } = useScheduleCommand(competitionId);
  const submit = (request: ScheduleRequest): void => mutate(request, { onSuccess: onClose });
  return (
    <Dialog title={title} onClose={onClose} ignoresClicksOutside>
      <Form
        problem={error}
        onSubmit={(fields) => submit({ method: isNew ? 'POST' : 'PUT', path, body: read(fields) })}
      >
        {children}
        {!isNew && (
          <Button isQuiet isDanger isDisabled={isPending} onPress={() => submit({ method: 'DELETE', path })}>
            Remove
          </Button>
        )}
        <FormActions action={isNew ? 'Add' : 'Save'} isPending={isPending} onClose={onClose} />
      </Form>
    </Dialog>
  );
};

const NO_COUNTRY: Option = { value: '', name: 'Not given' };

/** With the zone of the venue, which may be an older name. */
const zoneOptions = (own: string): readonly Option[] =>
  [...new Set([own, ...Intl.supportedValuesOf('timeZone'), 'UTC'])]
    .sort()
    .map((value) => ({ value, name: value }));

const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const degreesText = ({ latitudeMicrodegrees, longitudeMicrodegrees }: Venue): string =>
  latitudeMicrodegrees === null || longitudeMicrodegrees === null
    ? ''
    : `${latitudeMicrodegrees / 1e6}, ${longitudeMicrodegrees / 1e6}`;

const DEGREES = /^(-?\d{1,2}(?:\.\d+)?)\s*[,; ]\s*(-?\d{1,3}(?:\.\d+)?)$/;

const degreesProblem = (text: string): string | null => {
  if (text.trim() === '') return null;
  const [whole, latitude, longitude] = DEGREES.exec(text.trim()) ?? [];
  if (whole === undefined) return 'Two numbers, such as 51.8985, -8.4756';
  return Math.abs(Number(latitude)) <= 90 && Math.abs(Number(longitude)) <= 180
    ? null
    : 'The latitude is from -90 to 90, the longitude from -180 to 180';
};

const microdegrees = (text: string | undefined): number | null =>
  text === undefined ? null : Math.round(Number(text) * 1e6);

const readVenue = (fields: FormData): unknown => {
  const [, latitude, longitude] = DEGREES.exec(fieldText(fields, 'latitudeMicrodegrees')) ?? [];
  return {
    name: fieldText(fields, 'name'),
    address: fieldText(fields, 'address') || null,
    regionCode: fieldText(fields, 'regionCode') || null,
    latitudeMicrodegrees: microdegrees(latitude),
    longitudeMicrodegrees: microdegrees(longitude),
    timeZone: fieldText(fields, 'timeZone'),
  };
};

/** `venue`: null for a new one. */
export const VenueForm = ({ venue, ...rest }: PlaceFormProps & { readonly venue: Venue | null }) => (
  <PlaceForm
    {...rest}
    title={venue?.name ?? 'New venue'}
    path={venue === null ? '/venues' : `/venues/${venue.venueId}`}
    isNew={venue === null}
    read={readVenue}
  >
    <Field name="name" label="Name" defaultValue={venue?.name ?? ''} isRequired autoFocus />
    <Field name="address" label="Address" defaultValue={venue?.address ?? ''} />
    <SelectField
      name="regionCode"
      label="Country"
      choices={[NO_COUNTRY, ...COUNTRY_OPTIONS]}
      defaultValue={venue?.regionCode ?? ''}
    />
    <Field
      name="latitudeMicrodegrees"
      label="Latitude, longitude"
      help="In degrees, for maps and calendars"
      placeholder="51.8985, -8.4756"
      defaultValue={venue === null ? '' : degreesText(venue)}
      validate={degreesProblem}
    />
    <SelectField
      name="timeZone"
      label="Time zone"
      choices={zoneOptions(venue?.timeZone ?? browserZone())}
      defaultValue={venue?.timeZone ?? browserZone()}
    />
  </PlaceForm>
);

/** `room`: without an id for a new one. */
export const RoomForm = ({
  room,
  ...rest
}: PlaceFormProps & { readonly room: Omit<Room, 'roomId'> & { readonly roomId: number | null } }) => (
  <PlaceForm
    {...rest}
    title={room.roomId === null ? 'New room' : room.name}
    path={room.roomId === null ? '/rooms' : `/rooms/${room.roomId}`}
    isNew={room.roomId === null}
    read={(fields) => ({
      venueId: room.venueId,
      name: fieldText(fields, 'name'),
      colour: fieldText(fields, 'colour'),
    })}
  >
    <Field
      name="name"
      label="Name"
      help="Of a room, or of one stage"
      defaultValue={room.name}
      isRequired
      autoFocus
    />
    <div className="field">
      <label>
        <span>Colour</span>
        <input type="color" name="colour" defaultValue={room.colour} />
      </label>
    </div>
  </PlaceForm>
);
