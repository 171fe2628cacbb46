/** The rules for the fields of an account. */
import { isContestId, isName, nameRule } from '../domain/ids.js';
import type { FieldError } from '../domain/rejections.js';
import { type Account, ROLES } from '../foundation/operational/account.js';

const MAX_EMAIL_LENGTH = 254;
const MAX_NAME_LENGTH = 100;
const MAX_CONTESTS = 500;

/** Text, one @, text with a dot. Only a delivered message could tell whether the address exists. */
const EMAIL = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]+$/;

export const isEmail = (text: string): boolean => text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text);

export const accountErrors = ({
  email,
  name,
  role,
  contests,
}: Pick<Account, 'email' | 'name' | 'role' | 'contests'>): readonly FieldError[] => [
  ...wrong(!isEmail(email), 'email', 'must be an email address such as aoife@example.org'),
  ...wrong(!isName(name, MAX_NAME_LENGTH), 'name', nameRule(MAX_NAME_LENGTH)),
  ...wrong(!ROLES.includes(role), 'role', `must be one of ${ROLES.join(', ')}`),
  ...wrong(contests.length > MAX_CONTESTS, 'contests', `must be at most ${MAX_CONTESTS}`),
  ...contests.flatMap((contest, index) =>
    wrong(!isContestId(contest), `contests[${index}]`, 'must be the id of a contest'),
  ),
];

const wrong = (isWrong: boolean, field: string, what: string): readonly FieldError[] =>
  isWrong ? [{ field, rule: 'account', message: `${field} ${what}` }] : [];
