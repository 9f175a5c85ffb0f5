import { listDeviceClaims } from '@bearing/contracts/identity/devices/device-claim'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { devicePublicKey } from '../../ground/rules/device-public-key.js'

@Controller()
export class ListDeviceClaims {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(listDeviceClaims)
  async execute(input: Input<typeof listDeviceClaims>): Promise<Output<typeof listDeviceClaims>> {
    const scope = { organizationId: input.organization_id, projectId: input.project_id }
    const where = { ...scope, rejectedAt: null, expiresAt: { gt: this.clock.now() } }
    const [count, rows] = await Promise.all([
      this.database.deviceClaim.count({ where }),
      this.database.deviceClaim.findMany({
        ...{ where, orderBy: { id: 'asc' } },
        ...{ skip: (input.page - 1) * input.per_page, take: input.per_page },
      }),
    ])
    const claims = rows.map((row) => {
      const { key, algorithm } = devicePublicKey(row.publicKey)
      return {
        ...{ id: row.id, device_serial: row.deviceSerial, algorithm },
        thumbprint: Buffer.from(row.thumbprint).toString('base64url'),
        public_key: key.export({ type: 'spki', format: 'pem' }).toString(),
        client_address: row.clientAddress,
        created_at: row.createdAt.toISOString(),
        expires_at: row.expiresAt.toISOString(),
      }
    })
    return page(claims, count, input)
  }
}
