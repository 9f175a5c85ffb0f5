import { OPTIONAL_PROJECT_KEY_PERMISSIONS, PERMISSION_SCOPE } from '@bearing/access/roles'
import { needsClaims } from '@bearing/contracts/operation'
import type { Permission } from '@bearing/contracts/permission'
import { pathTemplate } from '@bearing/contracts/route'
import { ROUTES, type Route } from '@bearing/contracts/routes'
import { importOf } from './app.js'
import { may, type Caller } from './callers.js'
import { code, GENERATED, table } from './markdown.js'

/** What the gateway describes routes with in its OpenAPI document. */
interface Description {
  readonly TAGS: Readonly<Record<string, string>>
  readonly tagOf: (route: Route) => string
  /** The credentials that a route accepts, each as an object with one key. */
  readonly securityOf: (route: Route) => readonly object[]
}

/** Users, from the role with the most permissions to the one with the fewest. */
const USERS: readonly Caller[] = ['admin', 'project manager', 'project member', 'project reader', 'member']
/** Programs, and the credential of OpenAPI that they present. */
const PROGRAMS: readonly (readonly [Caller, string])[] = [
  ['organization token', 'organizationToken'],
  ['bound token', 'organizationToken'],
  ['project key', 'projectKey'],
]

/** Returns the page of all HTTP routes. */
export async function routesPage(): Promise<string> {
  const description = (await importOf('gateway', 'reference/describe-route')) as Description // as it exports them
  const routes = Object.entries(ROUTES as Readonly<Record<string, Route>>)
  const groups = Object.entries(description.TAGS).map(([tag, about]) => {
    const rows = routes
      .filter(([, route]) => description.tagOf(route) === tag)
      .map(([name, route]) => rowOf(name, route, description))
    return `## ${tag}\n\n${about}\n\n${table(['route', 'operation', 'permission', 'users', 'programs'], rows)}`
  })
  return `# HTTP routes

${GENERATED}

Every route, its permission, and who may call it. Requests, responses and errors of each are in the API reference at \`/docs/api\` of your gateway, under the name of the operation.

- **users**: the lowest role that is enough, in the project or in the organization. An admin of the organization may call all of these. [Roles and permissions](permissions.md).
- **programs**: the credentials that can have the permission. A token may have been created without it, and a project key has some permissions only if its project allows them.
- A \`public\` route needs no credential.

${groups.join('\n\n')}
`
}

function rowOf(name: string, route: Route, { securityOf }: Description): string[] {
  const { permission, summary } = route.operation
  const row = [code(`${route.method} ${pathTemplate(route).template}`), `${code(name)}: ${summary}`]
  if (!needsClaims(permission)) return [...row, permission, 'everyone', 'everyone']
  const accepted = new Set(securityOf(route).flatMap((credential) => Object.keys(credential)))
  const programs = PROGRAMS.filter(([caller, kind]) => accepted.has(kind) && may(caller, permission)).map(
    ([caller]) => (caller === 'project key' && isOptional(permission) ? `${caller} (if allowed)` : caller),
  )
  return [
    ...row,
    code(permission),
    accepted.has('user') || accepted.has('session') ? usersOf(permission) : '',
    [...programs, ...(route.legacyTokens ? ['legacy token'] : [])].join(', '),
  ]
}

function isOptional(permission: Permission): boolean {
  return OPTIONAL_PROJECT_KEY_PERMISSIONS.some((optional) => optional === permission)
}

function usersOf(permission: Permission): string {
  if (PERMISSION_SCOPE[permission] === 'self') return 'every user'
  return USERS.findLast((caller) => may(caller, permission)) ?? ''
}
