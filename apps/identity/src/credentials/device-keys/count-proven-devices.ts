import { countProvenDevices } from '@bearing/contracts/identity/devices/device-key'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'

@Controller()
export class CountProvenDevices {
  constructor(private readonly database: Database) {}

  @Handle(countProvenDevices)
  async execute(input: Input<typeof countProvenDevices>): Promise<Output<typeof countProvenDevices>> {
    const rows = await this.database.$queryRaw<{ serial: string }[]>`
      SELECT DISTINCT device_serial AS serial FROM device_keys
      WHERE organization_id = ${input.organization_id}::uuid AND project_id = ${input.project_id}::uuid
        AND device_serial = ANY (${input.device_serials}::text[])
        AND last_used_at >= ${input.used_since}::timestamptz`
    return { proven: rows.length, proven_serials: rows.map(({ serial }) => serial) }
  }
}
