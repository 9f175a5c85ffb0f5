import { listLookupUsage } from '@bearing/contracts/location/lookups/lookup-usage'
import type { Input, Output } from '@bearing/contracts/operation'
import type { LookupOutcome } from '@bearing/contracts/usage'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'

@Controller()
export class ListLookupUsage {
  constructor(private readonly database: Database) {}

  /** Reads at most four rows of each day by the primary key. */
  @Handle(listLookupUsage)
  async execute({
    organization_id,
    from,
  }: Input<typeof listLookupUsage>): Promise<Output<typeof listLookupUsage>> {
    const rows = await this.database.$queryRaw<{ day: string; outcome: LookupOutcome; count: number }[]>`
      SELECT day::text, outcome, count::float8 AS count FROM lookup_usage
      WHERE organization_id = ${organization_id}::uuid AND day >= ${from}::date
      ORDER BY day`
    const days = new Map<string, Record<LookupOutcome, number>>()
    for (const { day, outcome, count } of rows) {
      const counts = days.get(day) ?? { found: 0, fallback: 0, not_found: 0, refused: 0 }
      counts[outcome] = count
      days.set(day, counts)
    }
    return { days: [...days].map(([day, counts]) => ({ day, ...counts })) }
  }
}
