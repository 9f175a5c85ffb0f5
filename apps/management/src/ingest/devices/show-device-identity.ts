import { countProvenDevices, MAX_COUNTED_SERIALS } from '@bearing/contracts/identity/credentials/device-key'
import { DAY_MS } from '@bearing/contracts/durations'
import { IDENTITY_DAYS, showDeviceIdentity } from '@bearing/contracts/management/devices/device-identity'
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
    let [seen, proven, after] = [0, 0, '']
    for (;;) {
      const device_serials = await this.page(project_id, since, after)
      const last = device_serials.at(-1)
      if (last === undefined) return { seen, proven, without_proof: seen - proven }
      const scope = { organization_id, project_id, device_serials, used_since: since.toISOString() }
      proven += (await this.client.call(countProvenDevices, scope)).proven
      seen += device_serials.length
      after = last
    }
  }

  private async page(projectId: string, since: Date, after: string): Promise<string[]> {
    const rows = await this.database.$queryRaw<{ serial: string }[]>`
      SELECT serial FROM devices
      WHERE project_id = ${projectId}::uuid AND serial > ${after} AND last_seen_at >= ${since}::timestamptz
      ORDER BY serial LIMIT ${MAX_COUNTED_SERIALS}::integer`
    return rows.map(({ serial }) => serial)
  }
}
