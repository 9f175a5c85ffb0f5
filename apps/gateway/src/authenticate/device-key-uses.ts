import {
  MAX_REPORTED_DEVICE_KEY_USES,
  recordDeviceKeyUses,
} from '@bearing/contracts/identity/devices/device-key'
import { NatsClient } from '@bearing/nats/client'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER, SETTINGS } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import type { Settings } from '../config.js'
import { USES_TIMEOUT_MS, UseReport } from './batch-report.js'

/** Keys whose uses wait for the next report, at about 150 bytes each. */
const MAX_NOTED = 100_000

/** Reports to identity when keys of devices were last used. A request only pays for memory. */
@Injectable()
export class DeviceKeyUses extends UseReport<number> {
  constructor(
    private readonly client: NatsClient,
    @Inject(SETTINGS) { REPORT_INTERVAL_MS }: Settings,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(REPORT_INTERVAL_MS, 'keys of devices', logger, MAX_NOTED, MAX_REPORTED_DEVICE_KEY_USES)
  }

  note(credentialId: string): void {
    this.uses.set(credentialId, Date.now())
  }

  protected async send(batch: readonly (readonly [string, number])[]): Promise<void> {
    const uses = batch.map(([id, atMs]) => ({ device_key_id: id, used_at: new Date(atMs).toISOString() }))
    await this.client.call(recordDeviceKeyUses, { uses }, { timeoutMs: USES_TIMEOUT_MS })
  }
}
