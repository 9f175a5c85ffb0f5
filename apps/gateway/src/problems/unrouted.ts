import { OperationError } from '@bearing/contracts/errors'
import { ROUTES, type Route } from '@bearing/contracts/routes'

const PATTERNS = (Object.values(ROUTES) as Route[]).map((route) => ({
  method: route.method,
  dialect: route.dialect,
  /** GET routes that redirect have effects, so they refuse HEAD. */
  hasHead: route.method === 'GET' && route.status !== 302,
  path: new RegExp(`^${route.path.replaceAll(/:[a-z_]+/g, '[^/]+')}/?$`),
}))

/**
 * Returns the error for a request that matches no route: its path is unknown, or its method.
 *
 * @returns for a wrong method also the allowed ones, and the dialect of the path's errors
 */
export function unrouted(
  method: string,
  url: string,
): { error: OperationError; allow?: string; dialect?: Route['dialect'] } {
  const path = (url.split('?')[0] ?? '').replaceAll(/\/{2,}/g, '/')
  const matching = PATTERNS.filter((pattern) => pattern.path.test(path))
  const [first] = matching
  if (!first)
    return {
      error: new OperationError('route_not_found', 'There is no such route. /docs/api lists all routes.'),
    }
  const allowed = matching.flatMap((known) => (known.hasHead ? ['GET', 'HEAD'] : [known.method]))
  const allow = [...new Set(allowed)].join(', ')
  return {
    error: new OperationError('method_not_allowed', `${method} is not allowed here; ${allow} is.`),
    allow,
    dialect: first.dialect,
  }
}
