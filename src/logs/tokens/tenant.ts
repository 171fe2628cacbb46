/** The tenant of a token, which has a share of what all use: its project, or the token itself. */
import type { TokenHolder } from './token.queries.js';

export const tenantOf = ({ project, tokenId }: TokenHolder): string =>
  project === null ? `token ${tokenId}` : projectTenant(project);

export const projectTenant = (project: string): string => `project ${project}`;
