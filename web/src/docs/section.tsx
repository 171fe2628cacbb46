/** The sections of the docs page, by the ids that links to them use. */
import type { ReactNode } from 'react';
import type { DocsPage } from '../../../src/pages/page-models.js';

export const SECTIONS = {
  reading: 'Reading results',
  entering: 'Entering results',
  logs: 'Querying logs',
  problems: 'Problems',
} as const;

export interface DocsSectionProps {
  readonly model: DocsPage;
}

export const Section = ({
  id,
  children,
}: {
  readonly id: keyof typeof SECTIONS;
  readonly children: ReactNode;
}) => (
  <section id={id} aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}>{SECTIONS[id]}</h2>
    {children}
  </section>
);
