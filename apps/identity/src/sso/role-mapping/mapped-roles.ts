import { OperationError } from '@bearing/contracts/errors'
import type { RoleMapping } from '@bearing/contracts/identity/sso/role-mapping'
import {
  ORGANIZATION_ROLES,
  PROJECT_ROLES,
  type OrganizationRole,
  type ProjectRole,
} from '@bearing/contracts/principal'
import { namesOf, valueAt } from '../../ground/rules/value-at.js'

type Claims = Readonly<Record<string, unknown>>

/** The roles that a role mapping gives a user in an organization. */
export interface MappedRoles {
  readonly role: OrganizationRole
  /** By the id of the project. */
  readonly projects: ReadonlyMap<string, ProjectRole>
}

/** Returns the roles of a user by their groups. @returns undefined if the user is to be no member */
export function mappedRoles(mapping: RoleMapping, groups: ReadonlySet<string>): MappedRoles | undefined {
  const rules = mapping.rules.filter(({ value }) => groups.has(value))
  const given =
    rules.length > 0 ? rules : mapping.fallback ? [{ role: 'member' as const, ...mapping.fallback }] : []
  if (given.length === 0) return undefined
  const projects = new Map<string, ProjectRole>()
  for (const { project_id, role } of given.flatMap((rule) => rule.projects))
    if (isStrongerInProject(role, projects.get(project_id))) projects.set(project_id, role)
  return { role: given.some(({ role }) => role === 'admin') ? 'admin' : 'member', projects }
}

/** Returns the name of the claim at the top, which a provider may send from its userinfo endpoint alone. */
export function claimName({ claim }: RoleMapping): string {
  return claim.includes('://') ? claim : (namesOf(claim)[0] ?? claim)
}

/**
 * Returns the values of the claim of a role mapping.
 *
 * @throws OperationError `sso_failed` if the provider left the claim out because it is too long: the user would lose every role
 */
export function groupsIn(mapping: RoleMapping, claims: Claims): ReadonlySet<string> {
  const name = claimName(mapping)
  const { _claim_names: elsewhere } = claims
  if (typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, name))
    throw new OperationError(
      'sso_failed',
      'You are in too many groups: the identity provider left them out of the sign-in (claim "_claim_names"). An admin can let it send only the groups that are assigned to the application.',
    )
  const value = name === mapping.claim ? claims[name] : valueAt(claims, mapping.claim)
  if (typeof value === 'string') return new Set(value.split(/\s+/))
  return new Set(Array.isArray(value) ? value.filter((group) => typeof group === 'string') : [])
}

/** Roles are listed with the strongest first. */
export function isStronger(role: OrganizationRole, than: OrganizationRole): boolean {
  return ORGANIZATION_ROLES.indexOf(role) < ORGANIZATION_ROLES.indexOf(than)
}

export function isStrongerInProject(role: ProjectRole, than: ProjectRole | undefined): boolean {
  return than === undefined || PROJECT_ROLES.indexOf(role) < PROJECT_ROLES.indexOf(than)
}
