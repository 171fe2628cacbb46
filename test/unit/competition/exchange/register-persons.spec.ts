/** The registration of the persons of a file, when another process may have registered one of them since the plan was made. */
import { expect, it, jest } from '@jest/globals';
import { registerPersons } from '../../../../src/competition/exchange/importing/register-persons.js';
import { AssocIdTakenError } from '../../../../src/foundation/operational/operational-store.js';
import { ReadModelUnavailableError } from '../../../../src/foundation/read-models/read-model-store.js';

type Services = Parameters<typeof registerPersons>[2];

it('asks for a new preview when an association id was taken meanwhile', async () => {
  const operational = { createProfiles: () => Promise.reject(new AssocIdTakenError('2024TWIC01', 7)) };
  const turn = { requireHeld: () => undefined };
  const services = { operational, spaceId: 'default', turn } as unknown as Services;
  await expect(registerPersons([], [], services)).rejects.toMatchObject({
    rejection: { code: 'import-changed' },
    message: expect.stringContaining('2024TWIC01'),
  });
});

it('gives no ids when the turn of the import has run out', async () => {
  const createProfiles = jest.fn();
  const requireHeld = () => {
    throw new ReadModelUnavailableError('run out');
  };
  const services = {
    operational: { createProfiles },
    spaceId: 'default',
    turn: { requireHeld },
  } as unknown as Services;
  await expect(registerPersons([], [], services)).rejects.toThrow('run out');
  expect(createProfiles).not.toHaveBeenCalled();
});
