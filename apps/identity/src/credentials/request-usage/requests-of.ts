import type { RequestOutcome } from '@bearing/contracts/identity/credentials/request-usage'
import { lastDays } from '@bearing/contracts/counts/usage'
import type { Database } from '../../ground/database.js'

const NONE = { ok: 0, invalid: 0, denied: 0, limited: 0, failed: 0 }

/** Returns the requests with some credentials of an organization by day and outcome. Reads by the primary key. */
export async function requestsOf(
  database: Database,
  { organizationId, kind, ids }: { organizationId: string; kind: string; ids: readonly string[] },
  count: number,
  now: Date,
) {
  const days = lastDays(now, count)
  const rows = await database.$queryRaw<({ day: string } & Record<RequestOutcome, number>)[]>`
    SELECT day::text, sum(requests - invalid - limited - failed)::float8 AS ok, sum(invalid)::float8 AS invalid,
           sum(denied)::float8 AS denied, sum(limited)::float8 AS limited, sum(failed)::float8 AS failed
    FROM request_usage
    WHERE organization_id = ${organizationId}::uuid AND day >= ${days[0]}::date AND kind = ${kind}
      AND credential_id = ANY (${[...ids]}::uuid[])
    GROUP BY 1`
  const byDay = new Map(rows.map((row) => [row.day, row]))
  return { days: days.map((day) => byDay.get(day) ?? { day, ...NONE }) }
}
