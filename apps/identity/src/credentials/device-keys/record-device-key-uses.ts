import { recordDeviceKeyUses } from '@bearing/contracts/identity/devices/device-key'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'

@Controller()
export class RecordDeviceKeyUses {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Writes rows in the order of ids, against deadlocks between gateways. */
  @Handle(recordDeviceKeyUses)
  async execute({ uses }: Input<typeof recordDeviceKeyUses>): Promise<Output<typeof recordDeviceKeyUses>> {
    await this.database.$executeRaw`
      WITH used AS (
        SELECT id, max(least(used_at, ${this.clock.now()}::timestamptz)) AS used_at
        FROM unnest(
          ${uses.map((use) => use.device_key_id)}::uuid[],
          ${uses.map((use) => use.used_at)}::timestamptz[]
        ) AS reported (id, used_at)
        GROUP BY id
      ), locked AS (
        SELECT key.id FROM device_keys key JOIN used USING (id) ORDER BY key.id FOR UPDATE OF key
      )
      UPDATE device_keys key SET last_used_at = used.used_at
      FROM used JOIN locked USING (id)
      WHERE key.id = used.id AND (key.last_used_at IS NULL OR key.last_used_at < used.used_at)`
    return {}
  }
}
