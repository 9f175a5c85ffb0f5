import type { Permission } from '../../permission.js'

/** Permissions of readers of a project. */
export const READER_PERMISSIONS: readonly Permission[] = [
  'project:read',
  'project-key:read',
  'project-settings:read',
  'device:read',
  'data-policy:read',
  'file:read',
]

/** Permissions of members of a project. */
export const MEMBER_PERMISSIONS: readonly Permission[] = [
  ...READER_PERMISSIONS,
  'location:resolve',
  'observation:contribute',
  'device-data:send',
  // Data of devices can be confidential.
  'device-data:read',
  'file:download',
  'file:upload',
  'symbols:upload',
]

/** Permissions of managers of a project. */
export const MANAGER_PERMISSIONS: readonly Permission[] = [
  ...MEMBER_PERMISSIONS,
  'project-key:cycle',
  'project-settings:change',
  'device:register',
  'device:change',
  'device:delete',
  'device-key:manage',
  'data-policy:change',
  // URLs often contain a secret, so only those who may change a webhook see it.
  'webhook:read',
  'webhook:manage',
]

/** The permission to see the members of a project, which all of its roles have. */
export const SEE_PEOPLE: Permission = 'project-member:read'

/** Permissions of a project manager on members of the project, which tokens have too. */
export const MANAGE_PEOPLE: readonly Permission[] = [SEE_PEOPLE, 'project-member:manage']
