/**
 * The entry to the dashboard: its shell with a session, the sign-in without one, and afterwards back to the
 * requested page. The API decides what an account may do; this only redirects.
 */
import { randomBytes } from 'node:crypto';
import { Controller, Get, NotFoundException, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessControl } from '../accounts/access-control.js';
import type { SignedInAccount } from '../foundation/operational/account.js';
import { dashboardShell } from './dashboard-shell.js';
import { dashboardHeaders } from './page-headers.js';
import { PageProblemFilter } from './page-problem.filter.js';
import { readPageAssets } from './web-build.js';

const DASHBOARD = '/dashboard';
/** The only area for an account that must first change its password or add a second factor. */
const OWN_ACCOUNT = `${DASHBOARD}/account`;

@ApiExcludeController()
@Controller()
@UseFilters(PageProblemFilter)
export class DashboardController {
  private readonly assets = readPageAssets('dashboard');

  constructor(private readonly signedIn: AccessControl) {}

  @Get('sign-in')
  async signIn(
    @Query('to') to: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const account = await this.signedIn.orNull(request);
    if (account) reply.header('Cache-Control', 'no-store').redirect(wayBack(to), 303);
    else this.shell(null, reply);
  }

  @Get(['dashboard', 'dashboard/*'])
  async dashboard(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const stored = await this.signedIn.orNull(request);
    const account = stored && this.signedIn.shown(stored);
    const [path = ''] = request.url.split('?');
    if (!account) {
      const query = new URLSearchParams({ to: request.url });
      reply.header('Cache-Control', 'no-store').redirect(`/sign-in?${query}`, 303);
    } else if ((account.passwordIsOneTime || account.needsSecondFactor) && path !== OWN_ACCOUNT) {
      reply.header('Cache-Control', 'no-store').redirect(OWN_ACCOUNT, 303);
    } else this.shell(account, reply);
  }

  private shell(account: SignedInAccount | null, reply: FastifyReply): void {
    if (this.assets === null) throw new NotFoundException('The pages are not built.');
    const nonce = randomBytes(16).toString('base64');
    reply
      .headers(Object.fromEntries(dashboardHeaders(nonce)))
      .send(dashboardShell(account, { assets: this.assets, nonce }));
  }
}

/** Allows paths of the dashboard only, as a header can have them: no redirect to another site, and none that cannot be sent. */
const wayBack = (to: unknown): string =>
  typeof to === 'string' && /^\/dashboard(?:[/?][!-[\]-~]*)?$/.test(to) ? to : DASHBOARD;
