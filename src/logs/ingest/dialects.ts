/** The bodies that other services define, as log entries before the rules for entries. */
import { cloudflareEntries } from './cloudflare-entries.js';
import type { EntryScope } from './entry-rules.js';
import type { DialectForm, GivenEntry } from './log-body.js';
import { logplexEntries } from './logplex-entries.js';
import { lokiEntries } from './loki/loki-entries.js';
import { otlpEntries } from './otlp/otlp-entries.js';

/** Throws RejectedError `invalid-request` for a body that is not of the form. */
export const dialectEntries = (
  bytes: Uint8Array,
  form: DialectForm,
  scope: EntryScope,
): readonly GivenEntry[] => {
  switch (form.dialect) {
    case 'otlp':
      return otlpEntries(bytes, form, scope);
    case 'loki':
      return lokiEntries(bytes, form.encoding, scope);
    case 'logplex':
      return logplexEntries(bytes, form);
    case 'cloudflare':
      return cloudflareEntries(bytes);
    default:
      return form satisfies never;
  }
};

/** Whether the reply can tell of entries that broke a rule, so that the others are written. */
export const canLeaveOut = ({ dialect }: DialectForm): boolean => dialect === 'otlp' || dialect === 'loki';
