import { z } from 'zod'
import { humanText } from '../../text/human-text.js'
import { operation } from '../../operation.js'
import { Id, OrganizationScope, pageOf, PageRequest, Timestamp, orNull } from '../../primitives.js'

/** Kinds of token that the location service knew before there were organization auth tokens. */
const LegacyTokenKind = z.enum(['service', 'evaluation'])

const Description = humanText(256, 0)

/** A service or evaluation token from before organization auth tokens; Bearing knows its hash and nothing else of it. */
export const LegacyToken = z
  .object({
    id: Id,
    kind: LegacyTokenKind,
    description: z.string(),
    imported_at: Timestamp,
    sunset_at: Timestamp.describe('From this moment on it is refused.'),
    last_used_at: Timestamp.nullable().describe(
      'Its last use that is known of; up to a minute behind. Null: none since it was imported.',
    ),
    project_id: Id.nullable()
      .default(null)
      .describe('The only project that it reaches. Null: every project of the organization.'),
    state: z.enum(['active', 'retired']),
  })
  .meta({ id: 'LegacyToken' })

/** The most tokens that are imported per call. */
export const MAX_IMPORTED_LEGACY_TOKENS = 1_000

export const importLegacyTokens = operation({
  subject: 'identity.v1.legacy-token.import',
  summary: 'Import hashes of legacy location tokens',
  description:
    'From then on the tokens are accepted as `Authorization: Bearer` for asking for locations of the organization, and for nothing else, until `sunset_at`. A token that the organization has imported before gets the new kind, description and date, and the project if one is sent: to make it reach every project again, delete it and import it without. With a project, a token also works at the location addresses without organization and project (`/v1/location/…`). All are imported, or none.',
  input: z.object({
    ...OrganizationScope,
    sunset_at: Timestamp.describe('When they stop working. In the future.'),
    tokens: z
      .array(
        z.object({
          sha256: z
            .string()
            .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits')
            .toLowerCase()
            .describe('SHA-256 over the token as it stands after `Bearer `, in hexadecimal.'),
          kind: LegacyTokenKind.default('service'),
          description: Description.default(''),
          project_id: orNull(Id).describe(
            'The only project that the token reaches. Left out or null: every project of the organization, or for a token that was imported before the project that it has.',
          ),
        }),
      )
      .min(1)
      .max(MAX_IMPORTED_LEGACY_TOKENS),
  }),
  output: z
    .object({
      imported: z.int().describe('How many were new.'),
      updated: z.int().describe('How many the organization had already.'),
    })
    .meta({ id: 'LegacyTokenImport' }),
  errors: [
    'recent_sign_in_required',
    'invalid_input',
    'permission_denied',
    'project_not_found',
    'quota_exceeded',
  ],
  permission: 'legacy-token:import',
  proof: 'recent',
})

export const listLegacyTokens = operation({
  subject: 'identity.v1.legacy-token.list',
  summary: 'List the legacy location tokens of an organization',
  description:
    'Retired ones stay listed. `last_used_at` shows which devices still have to be moved to another credential.',
  input: z.object({ ...OrganizationScope, ...PageRequest }),
  output: pageOf(LegacyToken),
  errors: [],
  permission: 'legacy-token:read',
})

export const deleteLegacyToken = operation({
  subject: 'identity.v1.legacy-token.delete',
  summary: 'Delete a legacy location token',
  description: 'It is refused from now on, at every gateway.',
  input: z.object({ ...OrganizationScope, legacy_token_id: Id }),
  output: LegacyToken,
  errors: ['legacy_token_not_found'],
  permission: 'legacy-token:delete',
})
