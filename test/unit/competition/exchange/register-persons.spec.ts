/** The registration of the persons of a file, when another process has registered one of them since the plan was made. */
import { expect, it } from '@jest/globals';
import { registerPersons } from '../../../../src/competition/exchange/importing/register-persons.js';
import { AssocIdTakenError } from '../../../../src/foundation/operational/operational-store.js';

type Services = Parameters<typeof registerPersons>[2];

it('asks for a new preview when an association id was taken meanwhile', async () => {
  const operational = { createProfiles: () => Promise.reject(new AssocIdTakenError('2024TWIC01', 7)) };
  const turn = { require: () => undefined };
  const services = { operational, spaceId: 'default', turn } as unknown as Services;
  await expect(registerPersons([], [], services)).rejects.toMatchObject({
    rejection: { code: 'import-changed' },
    message: expect.stringContaining('2024TWIC01'),
  });
});
