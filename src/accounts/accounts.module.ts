/** Accounts, sessions and who may do what. */
import { Module } from '@nestjs/common';
import { AccessControl } from './access-control.js';
import { Accounts } from './accounts.js';
import { PasswordStrength } from './password-strength.js';
import { Passwords } from './passwords.js';
import { Sessions } from './sessions.js';
import { SignIn } from './sign-in.js';
import { SignInLimits } from './sign-in-limits.js';

const providers = [Accounts, Passwords, PasswordStrength, Sessions, SignIn, SignInLimits, AccessControl];

@Module({ providers, exports: providers })
export class AccountsModule {}
