import { z } from 'zod'
import { CountedKind, CredentialUsage, RequestCounts } from '../../identity/credentials/request-usage.js'
import { operation } from '../../operation.js'
import { OrganizationScope } from '../../primitives.js'
import { Day, LookupCounts, USAGE_DAYS } from '../../counts/usage.js'

const Count = z.int().min(0)
/** A count and its limit; null: no limit. */
const Limited = z.object({ count: Count, limit: Count.nullable() })

/** Usage of an organization, and the counts that its limits refer to. Days are in UTC. */
export const OrganizationUsage = z
  .object({
    from: Day,
    to: Day,
    projects: Limited,
    devices: Limited,
    stored: z.object({
      files: z
        .object({ bytes: Count, limit: Count.nullable() })
        .describe(
          'Bytes of files, of uploads that are not committed, and reserved by uploads in progress: what the limit counts.',
        ),
      chunks: z.object({ bytes: Count }).describe('Bytes of chunks that are stored.'),
    }),
    chunk_bytes_per_day: Count.nullable().describe(
      'Bytes of chunks that the organization may send per day; null: no limit.',
    ),
    days: z
      .array(
        z.object({
          day: Day,
          chunks: z.object({ count: Count, bytes: Count }).describe('Received from devices.'),
          lookups: LookupCounts,
          requests: z
            .partialRecord(CountedKind, Count)
            .describe('Authorized requests, by kind of credential.'),
          outcomes: RequestCounts.describe('Requests of all credentials, by outcome.'),
        }),
      )
      .describe('Every day of the period, oldest first.'),
    credentials: z
      .array(CredentialUsage)
      .describe('The 100 credentials with the most requests in the period.'),
  })
  .meta({ id: 'OrganizationUsage' })

export const showOrganizationUsage = operation({
  subject: 'management.v1.organization-usage.show',
  summary: 'Show what an organization uses',
  description:
    'Devices, stored bytes, and per day chunks, look-ups and requests by credential, in UTC. Counts are at most about a minute old and are kept for 90 days. A process that is killed loses the counts of its last minute.',
  input: z.object({ ...OrganizationScope, days: z.int().min(1).max(USAGE_DAYS).default(30) }),
  output: OrganizationUsage,
  errors: ['organization_not_found'],
  permission: 'organization-usage:read',
  timeoutMs: 10_000,
})
