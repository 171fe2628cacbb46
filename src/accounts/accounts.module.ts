/** Accounts, sessions and who may do what. */
import { Module } from '@nestjs/common';
import { Accounts } from './accounts.js';
import { Passwords } from './passwords.js';
import { Sessions } from './sessions.js';
import { SignIn } from './sign-in.js';
import { SignInLimits } from './sign-in-limits.js';
import { SignedIn } from './signed-in.js';

const providers = [Accounts, Passwords, Sessions, SignIn, SignInLimits, SignedIn];

@Module({ providers, exports: providers })
export class AccountsModule {}
