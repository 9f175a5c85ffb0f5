import {
  ORGANIZATION_ROLES,
  PROJECT_ROLES,
  type OrganizationRole,
  type ProjectRole,
} from '../../principal.js'
import type { RoleMapping } from './role-mapping.js'

interface Given {
  readonly role: OrganizationRole
  readonly projects: { readonly project: string; readonly role: ProjectRole }[]
}

/** A rule of a role mapping as people write it: `firmware = member, thermostats:manager`. */
export interface RuleText extends Given {
  readonly value: string
}

/** Parses a rule. The value may contain "=" and ",", as in `cn=admins,dc=acme = admin`. @returns undefined for other texts */
export function parseRule(text: string): RuleText | undefined {
  const at = text.lastIndexOf('=')
  const value = text.slice(0, Math.max(at, 0)).trim()
  const given = parseRoles(text.slice(at + 1))
  return value === '' || !given ? undefined : { value, ...given }
}

/** Parses roles: `admin`, `member`, or `member, thermostats:manager, meters:reader`. @returns undefined for other texts */
export function parseRoles(text: string): Given | undefined {
  const [first = '', ...rest] = text.split(',').map((part) => part.trim())
  const role = ORGANIZATION_ROLES.find((known) => known === first)
  const projects = rest.map((part) => {
    const [project = '', name, ...more] = part.split(':')
    const role = PROJECT_ROLES.find((known) => known === name)
    return role && project !== '' && more.length === 0 ? { project, role } : undefined
  })
  const known = projects.filter((project) => project !== undefined)
  return role && known.length === projects.length ? { role, projects: known } : undefined
}

/** Writes the roles of a rule. @param slugOf the slug of a project, or its id if it is gone */
export function rolesText(
  role: OrganizationRole,
  projects: RoleMapping['rules'][number]['projects'],
  slugOf: (projectId: string) => string,
): string {
  return [role, ...projects.map(({ project_id, role }) => `${slugOf(project_id)}:${role}`)].join(', ')
}
