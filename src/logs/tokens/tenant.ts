/** The tenant of a token, which has a share of what all use: its project, or the token itself. */
import { RejectedError } from '../../domain/rejections.js';
import type { TokenHolder } from './token.queries.js';

export const tenantOf = ({ project, tokenId }: TokenHolder): string =>
  project === null ? `token ${tokenId}` : projectTenant(project);

export const projectTenant = (project: string): string => `project ${project}`;

/** The project that a holder asks for; null: all. Throws RejectedError `token-project` when its token is tied to another. */
export const projectFor = (
  { project: tiedTo }: Pick<TokenHolder, 'project'>,
  asked: string | null,
): string | null => {
  if (tiedTo === null || asked === null || asked === tiedTo) return tiedTo ?? asked;
  const detail = `the access token is for the project ${tiedTo}, not for ${asked}`;
  throw new RejectedError({ code: 'token-project', detail });
};
