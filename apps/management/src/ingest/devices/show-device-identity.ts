import { countProvenDevices, MAX_COUNTED_SERIALS } from '@bearing/contracts/identity/devices/device-key'
import { DAY_MS } from '@bearing/contracts/durations'
import { IDENTITY_DAYS, showDeviceIdentity } from '@bearing/contracts/management/devices/device-identity'
import { lastDays } from '@bearing/contracts/counts/usage'
import type { Input, Output } from '@bearing/contracts/operation'
import { NatsClient } from '@bearing/nats/client'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'

@Controller()
export class ShowDeviceIdentity {
  constructor(
    private readonly database: Database,
    private readonly client: NatsClient,
    private readonly clock: Clock,
  ) {}

  /** Identity has the keys, so it is asked about the serial numbers, page by page. */
  @Handle(showDeviceIdentity)
  async execute(input: Input<typeof showDeviceIdentity>): Promise<Output<typeof showDeviceIdentity>> {
    const { organization_id, project_id } = input
    const since = new Date(this.clock.nowMs() - IDENTITY_DAYS * DAY_MS)
    const devices = new Map(lastDays(this.clock.now(), IDENTITY_DAYS + 1).map((day) => [day, 0]))
    let [seen, proven, after] = [0, 0, '']
    for (;;) {
      const page = await this.page(project_id, since, after)
      const last = page.at(-1)
      if (last === undefined) break
      const device_serials = page.map(({ serial }) => serial)
      const scope = { organization_id, project_id, device_serials, used_since: since.toISOString() }
      const answer = await this.client.call(countProvenDevices, scope)
      const withKey = new Set(answer.proven_serials)
      for (const { serial, day } of page)
        if (!withKey.has(serial)) devices.set(day, (devices.get(day) ?? 0) + 1)
      proven += answer.proven
      seen += page.length
      after = last.serial
    }
    const days = [...devices].map(([day, count]) => ({ day, devices: count }))
    return { seen, proven, without_proof: seen - proven, days }
  }

  private page(projectId: string, since: Date, after: string): Promise<{ serial: string; day: string }[]> {
    return this.database.$queryRaw<{ serial: string; day: string }[]>`
      SELECT serial, to_char(last_seen_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day FROM devices
      WHERE project_id = ${projectId}::uuid AND serial > ${after} AND last_seen_at >= ${since}::timestamptz
      ORDER BY serial LIMIT ${MAX_COUNTED_SERIALS}::integer`
  }
}
