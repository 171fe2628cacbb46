/** A reason why a query finds nothing, with buttons that run other queries. */
import { Link } from 'wouter';
import { Button } from '../../parts/button.js';
import type { LogQuery } from './log-query.js';
import type { Reason } from './reasons.js';

export const Proposals = ({
  text,
  proposals,
  link,
  onAsk,
}: Reason & { readonly onAsk: (query: LogQuery) => void }) => (
  <div className="proposals">
    <p>{text}</p>
    {proposals.map(({ label, query }) => (
      <Button key={label} onPress={() => onAsk(query)}>
        {label}
      </Button>
    ))}
    {link && <Link href={link.path}>{link.label}</Link>}
  </div>
);
