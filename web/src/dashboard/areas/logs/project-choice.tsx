/** The projects with entries: as proposals before the first query, and as a list below the field of the project. */
import { useQuery } from '@tanstack/react-query';
import { Field } from '../../parts/field.js';
import type { LogQuery } from './log-query.js';
import { Proposals } from './proposals.js';
import { entriesText, projectProposals } from './reasons.js';
import { listProjects } from './requests.js';

const REFRESH_MS = 60_000;

const useProjects = () =>
  useQuery({ queryKey: ['logs', 'projects'], queryFn: listProjects, staleTime: REFRESH_MS }).data;

export const ProjectChoice = ({
  draft,
  onAsk,
}: {
  readonly draft: LogQuery;
  readonly onAsk: (query: LogQuery) => void;
}) => {
  const projects = useProjects();
  if (!projects || projects.length === 0) return null;
  return (
    <Proposals
      text="The projects with the newest entries:"
      proposals={projectProposals(draft, projects)}
      onAsk={onAsk}
    />
  );
};

export const ProjectField = ({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) => {
  const projects = useProjects() ?? [];
  return (
    <Field
      name="project"
      label="@project"
      value={value}
      placeholder="choose or type"
      choices={projects.map(({ project, entries }) => ({ value: project, name: entriesText(entries) }))}
      onChange={onChange}
    />
  );
};
