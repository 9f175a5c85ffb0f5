import { z } from 'zod'
import { operation } from '../../operation.js'
import { Id, Name, Nothing, OrganizationScope, PageRequest, Timestamp, pageOf } from '../../primitives.js'
import { ProjectRole } from '../../principal.js'
import { ClientId, ClientSecret, DEFAULT_SCOPES, Issuer, Scopes } from './sso-connection.js'

/** Name of a claim at the top of what a provider says of a person. */
const ClaimName = z.string().regex(/^[\x21-\x7e]{1,128}$/, 'must be the name of a claim')

/** A connection to the console of a partner. The team that its people belong to stands for an organization. */
export const PartnerConnection = z
  .object({
    id: Id,
    name: z.string(),
    issuer: z.string(),
    client_id: z.string(),
    team_id_claim: z.string(),
    team_name_claim: z.string(),
    join_role: ProjectRole.nullable().describe(
      "Role that a person of a team gets in the team's project when they join. Null: none.",
    ),
    enabled: z.boolean(),
    callback_path: z.string(),
    sign_in_path: z.string(),
    created_at: Timestamp,
  })
  .meta({ id: 'PartnerConnection' })

/** Connects the console of a partner. For operators: a partner can sign in people of many organizations. */
export const createPartnerConnection = operation({
  subject: 'identity.v1.partner-connection.create',
  summary: 'Connect the console of a partner',
  input: z.object({
    name: Name,
    issuer: Issuer,
    client_id: ClientId,
    client_secret: ClientSecret.optional(),
    scopes: Scopes.default(DEFAULT_SCOPES),
    team_id_claim: ClaimName.describe("Claim with the id of the person's team, which never changes."),
    team_name_claim: ClaimName.describe('Claim with its name.'),
    join_role: ProjectRole.nullable()
      .default('member')
      .describe(
        "Role that a person of a team gets in the team's project when they join; null: none (default: member. A reader may not see where devices are).",
      ),
  }),
  output: PartnerConnection,
  errors: ['sso_provider_unusable'],
  permission: 'partner-connection:manage',
  timeoutMs: 15_000,
})

export const listPartnerConnections = operation({
  subject: 'identity.v1.partner-connection.list',
  summary: 'List the consoles of partners',
  input: z.object(PageRequest),
  output: pageOf(PartnerConnection),
  errors: [],
  permission: 'partner-connection:manage',
})

/** Ends the sessions that were started through it. Organizations and their members stay. */
export const deletePartnerConnection = operation({
  subject: 'identity.v1.partner-connection.delete',
  summary: 'Delete the connection to the console of a partner',
  input: z.object({ connection_id: Id }),
  output: Nothing,
  errors: ['sso_connection_not_found'],
  permission: 'partner-connection:manage',
})

/** The team that the session came from. */
export const PartnerTeam = z
  .object({
    name: z.string(),
    organization_id: Id.nullable().describe(
      'The organization of the team. Null: it has none yet, and one is to be linked or created.',
    ),
    requested_organization_id: Id.nullable().describe(
      'The organization whose admins are asked to link it. Null: none is.',
    ),
  })
  .meta({ id: 'PartnerTeam' })

export const showPartnerTeam = operation({
  subject: 'identity.v1.partner-team.show',
  summary: "Show the team that the session came from the partner's console with",
  description: 'Without an organization: ask once whether to link one that there is, or to create one.',
  input: Nothing,
  output: PartnerTeam,
  errors: ['partner_team_not_found'],
  permission: 'partner-team:read',
})

/**
 * Gives a team the organization that is about to be created for it: the caller becomes its admin, and its first project has
 * a key. Management calls this with the user's claims before it writes either. Of many who ask, the first decides; all get
 * the same answer, however often they ask.
 */
export const assignPartnerOrganization = operation({
  subject: 'identity.v1.partner-team.found',
  summary: 'Give a team of a partner a new organization',
  input: z.object({ founded_organization_id: Id, founded_project_id: Id }),
  output: z.object({
    name: z.string(),
    organization_id: Id,
    project_id: Id.nullable().describe(
      'Null: the team was linked with an organization that there was already.',
    ),
  }),
  errors: ['partner_team_not_found', 'permission_denied', 'too_many_organizations'],
  permission: 'partner-team:choose',
  forwardedBy: ['management'],
})

/** Asks the admins of an organization to link it with the team. Management calls this with the user's claims. */
export const recordPartnerLinkRequest = operation({
  subject: 'identity.v1.partner-team.ask-link',
  summary: 'Ask for a link between a team of a partner and an organization',
  input: z.object({ asked_organization_id: Id }),
  output: PartnerTeam,
  errors: ['partner_team_not_found', 'partner_team_linked', 'quota_exceeded'],
  permission: 'partner-team:choose',
  forwardedBy: ['management'],
})

/** Somebody of a team wants it to be linked with the organization. */
export const PartnerLink = z
  .object({
    id: Id,
    team_name: z.string(),
    partner: z.string().describe("Name of the partner's connection."),
    requested_by: z.string().describe('E-mail address of who asks.'),
    requested_at: Timestamp,
  })
  .meta({ id: 'PartnerLink' })

export const listPartnerLinks = operation({
  subject: 'identity.v1.partner-link.list',
  summary: 'List the teams of partners that want to be linked with the organization',
  input: z.object({ ...OrganizationScope, ...PageRequest }),
  output: pageOf(PartnerLink),
  errors: [],
  permission: 'partner-link:manage',
})

export const confirmPartnerLink = operation({
  subject: 'identity.v1.partner-link.confirm',
  summary: 'Link a team of a partner with the organization',
  description:
    'From now on every person of the team becomes a member at their next sign-in, beginning with the person who asked.',
  input: z.object({
    ...OrganizationScope,
    partner_link_id: Id,
    join_project_id: Id.optional().describe(
      'The project that people of the team join, with the role of the connection. Without it they join none.',
    ),
  }),
  output: Nothing,
  errors: ['recent_sign_in_required', 'partner_link_not_found', 'permission_denied', 'project_not_found'],
  permission: 'partner-link:manage',
  proof: 'recent',
})

export const refusePartnerLink = operation({
  subject: 'identity.v1.partner-link.refuse',
  summary: 'Refuse to link a team of a partner',
  input: z.object({ ...OrganizationScope, partner_link_id: Id }),
  output: Nothing,
  errors: ['partner_link_not_found', 'permission_denied'],
  permission: 'partner-link:manage',
})
