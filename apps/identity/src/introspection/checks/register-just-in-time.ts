import type { KeyObject } from 'node:crypto'
import { OperationError } from '@bearing/contracts/errors'
import type { DevicePrincipal } from '@bearing/contracts/principal'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Injectable } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, type Transaction } from '../../ground/database.js'
import { notifyKeyChange } from '../../ground/device-keys/notify-key-change.js'
import { readKey, type ReadKey } from '../../ground/device-keys/read-public-key.js'
import { registerDeviceKey, type OwnedDevice } from '../../ground/device-keys/register-device-key.js'
import { holdDeviceCa, lockDeviceKeys } from '../../ground/locks.js'

/** Registers the key of a device with its first request (just-in-time provisioning). */
@Injectable()
export class RegisterJustInTime {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * @param caId the CA whose certificate proves that the key belongs to the device
   * @param endsAt the end of the certificate
   * @returns the id of the key; undefined if the device may not have it
   */
  async execute(
    device: OwnedDevice,
    publicKey: KeyObject,
    caId: string,
    endsAt: Date,
  ): Promise<string | undefined> {
    const key = await readKey(publicKey)
    try {
      return await this.database.transaction((transaction) =>
        this.register(transaction, device, key, { id: caId, endsAt }),
      )
    } catch (error) {
      if (error instanceof OperationError && ['quota_exceeded', 'device_key_taken'].includes(error.code))
        return undefined
      throw error
    }
  }

  private async register(
    transaction: Transaction,
    device: OwnedDevice,
    key: ReadKey,
    ca: { readonly id: string; readonly endsAt: Date },
  ): Promise<string | undefined> {
    const { organizationId, projectId, deviceSerial } = device
    await lockDeviceKeys(transaction, projectId, deviceSerial)
    if (!(await holdDeviceCa(transaction, ca.id))) return undefined
    const now = this.clock.now()
    // Another gateway was first.
    const where = { ...device, keyHash: key.keyHash, deviceCaId: ca.id, expiresAt: { gt: now } }
    const known = await transaction.deviceKey.findFirst({ where })
    if (known) return known.id
    if (await transaction.revokedDevice.findFirst({ where: device })) return undefined
    const { row } = await registerDeviceKey(transaction, device, key, {
      id: this.randomness.newId(),
      now,
      ca,
    })
    const by: DevicePrincipal = {
      ...{ kind: 'device', credential_id: row.id, device_serial: deviceSerial, proof: 'certificate' },
      ...{ organization_id: organizationId, project_id: projectId, permissions: [] },
    }
    recordAudit(transaction, by, {
      ...{ action: 'device_key.claimed', target: ['device', deviceSerial], organizationId },
      details: {
        ...{ project_id: projectId, device_key_id: row.id, device_ca_id: ca.id },
        thumbprint: key.thumbprint.toString('base64url'),
      },
    })
    notifyKeyChange(transaction, 'device.claimed', device, { id: row.id, at: now })
    return row.id
  }
}
