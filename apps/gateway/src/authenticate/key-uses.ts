import { DeviceSketch } from '@bearing/access/device-sketch'
import { MAX_REPORTED_KEY_USES, recordKeyUses } from '@bearing/contracts/identity/credentials/project-key'
import type { NatsClient } from '@bearing/nats/client'
import type { Logger } from '@bearing/service/observe/logger'
import { Cache } from '@bearing/client-nats/cache'
import { BatchReport } from './batch-report.js'

/** Keys whose uses wait for the next report, at about 1.5 KB each. */
const MAX_NOTED = 5_000
/** The timeout of one batch, in milliseconds: a shutdown waits for it. */
const TIMEOUT_MS = 2_000

interface Use {
  readonly usedAtMs: number
  /** The devices since the last report. Undefined: no request named one. */
  readonly devices: DeviceSketch | undefined
}

/** Reports to identity when project keys were last used, and by how many devices. A request only pays for memory. */
export class KeyUses extends BatchReport {
  private readonly uses = new Cache<Use>(MAX_NOTED)

  constructor(
    private readonly client: NatsClient,
    intervalMs: number,
    logger: Logger,
    private readonly now: () => number = Date.now,
  ) {
    super(intervalMs, 'uses of project keys are reported later', logger)
  }

  /** Notes a request with a project key. */
  note(credentialId: string): void {
    this.uses.set(credentialId, { usedAtMs: this.now(), devices: this.uses.get(credentialId)?.devices })
  }

  /** Notes which device has sent a request that was noted. */
  noteDevice(credentialId: string, serial: string): void {
    const devices = this.uses.get(credentialId)?.devices ?? DeviceSketch.empty()
    devices.add(serial)
    this.uses.set(credentialId, { usedAtMs: this.now(), devices })
  }

  protected async report(): Promise<void> {
    const entries = [...this.uses.entries()]
    for (let at = 0; at < entries.length; at += MAX_REPORTED_KEY_USES)
      await this.reportBatch(entries.slice(at, at + MAX_REPORTED_KEY_USES))
  }

  /** Takes the uses out first, so that devices of requests meanwhile are in the next report; puts them back on failure. */
  private async reportBatch(batch: readonly (readonly [string, Use])[]): Promise<void> {
    for (const [id] of batch) this.uses.delete(id)
    const uses = batch.map(([id, { usedAtMs, devices }]) => ({
      project_key_id: id,
      used_at: new Date(usedAtMs).toISOString(),
      ...(devices && { devices: Buffer.from(devices.registers).toString('base64') }),
    }))
    try {
      await this.client.call(recordKeyUses, { uses }, { timeoutMs: TIMEOUT_MS })
    } catch (error) {
      for (const [id, use] of batch) this.putBack(id, use)
      throw error
    }
  }

  private putBack(id: string, { usedAtMs, devices }: Use): void {
    const later = this.uses.get(id)
    if (devices && later?.devices) devices.merge(later.devices.registers)
    this.uses.set(id, { usedAtMs: later?.usedAtMs ?? usedAtMs, devices: devices ?? later?.devices })
  }
}
