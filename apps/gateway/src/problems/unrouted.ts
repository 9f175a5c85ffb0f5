import { OperationError } from '@bearing/contracts/errors'
import { ROUTES, type Route } from '@bearing/contracts/routes'

const PATTERNS = (Object.values(ROUTES) as Route[]).map((route) => ({
  method: route.method,
  dialect: route.dialect,
  /** GET routes that redirect have effects, so HEAD is refused there. */
  hasHead: route.method === 'GET' && route.status !== 302,
  path: new RegExp(`^${route.path.replaceAll(/:[a-z_]+/g, '[^/]+')}/?$`),
}))

/**
 * Why there is no route: nothing at this address, or nothing with this method.
 *
 * @returns the error, and for a wrong method the ones that are allowed, and how errors look there
 */
export function unrouted(
  method: string,
  url: string,
): { error: OperationError; allow?: string; dialect?: Route['dialect'] } {
  const path = (url.split('?')[0] ?? '').replaceAll(/\/{2,}/g, '/')
  const there = PATTERNS.filter((pattern) => pattern.path.test(path))
  const [first] = there
  if (!first)
    return {
      error: new OperationError(
        'route_not_found',
        'There is nothing at this address. /docs lists what there is.',
      ),
    }
  const allowed = there.flatMap((known) => (known.hasHead ? ['GET', 'HEAD'] : [known.method]))
  const allow = [...new Set(allowed)].join(', ')
  return {
    error: new OperationError('method_not_allowed', `${method} is not allowed here; ${allow} is.`),
    allow,
    dialect: first.dialect,
  }
}
