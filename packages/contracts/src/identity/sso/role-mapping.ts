import { z } from 'zod'
import { Id } from '../../primitives.js'
import { OrganizationRole, ProjectRole } from '../../principal.js'

const MappedProjects = z
  .array(z.object({ project_id: Id, role: ProjectRole }))
  .max(50)
  .default([])
  .describe('Roles in projects of the organization (default: none).')

/** Roles that values of a claim of the provider give. */
export const RoleMapping = z
  .object({
    claim: z
      .string()
      .min(1)
      .max(256)
      .describe(
        'Claim with the groups of a user: an array, or text with spaces in between. Parts of a claim that is an object follow "/": `realm_access/roles`.',
      ),
    rules: z
      .array(
        z.object({
          value: z.string().min(1).max(256).describe('One value of the claim, exactly.'),
          role: OrganizationRole.default('member'),
          projects: MappedProjects,
        }),
      )
      .max(100)
      .describe('A user gets the roles of every rule that matches; of two roles in one place the stronger.'),
    fallback: z
      .object({ projects: MappedProjects })
      .nullable()
      .default(null)
      .describe(
        'Roles in projects of a user without a rule, as a member. Null: such a user is no member (default: null).',
      ),
  })
  .meta({ id: 'RoleMapping' })
export type RoleMapping = z.output<typeof RoleMapping>
