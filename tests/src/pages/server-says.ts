import type { ErrorCode } from '@bearing/contracts/errors'
import type { Permission } from '@bearing/contracts/permission'
import { ROUTES, type Route, type RouteName } from '@bearing/contracts/routes'
import type { Matrix } from '../authorization/authorization-matrix.js'
import { send } from '../tools/http.js'
import type { Visitor } from './visitor.js'

/** Codes of replies to a caller that lacks the permission. Any other error was found after the caller was allowed. */
const REFUSALS: readonly ErrorCode[] = [
  'permission_denied',
  'organization_not_found',
  'project_not_found',
  'organization_deleted',
  'user_required',
  'sso_required',
  'second_factor_required',
]

/** Routes that stand for a permission, because the first one of it would do more than the walk wants. */
const STANDS_FOR: Partial<Record<Permission, RouteName>> = {
  'session:end': 'endSession',
  'user-key:delete': 'deleteUserKey',
}

/** Permissions whose only route cannot be undone: it is called only if the page says that it is refused. */
export const ONLY_IF_REFUSED: readonly Permission[] = ['organization:delete', 'user:delete-self']

/** Returns a route that needs a permission, one that only reads if there is one. */
function routeFor(permission: Permission): RouteName {
  const named = STANDS_FOR[permission]
  if (named) return named
  const names = Object.keys(ROUTES) as RouteName[] // its own keys
  const fitting = names.filter((name) => {
    const route: Route = ROUTES[name]
    return route.operation.permission === permission && !route.hasController && !route.device && !route.stream
  })
  const first = fitting.find((name) => ROUTES[name].method === 'GET') ?? fitting[0]
  if (first === undefined) throw new Error(`No route stands for ${permission}.`)
  return first
}

/** Returns whether the server allows the session of a visitor what a permission stands for: it asks a route, as a page does. */
export async function serverAllows(
  { context, gateway }: Visitor,
  matrix: Matrix,
  permission: Permission,
): Promise<boolean> {
  const cookies = await context.cookies()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const { json: session } = await send(gateway, 'GET', '/auth/session', { headers: { cookie } })
  const { csrf_token = '' } = (session?.data ?? {}) as { csrf_token?: string }
  const headers = { cookie, 'x-csrf-token': csrf_token, 'sec-fetch-site': 'same-origin', origin: gateway }
  const { status, json } = await matrix.askWith(routeFor(permission), { headers })
  const code = json?.code as ErrorCode | undefined
  if (status === 401 || status >= 500)
    throw new Error(`${routeFor(permission)}: ${String(status)} ${code ?? ''}`)
  return code === undefined || !REFUSALS.includes(code)
}
