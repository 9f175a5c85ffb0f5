import { listRequestUsage } from '@bearing/contracts/identity/credentials/request-usage'
import { listLookupUsage } from '@bearing/contracts/location/lookups/lookup-usage'
import { showOrganizationUsage } from '@bearing/contracts/management/tenancy/organization-usage'
import type { Input, Output } from '@bearing/contracts/operation'
import { lastDays } from '@bearing/contracts/counts/usage'
import { NatsClient } from '@bearing/nats/client'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Controller, Inject } from '@nestjs/common'
import type { Settings } from '../../config.js'
import { Database } from '../../ground/database.js'
import { organizationNotFound } from '../organizations/organization-row.js'

const NO_LOOKUPS = { found: 0, fallback: 0, not_found: 0, refused: 0 }

interface Totals {
  readonly devices: number
  readonly projects: number
  readonly file_bytes: number
  readonly chunk_bytes: number
}

@Controller()
export class ShowOrganizationUsage {
  constructor(
    private readonly database: Database,
    private readonly services: NatsClient,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Each service has its own counts. If one does not respond, there is no answer: a missing count would look like none. */
  @Handle(showOrganizationUsage)
  async execute(input: Input<typeof showOrganizationUsage>): Promise<Output<typeof showOrganizationUsage>> {
    const days = lastDays(this.clock.now(), input.days)
    const { organization_id } = input
    const [from] = days
    const [totals, chunks, lookups, requests] = await Promise.all([
      this.totals(organization_id),
      this.chunks(organization_id, from),
      this.services.call(listLookupUsage, { organization_id, from }),
      this.services.call(listRequestUsage, { organization_id, from }),
    ])
    const { settings } = this
    return {
      from,
      to: days.at(-1) ?? from,
      projects: { count: totals.projects, limit: settings.PROJECTS_PER_ORGANIZATION },
      devices: { count: totals.devices, limit: settings.DEVICES_PER_ORGANIZATION },
      stored: {
        files: { bytes: totals.file_bytes, limit: settings.ORGANIZATION_FILES_MAX_BYTES || null },
        chunks: { bytes: totals.chunk_bytes },
      },
      chunk_bytes_per_day: settings.ORGANIZATION_CHUNK_BYTES_PER_DAY || null,
      days: days.map((day) => {
        const { day: _, ...found } = lookups.days.find((one) => one.day === day) ?? { day, ...NO_LOOKUPS }
        const ofDay = requests.days.filter((one) => one.day === day)
        return {
          day,
          chunks: chunks.get(day) ?? { count: 0, bytes: 0 },
          lookups: found,
          requests: Object.fromEntries(
            ofDay.flatMap(({ kind, requests: amount }) => (amount > 0 ? [[kind, amount]] : [])),
          ),
          outcomes: outcomesOf(ofDay),
        }
      }),
      credentials: requests.credentials,
    }
  }

  /** `project_usage` has one row of each project and day, for at most 90 days and one row for the time before. */
  private async totals(organizationId: string): Promise<Totals> {
    const [row] = await this.database.$queryRaw<Totals[]>`
      SELECT o.device_count::float8 AS devices, count(p.id)::float8 AS projects,
             coalesce(sum(p.file_bytes + p.uncommitted_bytes + p.coming_bytes), 0)::float8 AS file_bytes,
             greatest(0, coalesce(sum(u.bytes), 0))::float8 AS chunk_bytes
      FROM organizations o
      LEFT JOIN projects p ON p.organization_id = o.id
      LEFT JOIN LATERAL (
        SELECT sum(bytes - deleted_bytes) AS bytes FROM project_usage WHERE project_id = p.id
      ) u ON true
      WHERE o.id = ${organizationId}::uuid
      GROUP BY o.id`
    if (!row) throw organizationNotFound()
    return row
  }

  private async chunks(
    organizationId: string,
    from: string,
  ): Promise<ReadonlyMap<string, { count: number; bytes: number }>> {
    const rows = await this.database.$queryRaw<{ day: string; count: number; bytes: number }[]>`
      SELECT u.day::text, sum(u.chunks)::float8 AS count, sum(u.bytes)::float8 AS bytes
      FROM projects p JOIN project_usage u ON u.project_id = p.id AND u.day >= ${from}::date
      WHERE p.organization_id = ${organizationId}::uuid
      GROUP BY 1`
    return new Map(rows.map(({ day, count, bytes }) => [day, { count, bytes }]))
  }
}

function outcomesOf(requests: Output<typeof listRequestUsage>['days']) {
  const outcomes = { ok: 0, invalid: 0, denied: 0, limited: 0, failed: 0 }
  // The version before counts no outcomes.
  for (const { requests: all, invalid = 0, denied = 0, limited = 0, failed = 0 } of requests) {
    outcomes.ok += all - invalid - limited - failed
    outcomes.invalid += invalid
    outcomes.denied += denied
    outcomes.limited += limited
    outcomes.failed += failed
  }
  return outcomes
}
