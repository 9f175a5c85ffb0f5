import { PERMISSION_SCOPE } from '@bearing/access/roles'
import { PERMISSIONS, type Permission, type PermissionScope } from '@bearing/contracts/permission'
import { ROUTES, type Route } from '@bearing/contracts/routes'
import { CALLER_NAMES, may } from './callers.js'
import { code, codes, table } from './markdown.js'

const SCOPES: Readonly<Record<Exclude<PermissionScope, 'system'>, string>> = {
  self: 'On the caller itself',
  organization: 'On an organization',
  project: 'On a project',
}

/** Returns the permissions, with those who have them and the operations that need them. */
export function permissionsList(): string {
  return `${Object.entries(SCOPES)
    .map(([scope, title]) => `## ${title}\n\n${matrix(permissionsOn(scope as PermissionScope))}`)
    .join('\n\n')}

## Of operators and services

No user, token or device has these. They are used over NATS (\`bearing admin\`), by those whose NATS user may call the operation ([NATS operations](nats-operations.md)).

${codes(permissionsOn('system'))}

## Operations of each permission

${table(
  ['permission', 'operations'],
  PERMISSIONS.map((permission) => [code(permission), codes(routesWith(permission))]).filter(
    ([, routes]) => routes !== '',
  ),
)}`
}

function permissionsOn(scope: PermissionScope): Permission[] {
  return PERMISSIONS.filter((permission) => PERMISSION_SCOPE[permission] === scope)
}

function matrix(permissions: readonly Permission[]): string {
  return table(
    ['permission', ...CALLER_NAMES],
    permissions.map((permission) => [
      code(permission),
      ...CALLER_NAMES.map((caller) => (may(caller, permission) ? '✓' : '')),
    ]),
  )
}

function routesWith(permission: Permission): string[] {
  return Object.entries(ROUTES as Readonly<Record<string, Route>>)
    .filter(([, { operation }]) => operation.permission === permission)
    .map(([name]) => name)
}
