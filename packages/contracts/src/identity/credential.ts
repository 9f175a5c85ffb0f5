import { z } from 'zod'
import { event, operation } from '../operation.js'
import { Principal } from '../principal.js'
import { Id } from '../primitives.js'

/** The longest secret that is looked at, in characters. Ours have 76; passwords may be long. */
export const MAX_SECRET_LENGTH = 1024

const Secret = z.string().min(1).max(MAX_SECRET_LENGTH)
const PresentedToken = z.object({ kind: z.literal('organization_token'), token: Secret })
const PresentedUser = z.object({ kind: z.literal('user'), email: z.string().min(1).max(254), secret: Secret })
const PresentedKey = z.object({ kind: z.literal('project_key'), key: Secret })

/** A credential as it was presented. */
export type PresentedCredential =
  z.infer<typeof PresentedToken> | z.infer<typeof PresentedUser> | z.infer<typeof PresentedKey>

/** How long identity itself remembers what it found, in milliseconds. */
export const IDENTITY_MEMORY_MS = 5_000

/** Wants an answer that is not remembered. */
const Freshness = { fresh: z.boolean().optional() }

/** A credential to introspect. */
export const IntrospectionRequest = z
  .discriminatedUnion('kind', [
    PresentedToken.extend(Freshness),
    PresentedUser.extend(Freshness),
    PresentedKey.extend(Freshness),
  ])
  .meta({ id: 'IntrospectionRequest' })

/** The outcome of an introspection. "Cannot tell" is not one of them: that is an error (503). */
export const Introspection = z
  .discriminatedUnion('active', [
    z.object({
      active: z.literal(true),
      principal: Principal,
      /** The principal as a signed JWT (EdDSA), to send in the header `Bearing-Identity`. */
      claims: z.string(),
      /** When the claims end, in seconds since 1970 (the `exp` of the JWT). */
      claims_expire_at: z.int(),
      /**
       * How long ago this was found out, in milliseconds. Whoever has heard of a change to one of the principal's tags
       * since then asks again with `fresh`: the process of identity that answered has not heard of it yet.
       */
      age_ms: z.int().min(0),
    }),
    z.object({
      active: z.literal(false),
      reason: z.enum(['malformed', 'unknown', 'expired']),
    }),
  ])
  .meta({ id: 'Introspection' })

/** Who holds a credential, in the manner of RFC 7662. */
export const introspectCredential = operation({
  subject: 'identity.v1.credential.introspect',
  summary: 'Tell who holds a credential',
  input: IntrospectionRequest,
  output: Introspection,
  errors: [],
  permission: 'internal',
})

/**
 * Something that credentials depend on has changed. Whoever caches what {@link introspectCredential} answered forgets
 * every entry that any of the tags is on (see {@link credentialTags}).
 */
export const credentialChanged = event({
  subject: 'identity.v1.credential.changed',
  data: z.object({
    id: Id,
    /** What has changed: `credential:<id>`, `user:<id>`, `organization:<id>` or `project:<id>`. */
    tags: z.array(z.string()).min(1),
  }),
})

/** The tags of {@link credentialChanged} that a principal answers to. */
export function credentialTags(principal: Principal): string[] {
  switch (principal.kind) {
    case 'user':
      return [
        `credential:${principal.credential_id}`,
        `user:${principal.user_id}`,
        ...principal.grants.map((grant) => `organization:${grant.organization_id}`),
      ]
    case 'organization_token':
      return [`credential:${principal.credential_id}`, `organization:${principal.organization_id}`]
    case 'project_key':
      return [
        `credential:${principal.credential_id}`,
        `organization:${principal.organization_id}`,
        `project:${principal.project_id}`,
      ]
    case 'service':
      return [`service:${principal.name}`]
  }
}
