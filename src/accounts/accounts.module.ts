/** Accounts, sessions and who may do what. */
import { Module } from '@nestjs/common';
import { AccessControl } from './access-control.js';
import { Accounts } from './accounts.js';
import { Audit } from './audit.js';
import { BrowserSessions } from './browser-sessions.js';
import { AccountFactors } from './factors/account-factors.js';
import { AuthenticatorSetup } from './factors/authenticator-setup.js';
import { Challenges } from './factors/challenges.js';
import { Passkeys } from './factors/passkeys.js';
import { PasswordStrength } from './password-strength.js';
import { Passwords } from './passwords.js';
import { Sessions } from './sessions.js';
import { SignIn } from './sign-in.js';
import { SignInLimits } from './sign-in-limits.js';

const providers = [
  ...[Audit, Accounts, Passwords, PasswordStrength, Sessions, BrowserSessions, SignIn, SignInLimits],
  ...[AccessControl, AccountFactors, Challenges, Passkeys, AuthenticatorSetup],
];

@Module({ providers, exports: providers })
export class AccountsModule {}
