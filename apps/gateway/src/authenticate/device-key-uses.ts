import {
  MAX_REPORTED_DEVICE_KEY_USES,
  recordDeviceKeyUses,
} from '@bearing/contracts/identity/devices/device-key'
import type { NatsClient } from '@bearing/nats/client'
import type { Logger } from '@bearing/service/observe/logger'
import { Cache } from '@bearing/client-nats/cache'
import { BatchReport } from './batch-report.js'

/** Keys whose uses wait for the next report, at about 150 bytes each. */
const MAX_NOTED = 100_000
/** The timeout of one batch, in milliseconds: a shutdown waits for it. */
const TIMEOUT_MS = 2_000

/** Reports to identity when keys of devices were last used. A request only pays for memory. */
export class DeviceKeyUses extends BatchReport {
  private readonly uses = new Cache<number>(MAX_NOTED)

  constructor(
    private readonly client: NatsClient,
    intervalMs: number,
    logger: Logger,
    private readonly now: () => number = Date.now,
  ) {
    super(intervalMs, 'uses of keys of devices are reported later', logger)
  }

  note(credentialId: string): void {
    this.uses.set(credentialId, this.now())
  }

  protected async report(): Promise<void> {
    const entries = [...this.uses.entries()]
    for (let at = 0; at < entries.length; at += MAX_REPORTED_DEVICE_KEY_USES)
      await this.reportBatch(entries.slice(at, at + MAX_REPORTED_DEVICE_KEY_USES))
  }

  private async reportBatch(batch: readonly (readonly [string, number])[]): Promise<void> {
    const uses = batch.map(([id, atMs]) => ({ device_key_id: id, used_at: new Date(atMs).toISOString() }))
    await this.client.call(recordDeviceKeyUses, { uses }, { timeoutMs: TIMEOUT_MS })
    // A key that was used again meanwhile is reported the next time.
    for (const [id, atMs] of batch) if (this.uses.peek(id) === atMs) this.uses.delete(id)
  }
}
