import type { Operation } from './operation.js'
import { listMembers, removeMember, setMemberRole } from './identity/member.js'
import {
  createOrganizationToken,
  deleteOrganizationToken,
  listOrganizationTokens,
  rotateOrganizationToken,
} from './identity/organization-token.js'
import {
  changeOrganizationTokenPolicy,
  showOrganizationTokenPolicy,
} from './identity/organization-token-policy.js'
import { cycleProjectKey, showProjectKey } from './identity/project-key.js'
import { changeProjectSettings, showProjectSettings } from './identity/project-settings.js'
import { listProjectMembers, removeProjectMember, setProjectMember } from './identity/project-member.js'
import { cycleUserKey, deleteUserKey, showUserKey } from './identity/user-key.js'
import { whoAmI } from './identity/user.js'
import { showAccessPointStatistics } from './location/access-point.js'
import { appendToImport, beginImport, commitImport, showImport } from './location/access-point-import.js'
import { resolveWifiLocation } from './location/wifi.js'
import { createOrganization, listOrganizations } from './management/organization.js'
import { createProject, listProjects, showProject } from './management/project.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** How a route differs from the usual. */
export interface RouteOptions {
  /** Status of success; 200 unless given. */
  readonly status?: 200 | 201
  /**
   * How the reply is wrapped: `data` puts it into `{ "data": … }`; `none` sends it as it is (lists bring their own
   * envelope, and the location service has none).
   */
  readonly envelope?: 'data' | 'none'
  /**
   * A route that devices use. An `Authorization` beside a project key is ignored there, since HTTP clients add one by
   * themselves from `.netrc`; and an unknown project key is 403, because devices throw their key away on 401.
   */
  readonly device?: boolean
  /** Largest body in bytes; 64 KiB unless given. */
  readonly bodyLimit?: number
}

/** One line of the HTTP surface. */
export interface Route<O extends Operation = Operation> {
  readonly method: Method
  /**
   * Path with parameters. `:organization` and `:project` are slugs, resolved to the input fields `organization_id` and
   * `project_id`; every other parameter fills the input field of its own name.
   */
  readonly path: string
  readonly operation: O
  readonly status: 200 | 201
  readonly envelope: 'data' | 'none'
  readonly device: boolean
  readonly bodyLimit: number
}

const KIB = 1024

function route<O extends Operation>(
  method: Method,
  path: string,
  operation: O,
  options: RouteOptions = {},
): Route<O> {
  return {
    method,
    path,
    operation,
    status: 200,
    envelope: 'data',
    device: false,
    bodyLimit: 64 * KIB,
    ...options,
  }
}

const ORGANIZATION = '/api/v0/organizations/:organization'
const PROJECT = `${ORGANIZATION}/projects/:project`
const LOCATION = '/v1/organizations/:organization'

/** The whole HTTP surface. Gateway, API reference, client and the authorization tests are derived from it. */
export const ROUTES = {
  whoAmI: route('GET', '/auth/me', whoAmI),
  showUserKey: route('GET', '/auth/api_key', showUserKey),
  cycleUserKey: route('POST', '/auth/api_key', cycleUserKey, { status: 201 }),
  deleteUserKey: route('DELETE', '/auth/api_key', deleteUserKey),

  listOrganizations: route('GET', '/api/v0/organizations', listOrganizations, { envelope: 'none' }),
  createOrganization: route('POST', '/api/v0/organizations', createOrganization, { status: 201 }),
  listOrganizationTokens: route('GET', `${ORGANIZATION}/auth_tokens`, listOrganizationTokens, {
    envelope: 'none',
  }),
  createOrganizationToken: route('POST', `${ORGANIZATION}/auth_tokens`, createOrganizationToken, {
    status: 201,
  }),
  deleteOrganizationToken: route(
    'DELETE',
    `${ORGANIZATION}/auth_tokens/:organization_token_id`,
    deleteOrganizationToken,
  ),
  rotateOrganizationToken: route(
    'POST',
    `${ORGANIZATION}/auth_tokens/:organization_token_id/rotate`,
    rotateOrganizationToken,
    { status: 201 },
  ),
  showOrganizationTokenPolicy: route('GET', `${ORGANIZATION}/auth_token_policy`, showOrganizationTokenPolicy),
  changeOrganizationTokenPolicy: route(
    'PUT',
    `${ORGANIZATION}/auth_token_policy`,
    changeOrganizationTokenPolicy,
  ),
  listMembers: route('GET', `${ORGANIZATION}/members`, listMembers, { envelope: 'none' }),
  setMemberRole: route('PUT', `${ORGANIZATION}/members/:user_id`, setMemberRole),
  removeMember: route('DELETE', `${ORGANIZATION}/members/:user_id`, removeMember),
  listProjects: route('GET', `${ORGANIZATION}/projects`, listProjects, { envelope: 'none' }),
  createProject: route('POST', `${ORGANIZATION}/projects`, createProject, { status: 201 }),
  showProject: route('GET', PROJECT, showProject),
  showProjectKey: route('GET', `${PROJECT}/api_key`, showProjectKey),
  cycleProjectKey: route('POST', `${PROJECT}/api_key`, cycleProjectKey),
  showProjectSettings: route('GET', `${PROJECT}/settings`, showProjectSettings),
  changeProjectSettings: route('PUT', `${PROJECT}/settings`, changeProjectSettings),
  listProjectMembers: route('GET', `${PROJECT}/members`, listProjectMembers, { envelope: 'none' }),
  setProjectMember: route('PUT', `${PROJECT}/members/:user_id`, setProjectMember),
  removeProjectMember: route('DELETE', `${PROJECT}/members/:user_id`, removeProjectMember),

  resolveWifiLocation: route('POST', `${LOCATION}/projects/:project/location/wifi`, resolveWifiLocation, {
    envelope: 'none',
    device: true,
  }),
  showAccessPointStatistics: route(
    'GET',
    `${LOCATION}/location/access_points/statistics`,
    showAccessPointStatistics,
  ),
  beginImport: route('POST', `${LOCATION}/location/access_points/imports`, beginImport, { status: 201 }),
  showImport: route('GET', `${LOCATION}/location/access_points/imports/:import_id`, showImport),
  appendToImport: route(
    'PUT',
    `${LOCATION}/location/access_points/imports/:import_id/batches/:batch`,
    appendToImport,
    { bodyLimit: 768 * KIB },
  ),
  commitImport: route('POST', `${LOCATION}/location/access_points/imports/:import_id/commit`, commitImport),
} as const

/** The name of a route. */
export type RouteName = keyof typeof ROUTES
