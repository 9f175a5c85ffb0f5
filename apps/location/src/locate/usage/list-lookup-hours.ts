import { sumOf } from '@bearing/contracts/counts/histogram'
import { listLookupHours } from '@bearing/contracts/location/lookups/lookup-usage'
import type { Input, Output } from '@bearing/contracts/operation'
import type { LookupOutcome } from '@bearing/contracts/counts/usage'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'

interface Row extends Record<LookupOutcome, number> {
  readonly project_id: string
  readonly at: Date
  readonly radii: number[][]
}

@Controller()
export class ListLookupHours {
  constructor(private readonly database: Database) {}

  /** Reads the hours of the projects by the primary key. */
  @Handle(listLookupHours)
  async execute(input: Input<typeof listLookupHours>): Promise<Output<typeof listLookupHours>> {
    const { organization_id, project_ids, from, step } = input
    const [rows, layer, position] = await Promise.all([
      this.database.$queryRaw<Row[]>`
        SELECT project_id, date_trunc(${step}::text, hour, 'UTC') AS at, sum(found)::float8 AS found, sum(fallback)::float8 AS fallback,
               sum(not_found)::float8 AS not_found, sum(refused)::float8 AS refused,
               coalesce(json_agg(radii) FILTER (WHERE found + fallback > 0), '[]') AS radii
        FROM lookup_hours
        WHERE organization_id = ${organization_id}::uuid AND project_id = ANY (${project_ids}::uuid[])
          AND hour >= ${from}::timestamptz
        GROUP BY 1, 2 ORDER BY 1, 2`,
      this.database.layer.findUnique({ where: { organizationId: organization_id } }),
      this.database.latestPosition.findFirst({
        where: { projectId: { in: project_ids } },
        select: { projectId: true },
      }),
    ])
    return {
      points: rows.map(({ at, radii, ...row }) => ({ ...row, at: at.toISOString(), radii: sumOf(radii) })),
      has_access_points: (layer?.accessPoints ?? 0n) > 0n,
      has_positions: position !== null,
    }
  }
}
