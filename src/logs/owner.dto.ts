/** What alerts and drains have in common as JSON. */
import { ApiProperty } from '@nestjs/swagger';
import type { OwnerView } from './owner.js';

export const revisionText = (noun: 'alert' | 'drain'): string =>
  `Of its settings. In a change, that of the settings that the client has seen: with others there, 409 ${noun}-changed. Without it, any`;

export class OwnerDto implements OwnerView {
  @ApiProperty({ enum: ['operator', 'account', 'token'], description: 'operator: the command line' })
  kind: OwnerView['kind'];

  @ApiProperty({ type: String, nullable: true })
  id: string | null;
}
