import { PERMISSION_SCOPE } from '@bearing/access/roles'
import { PERMISSIONS, type Permission, type PermissionScope } from '@bearing/contracts/permission'
import { ROUTES, type Route } from '@bearing/contracts/routes'
import { CALLER_NAMES, may } from './callers.js'
import { code, codes, GENERATED, table } from './markdown.js'

const SCOPES: Readonly<Record<Exclude<PermissionScope, 'system'>, string>> = {
  self: 'On the caller itself',
  organization: 'On an organization',
  project: 'On a project',
}

/** Returns the page of roles and permissions. */
export function permissionsPage(): string {
  return `# Roles and permissions

${GENERATED}

Every route needs one [permission](http-routes.md). What a user has follows from the role in the organization (\`admin\` or \`member\`) and in the project (\`manager\`, \`member\` or \`reader\`); what a program has, from its credential. An admin of an organization is a manager of all its projects.

- **Organization token**: at most the permissions of its column; it can be created with fewer. **Bound token**: an organization token that is bound to projects. It reaches only these.
- **Project key**: everyone with a device of the project has it. The routes of devices name no project, so they take nothing else, also where a user or a token has their permission \`device-data:send\` ([\`project_key_required\`](errors/project_key_required.md)). It has \`location:resolve\` and \`observation:contribute\` only if the project allows each of them (\`bearing projects settings set --key-may-locate yes --key-may-contribute yes\`).
- **Legacy token**: a location token from before organization tokens ([legacy tokens](legacy-tokens.md)).
- Rules of an organization come on top: [single sign-on](single-sign-on.md), a second factor, networks and expiry of tokens. A session of single sign-on has fewer permissions on the account itself.
- A resource that the caller may not know of is 404, one that it may know of and may not use is 403 [\`permission_denied\`](errors/permission_denied.md).

${Object.entries(SCOPES)
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
)}
`
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
