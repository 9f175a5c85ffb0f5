import { OperationError } from '@bearing/contracts/errors'
import { importDeviceKeys, MAX_DEVICE_KEYS } from '@bearing/contracts/identity/devices/device-key'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, type Transaction } from '../../ground/database.js'
import { lockDeviceKeys } from '../../ground/locks.js'
import { refuseForeignProject } from '../../organizations/project-members/project-scope.js'
import { requireManager } from '../../organizations/project-members/require-manager.js'
import { readPublicKey, type ReadKey } from '../../ground/device-keys/read-public-key.js'

type Outcome = Output<typeof importDeviceKeys>['data'][number]

interface Row {
  readonly device_serial: string
  /** The key, or why it is none. */
  readonly key: ReadKey | string
}

const TAKEN = 'this public key is already registered for another device'
const TOO_MANY = `the device has ${String(MAX_DEVICE_KEYS)} keys already: revoke one first`

@Controller()
export class ImportDeviceKeys {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  @Handle(importDeviceKeys)
  async execute(
    input: Input<typeof importDeviceKeys>,
    by: Principal,
  ): Promise<Output<typeof importDeviceKeys>> {
    const { organization_id: organizationId, project_id: projectId } = input
    const rows = await Promise.all(input.keys.map(read))
    const data = await this.database.transaction(async (transaction) => {
      await requireManager(transaction, by, input, 'device-key:manage')
      await refuseForeignProject(transaction, input)
      const serials = [...new Set(rows.map(({ device_serial }) => device_serial))].sort()
      for (const serial of serials) await lockDeviceKeys(transaction, projectId, serial)
      const now = this.clock.now()
      const devices = { organizationId, projectId, deviceSerial: { in: serials } }
      await transaction.deviceKey.deleteMany({ where: { ...devices, expiresAt: { lte: now } } })
      const found = await transaction.deviceKey.findMany({ where: devices })
      const held = new Map(serials.map((serial) => [serial, new Set<string>()]))
      for (const { deviceSerial, thumbprint } of found) held.get(deviceSerial)?.add(nameOf(thumbprint))
      const outcomes: Outcome[] = []
      // Each alone: whether a key is registered elsewhere is known only when it is stored.
      for (const { device_serial, key } of rows) {
        const outcome = await this.store(transaction, { organizationId, projectId }, device_serial, key, held)
        outcomes.push({ device_serial, ...outcome })
      }
      const created = outcomes.filter(({ outcome }) => outcome === 'created').length
      if (created > 0)
        recordAudit(transaction, by, {
          ...{ action: 'device_keys.imported', target: ['project', projectId], organizationId },
          details: { created },
        })
      return outcomes
    })
    return { data }
  }

  private async store(
    transaction: Transaction,
    project: { readonly organizationId: string; readonly projectId: string },
    deviceSerial: string,
    key: ReadKey | string,
    held: ReadonlyMap<string, Set<string>>,
  ): Promise<Pick<Outcome, 'outcome' | 'error'>> {
    if (typeof key === 'string') return { outcome: 'failed', error: key }
    const names = held.get(deviceSerial) ?? new Set()
    if (names.has(nameOf(key.thumbprint))) return { outcome: 'unchanged' }
    if (names.size >= MAX_DEVICE_KEYS) return { outcome: 'failed', error: TOO_MANY }
    const { publicKey, thumbprint, keyHash } = key
    const row = { id: this.randomness.newId(), ...project, deviceSerial, publicKey, thumbprint, keyHash }
    const data = { ...row, createdAt: this.clock.now() }
    const { count } = await transaction.deviceKey.createMany({ data, skipDuplicates: true })
    if (count === 0) return { outcome: 'failed', error: TAKEN }
    names.add(nameOf(thumbprint))
    return { outcome: 'created' }
  }
}

async function read({
  device_serial,
  public_key,
}: Input<typeof importDeviceKeys>['keys'][number]): Promise<Row> {
  try {
    return { device_serial, key: await readPublicKey(public_key) }
  } catch (error) {
    if (!(error instanceof OperationError)) throw error
    return { device_serial, key: error.message.replace(/^\//, '') }
  }
}

function nameOf(thumbprint: Uint8Array): string {
  return Buffer.from(thumbprint).toString('base64url')
}
