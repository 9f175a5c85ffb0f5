import { createDeviceKey } from '@bearing/contracts/identity/devices/device-key'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import type { DeviceKey } from '../../generated/prisma/client.js'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, type Transaction } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { lockDeviceKeys } from '../../ground/locks.js'
import { refuseForeignProject } from '../../organizations/project-members/project-scope.js'
import { requireManager } from '../../organizations/project-members/require-manager.js'
import { toDeviceKey } from './device-key-row.js'
import { readPublicKey } from '../../ground/device-keys/read-public-key.js'
import { registerDeviceKey } from '../../ground/device-keys/register-device-key.js'

@Controller()
export class CreateDeviceKey {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  @Handle(createDeviceKey)
  async execute(
    input: Input<typeof createDeviceKey>,
    by: Principal,
  ): Promise<Output<typeof createDeviceKey>> {
    const { organization_id: organizationId, project_id: projectId, device_serial: deviceSerial } = input
    const key = await readPublicKey(input.public_key)
    const now = this.clock.now()
    const device = { organizationId, projectId, deviceSerial }
    return this.database.transaction(async (transaction) => {
      await requireManager(transaction, by, input, 'device-key:manage')
      await refuseForeignProject(transaction, input)
      await lockDeviceKeys(transaction, projectId, deviceSerial)
      const id = this.randomness.newId()
      const { row, others } = await registerDeviceKey(transaction, device, key, { id, now })
      if (input.grace_seconds !== undefined)
        await expire(transaction, others, new Date(now.getTime() + input.grace_seconds * 1_000))
      recordAudit(transaction, by, {
        ...{ action: 'device_key.created', target: ['device', deviceSerial], organizationId },
        details: {
          ...{ project_id: projectId, device_key_id: row.id },
          thumbprint: key.thumbprint.toString('base64url'),
          grace_seconds: input.grace_seconds ?? null,
        },
      })
      return toDeviceKey(row)
    })
  }
}

/** Ends the grace period of the keys that were there before. One that ends earlier keeps its end. */
async function expire(transaction: Transaction, keys: readonly DeviceKey[], end: Date): Promise<void> {
  for (const { id, expiresAt } of keys) {
    if (expiresAt && expiresAt <= end) continue
    await transaction.deviceKey.update({ where: { id }, data: { expiresAt: end } })
    recordCredentialChange(transaction, `credential:${id}`)
  }
}
