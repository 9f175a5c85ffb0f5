import { listLookupUsage } from '@bearing/contracts/location/lookups/lookup-usage'
import type { Input, Output } from '@bearing/contracts/operation'
import type { LookupOutcome } from '@bearing/contracts/counts/usage'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'

@Controller()
export class ListLookupUsage {
  constructor(private readonly database: Database) {}

  /** Reads the hours of one organization by the primary key. */
  @Handle(listLookupUsage)
  async execute({
    organization_id,
    from,
  }: Input<typeof listLookupUsage>): Promise<Output<typeof listLookupUsage>> {
    const days = await this.database.$queryRaw<({ day: string } & Record<LookupOutcome, number>)[]>`
      SELECT (hour AT TIME ZONE 'UTC')::date::text AS day, sum(found)::float8 AS found, sum(fallback)::float8 AS fallback,
             sum(not_found)::float8 AS not_found, sum(refused)::float8 AS refused
      FROM lookup_hours
      WHERE organization_id = ${organization_id}::uuid AND hour >= ${from}::date::timestamp AT TIME ZONE 'UTC'
      GROUP BY 1 ORDER BY 1`
    return { days }
  }
}
