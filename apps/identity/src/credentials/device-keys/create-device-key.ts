import { OperationError } from '@bearing/contracts/errors'
import { createDeviceKey, MAX_DEVICE_KEYS } from '@bearing/contracts/identity/credentials/device-key'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { refuseBeyond } from '@bearing/contracts/quota'
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
import { readPublicKey } from './read-public-key.js'

const QUOTA = {
  ...{ resource: 'device_keys', limit: MAX_DEVICE_KEYS, raised_by: 'nobody' as const },
  has: 'The device has too many keys',
  remedy: 'Revoke one first',
}

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
    const row: DeviceKey = {
      ...{ id: this.randomness.newId(), ...device, ...key },
      ...{ createdAt: now, expiresAt: null, lastUsedAt: null },
    }
    return this.database.transaction(async (transaction) => {
      await requireManager(transaction, by, input, 'device-key:manage')
      await refuseForeignProject(transaction, input)
      await lockDeviceKeys(transaction, projectId, deviceSerial)
      await transaction.deviceKey.deleteMany({ where: { ...device, expiresAt: { lte: now } } })
      const others = await transaction.deviceKey.findMany({ where: device })
      refuseBeyond(QUOTA, others.length)
      // Not by the error of the index, which would end the transaction.
      const { count } = await transaction.deviceKey.createMany({ data: row, skipDuplicates: true })
      if (count === 0) throw taken()
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

/** The same for keys of the caller and of others: the caller learns nothing about these. */
function taken(): OperationError {
  return new OperationError(
    'device_key_taken',
    'This public key is already registered. Make a key pair for each device.',
  )
}
