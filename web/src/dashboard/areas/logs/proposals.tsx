/** A reason why a query finds nothing, with buttons that run other queries. */
import { Button } from '../../parts/button.js';
import type { LogQuery } from './log-query.js';
import type { Reason } from './reasons.js';

export const Proposals = ({
  text,
  proposals,
  onAsk,
}: Reason & { readonly onAsk: (query: LogQuery) => void }) => (
  <div className="proposals">
    <p>{text}</p>
    {proposals.map(({ label, query }) => (
      <Button key={label} onPress={() => onAsk(query)}>
        {label}
      </Button>
    ))}
  </div>
);
