import { operation } from '../../operation.js'
import { Nothing, Slug } from '../../primitives.js'
import { PartnerTeam } from '../../identity/sso/partner.js'
import { z } from 'zod'
import { Organization } from './organization.js'

export const createPartnerOrganization = operation({
  subject: 'management.v1.partner-organization.create',
  summary: "Create the organization of the partner's team",
  description:
    'It takes the name of the team and contains a project called `default`; the caller becomes its admin. If the team has an organization already, that one is returned: the call is idempotent.',
  input: Nothing,
  output: Organization,
  errors: ['partner_team_not_found', 'too_many_organizations'],
  permission: 'partner-team:choose',
  timeoutMs: 10_000,
})

export const requestPartnerLink = operation({
  subject: 'management.v1.partner-link.request',
  summary: "Ask to link the partner's team with an organization that there is",
  description:
    'An admin of the organization has to confirm it; until then nobody gets in through it. A later request takes the place of this one.',
  input: z.object({ organization: Slug }),
  output: PartnerTeam,
  errors: ['partner_team_not_found', 'partner_team_linked', 'organization_not_found', 'quota_exceeded'],
  permission: 'partner-team:choose',
  timeoutMs: 10_000,
})
