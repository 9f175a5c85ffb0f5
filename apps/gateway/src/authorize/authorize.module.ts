import { Metrics } from '@bearing/service/observe/metrics'
import { Module } from '@nestjs/common'
import { AuthenticateModule } from '../authenticate/authenticate.module.js'
import { AdmitRequests } from './admit-requests.js'
import { Authorization } from './authorization.js'
import { RequestUsage } from './request-usage.js'
import { ScopeResolver } from './scope-resolver.js'

/**
 * Decides before the body is read whether the caller may use a route: resolves the slugs of the path to ids (cached), checks
 * the permission of the route's operation with `@bearing/access`, fetches the claims for the service, and counts the
 * request of the organization. Must not reveal whether a slug of another organization exists. May import `authenticate` and
 * lower wings.
 */
@Module({
  imports: [AuthenticateModule],
  providers: [AdmitRequests, Authorization, ScopeResolver, RequestUsage],
  exports: [AdmitRequests, Authorization, ScopeResolver],
})
export class AuthorizeModule {
  constructor(scopes: ScopeResolver, metrics: Metrics) {
    metrics.cache('scopes', () => scopes.figures)
  }
}
