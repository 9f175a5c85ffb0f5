import { refusal } from '@bearing/access/authorize'
import {
  BOUND_TOKEN_PERMISSIONS,
  LEGACY_TOKEN_PERMISSIONS,
  OPTIONAL_PROJECT_KEY_PERMISSIONS,
  ORGANIZATION_TOKEN_PERMISSIONS,
  PROJECT_KEY_PERMISSIONS,
} from '@bearing/access/roles'
import type { Permission } from '@bearing/contracts/permission'
import type { OrganizationTokenPrincipal, Principal, ProjectRole } from '@bearing/contracts/principal'

const ORGANIZATION = '00000000-0000-7000-8000-000000000001'
const PROJECT = '00000000-0000-7000-8000-000000000002'
const CREDENTIAL = '00000000-0000-7000-8000-000000000003'

function user(role: 'admin' | 'member', inProject?: ProjectRole): Principal {
  const projects = inProject === undefined ? [] : [{ project_id: PROJECT, role: inProject }]
  return {
    kind: 'user',
    user_id: CREDENTIAL,
    email: 'ada@example.com',
    credential_id: CREDENTIAL,
    proof: 'api_key',
    grants: [{ organization_id: ORGANIZATION, role, projects, sso_required: false }],
  }
}

function token(permissions: readonly Permission[]): OrganizationTokenPrincipal {
  return {
    kind: 'organization_token',
    credential_id: CREDENTIAL,
    organization_id: ORGANIZATION,
    description: '',
    permissions: [...permissions],
    expires_at: null,
  }
}

const BINDING = { project_ids: [PROJECT], permissions: [...BOUND_TOKEN_PERMISSIONS] }
const PROJECT_KEY = {
  kind: 'project_key',
  credential_id: CREDENTIAL,
  organization_id: ORGANIZATION,
  project_id: PROJECT,
} as const

/** The callers that the pages distinguish, each with all permissions that it can have in one organization and one of its projects. */
const CALLERS = {
  admin: user('admin'),
  member: user('member'),
  'project manager': user('member', 'manager'),
  'project member': user('member', 'member'),
  'project reader': user('member', 'reader'),
  'organization token': token(ORGANIZATION_TOKEN_PERMISSIONS),
  'bound token': { ...token([]), project_binding: BINDING },
  'legacy token': token(LEGACY_TOKEN_PERMISSIONS),
  'project key': {
    ...PROJECT_KEY,
    permissions: [...PROJECT_KEY_PERMISSIONS, ...OPTIONAL_PROJECT_KEY_PERMISSIONS],
  },
} as const satisfies Readonly<Record<string, Principal>>

export type Caller = keyof typeof CALLERS
export const CALLER_NAMES = Object.keys(CALLERS) as Caller[] // its keys

/** Returns true if a caller can have a permission, by the rules that every gateway applies. */
export function may(caller: Caller, permission: Permission): boolean {
  return (
    refusal(CALLERS[caller], permission, { organization_id: ORGANIZATION, project_id: PROJECT }) === undefined
  )
}
