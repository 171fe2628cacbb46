/** Picks persons of the space, found by name, association id or number. */
import { useState } from 'react';
import { regionText } from '../../../components/region.js';
import { Picker, type PickerProps } from '../../parts/picker.js';
import { usePersonCandidates } from './person-queries.js';
import { PERSON_SEARCH_LABEL } from './person-search-field.js';

export const PersonPicker = (props: Pick<PickerProps, 'name' | 'label' | 'help' | 'defaultPicked'>) => {
  const [text, setText] = useState('');
  const found = usePersonCandidates(text);
  return (
    <Picker
      {...props}
      placeholder={PERSON_SEARCH_LABEL}
      text={text}
      onText={setText}
      options={(found ?? []).map(({ id, name, assocId, regionCode }) => ({
        id: String(id),
        name,
        about: [assocId ?? `no. ${id}`, regionText(regionCode)].filter(Boolean).join(' · '),
      }))}
      empty={found && 'No person of this space matches.'}
    />
  );
};
