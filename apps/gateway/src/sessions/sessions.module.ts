import { Module } from '@nestjs/common'
import { AuthenticateModule } from '../authenticate/authenticate.module.js'
import { ForwardModule } from '../forward/forward.module.js'
import { SwitchGuard } from './switch-guard.js'
import { ExchangeLoginRoute } from './exchange-login-route.js'
import { ExchangeTokenRoute } from './exchange-token-route.js'
import { RequestLoginRoute } from './login-route.js'
import { ScimRoutes } from './scim-routes.js'
import { ShowSessionRoute, SignOutRoute, StartSessionRoute } from './session-routes.js'
import {
  BeginLinkRoute,
  BeginSignOnRoute,
  CompleteSignOnRoute,
  FindSignOnRoute,
  LogOutAtProviderRoute,
} from './sign-on-routes.js'

/**
 * Routes of browsers: signing in and out with a session cookie, single sign-on with its redirects, logins of command lines, and the token exchange of workloads with its metadata. Identity decides; these
 * routes translate between its output and cookies. Must check the origin of every request that starts or changes a
 * session. May import `forward` and lower wings.
 */
@Module({
  imports: [AuthenticateModule, ForwardModule],
  controllers: [
    StartSessionRoute,
    ShowSessionRoute,
    SignOutRoute,
    RequestLoginRoute,
    ExchangeLoginRoute,
    ExchangeTokenRoute,
    FindSignOnRoute,
    BeginSignOnRoute,
    BeginLinkRoute,
    CompleteSignOnRoute,
    LogOutAtProviderRoute,
    ScimRoutes,
  ],
  providers: [SwitchGuard],
})
export class SessionsModule {}
