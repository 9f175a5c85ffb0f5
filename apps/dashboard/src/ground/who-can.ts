import {
  ORGANIZATION_ROLE_PERMISSIONS,
  PERMISSION_SCOPE,
  PROJECT_ROLE_PERMISSIONS,
} from '@bearing/access/roles'
import type { Permission } from '@bearing/contracts/permission'

/** Returns the people who have a permission, as the end of a sentence: "admins of the organization". */
export function whoCan(permission: Permission): string {
  const scope = PERMISSION_SCOPE[permission]
  if (scope === 'self') return 'you, signed in with the password of your account'
  if (scope === 'system') return 'operators of this installation'
  if (scope === 'organization')
    return ORGANIZATION_ROLE_PERMISSIONS.member.has(permission)
      ? 'members of the organization'
      : 'admins of the organization'
  if (PROJECT_ROLE_PERMISSIONS.reader.has(permission)) return 'everyone in the project'
  return PROJECT_ROLE_PERMISSIONS.member.has(permission)
    ? 'members of the project'
    : 'managers of the project, and admins of the organization'
}
