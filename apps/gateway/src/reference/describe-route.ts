import {
  OPTIONAL_PROJECT_KEY_PERMISSIONS,
  ORGANIZATION_TOKEN_PERMISSIONS,
  PERMISSION_SCOPE,
  PROJECT_KEY_PERMISSIONS,
} from '@bearing/access/roles'
import { needsClaims } from '@bearing/contracts/operation'
import type { Route } from '@bearing/contracts/routes'

type Json = Record<string, unknown>

/** Returns the credentials whose kind can have the permission of the route, and that the route accepts. */
export function securityOf(route: Route): Json[] {
  const { permission } = route.operation
  if (!needsClaims(permission)) return []
  const keys = [{ projectKey: [] }, ...(route.dialect === 'geolocation' ? [{ projectKeyInQuery: [] }] : [])]
  // Without slugs, the project is that of the key or of a token that is bound to one.
  if (route.device && !route.path.includes('/:organization'))
    return route.legacyTokens ? [{ organizationToken: [] }, ...keys] : keys
  const isAnyones = permission === 'principal:read'
  return [
    ...(isAnyones || ORGANIZATION_TOKEN_PERMISSIONS.includes(permission) ? [{ organizationToken: [] }] : []),
    ...(PERMISSION_SCOPE[permission] === 'system' ? [] : [{ user: [] }]),
    ...(route.device || PERMISSION_SCOPE[permission] === 'system' ? [] : [{ session: [] }]),
    ...(isAnyones || KEY_PERMISSIONS.has(permission) ? keys : []),
  ]
}

const KEY_PERMISSIONS: ReadonlySet<string> = new Set([
  ...PROJECT_KEY_PERMISSIONS,
  ...OPTIONAL_PROJECT_KEY_PERMISSIONS,
])

/** Groups of routes. */
export const TAGS = {
  'The caller': 'The calling user: account, its API key, sessions and second factor.',
  Organizations: 'Organizations, their members, invitations, sign-in policy and webhooks.',
  'Organization auth tokens': 'Tokens of programs.',
  'Audit log': 'Changes, with their actors.',
  Projects: 'Projects, their members, keys and files.',
  Devices: 'Devices, what they send, and the data policy of a project.',
  Location: 'Positions from Wi-Fi scans and radio cells, and what they are learned from.',
} as const

/** Query of location requests. */
export const LOCATION_QUERY = [
  {
    name: 'hiConf',
    in: 'query',
    description: '`1` or `true`: the circle contains the true position in 95 % of cases.',
    schema: { type: 'string' },
  },
  {
    name: 'doReply',
    in: 'query',
    description: '`0` or `false`: the answer is 204.',
    schema: { type: 'string' },
  },
]

/** Header of changes of what a `GET` reads. */
export const IF_MATCH = [
  {
    name: 'If-Match',
    in: 'header',
    description:
      '`ETag` of the last `GET`: the request is 412 `precondition_failed` if the resource has changed since. `If-None-Match` and `If-Unmodified-Since` are evaluated too.',
    schema: { type: 'string' },
  },
]

/** Header of routes with `idempotencyKey`. */
export const IDEMPOTENCY_KEY = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'As the field `idempotency_key`, which it replaces.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
]

/** Returns the group of a route. */
export function tagOf(route: Route): keyof typeof TAGS {
  if (route.path.includes('/location/') || route.dialect === 'geolocation') return 'Location'
  if (route.path.startsWith('/auth/')) return 'The caller'
  if (route.path.includes('/auth_tokens')) return 'Organization auth tokens'
  if (route.path.includes('/audit_log')) return 'Audit log'
  if (/\/(?:chunks|devices|data_policy|device-config|releases|uploads?)(?:\/|$)/.test(route.path))
    return 'Devices'
  if (route.path.includes('/projects')) return 'Projects'
  return 'Organizations'
}
