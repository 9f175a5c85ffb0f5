import { z } from 'zod'
import { operation } from '../../operation.js'
import { ORGANIZATION_TOKEN, isOrganizationToken, type Principal } from '../../principal.js'
import { Id, Nothing, OrganizationScope, Timestamp } from '../../primitives.js'
import { Day, USAGE_DAYS } from '../../counts/usage.js'

/** Kinds of credentials whose requests are counted. `other`: more credentials than are counted one by one. */
export const COUNTED_KINDS = [
  ORGANIZATION_TOKEN,
  'legacy_token',
  'api_key',
  'password',
  'session',
  'project_key',
  'other',
] as const
export const CountedKind = z.enum(COUNTED_KINDS).meta({ id: 'CountedKind' })
export type CountedKind = z.infer<typeof CountedKind>

/** Outcomes of a request that is counted. */
export const REQUEST_OUTCOMES = ['ok', 'invalid', 'denied', 'limited', 'failed'] as const
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number]

const Count = z.int().min(0)

/** Requests by outcome. */
export const RequestCounts = z
  .object({
    ok: Count.describe('Answered 2xx or 3xx.'),
    invalid: Count.describe('Answered 4xx, apart from those that follow.'),
    denied: Count.describe(
      'Refused because the credential lacks a permission, or does not reach the resource.',
    ),
    limited: Count.describe('Refused because a limit was reached (429).'),
    failed: Count.describe('Answered 5xx.'),
  })
  .meta({ id: 'RequestCounts' })

/** Requests of a credential by day. */
export const RequestOutcomes = z
  .object({
    days: z
      .array(RequestCounts.extend({ day: Day }))
      .describe('Every day of the period (UTC), oldest first. Counts are at most about a minute old.'),
  })
  .meta({ id: 'RequestOutcomes' })

/** The days of a chart of requests, today included. */
export const Days = { days: z.int().min(1).max(USAGE_DAYS).default(30) }

/** The id of the credentials that are not counted one by one. */
export const OTHER_CREDENTIALS = '00000000-0000-0000-0000-000000000000'

/** The most counts in one report. */
export const MAX_REPORTED_COUNTS = 500

/** Returns the kind that requests of a principal are counted under, and whose they are: the user's for users. */
export function countedAs(
  principal: Principal,
): { readonly kind: CountedKind; readonly id: string } | undefined {
  if (isOrganizationToken(principal))
    return { kind: principal.legacy ? 'legacy_token' : ORGANIZATION_TOKEN, id: principal.credential_id }
  if (principal.kind === 'user') return { kind: principal.proof, id: principal.user_id }
  // A fleet has more keys than are counted one by one.
  if (principal.kind === 'device') return { kind: 'other', id: OTHER_CREDENTIALS }
  return principal.kind === 'project_key' ? { kind: 'project_key', id: principal.credential_id } : undefined
}

export const recordRequestUsage = operation({
  subject: 'identity.v1.request-usage.record',
  summary: 'Add counts of requests by credential and day',
  description: 'Gateways report at an interval. A report that was recorded before changes nothing.',
  input: z.object({
    report_id: Id,
    counts: z
      .array(
        z.object({
          ...OrganizationScope,
          day: Day,
          kind: CountedKind,
          credential_id: Id,
          requests: Count.describe('Requests that were authorized.'),
          invalid: Count.default(0),
          denied: Count.default(0),
          limited: Count.default(0),
          failed: Count.default(0),
          last_used_at: Timestamp,
        }),
      )
      .min(1)
      .max(MAX_REPORTED_COUNTS),
  }),
  output: Nothing,
  errors: [],
  permission: 'internal',
})

/** Requests of one credential. */
export const CredentialUsage = z
  .object({
    kind: CountedKind,
    id: Id.nullable().describe(
      'The id of the token or project key, or of the user. Null: all credentials that are not counted one by one.',
    ),
    name: z
      .string()
      .nullable()
      .describe(
        'The description of a token, or the email address of a user. Null: it does not exist anymore, or has none.',
      ),
    project_id: Id.nullable().describe('The project of a project key.'),
    requests: z.int().min(0),
    last_used_at: Timestamp.describe(
      'The end of the minute is exact enough: gateways report at an interval.',
    ),
    days: z
      .array(z.object({ day: Day, requests: z.int().min(0) }))
      .describe('Days with requests, oldest first.'),
  })
  .meta({ id: 'CredentialUsage' })

/** The most credentials in a reply. */
export const MAX_CREDENTIAL_USAGES = 100

export const listRequestUsage = operation({
  subject: 'identity.v1.request-usage.list',
  summary: 'List the requests of an organization by credential and day',
  input: z.object({ ...OrganizationScope, from: Day }),
  output: z.object({
    days: z.array(
      RequestCounts.omit({ ok: true }).partial().extend({ day: Day, kind: CountedKind, requests: Count }),
    ),
    credentials: z
      .array(CredentialUsage)
      .describe('Those with the most requests, at most `MAX_CREDENTIAL_USAGES`.'),
  }),
  errors: [],
  permission: 'internal',
})
