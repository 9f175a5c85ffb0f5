import { OperationError } from '@bearing/contracts/errors'
import { ROUTES, type Route } from '@bearing/contracts/routes'

const PATTERNS = (Object.values(ROUTES) as Route[]).map((route) => ({
  method: route.method,
  path: new RegExp(`^${route.path.replaceAll(/:[a-z_]+/g, '[^/]+')}/?$`),
}))

/**
 * Why there is no route: nothing at this address, or nothing with this method.
 *
 * @returns the error, and for a wrong method the ones that are allowed
 */
export function unrouted(method: string, url: string): { error: OperationError; allow?: string } {
  const path = (url.split('?')[0] ?? '').replaceAll(/\/{2,}/g, '/')
  const allowed = PATTERNS.filter((pattern) => pattern.path.test(path)).map((pattern) => pattern.method)
  if (allowed.length === 0)
    return {
      error: new OperationError(
        'route_not_found',
        'There is nothing at this address. /docs lists what there is.',
      ),
    }
  const allow = [...new Set(allowed.flatMap((known) => (known === 'GET' ? ['GET', 'HEAD'] : [known])))].join(
    ', ',
  )
  return {
    error: new OperationError('method_not_allowed', `${method} is not allowed here; ${allow} is.`),
    allow,
  }
}
