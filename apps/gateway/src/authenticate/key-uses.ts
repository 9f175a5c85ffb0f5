import { DeviceSketch } from '@bearing/access/device-sketch'
import { MAX_REPORTED_KEY_USES, recordKeyUses } from '@bearing/contracts/identity/credentials/project-key'
import { NatsClient } from '@bearing/nats/client'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER, SETTINGS } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import type { Settings } from '../config.js'
import { USES_TIMEOUT_MS, UseReport } from './batch-report.js'

/** Keys whose uses wait for the next report, at about 1.5 KB each. */
const MAX_NOTED = 5_000

interface Use {
  readonly usedAtMs: number
  /** The devices since the last report. Undefined: no request named one. */
  readonly devices: DeviceSketch | undefined
}

/** Reports to identity when project keys were last used, and by how many devices. A request only pays for memory. */
@Injectable()
export class KeyUses extends UseReport<Use> {
  constructor(
    private readonly client: NatsClient,
    @Inject(SETTINGS) { REPORT_INTERVAL_MS }: Settings,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(REPORT_INTERVAL_MS, 'project keys', logger, MAX_NOTED, MAX_REPORTED_KEY_USES)
  }

  /** Notes a request with a project key. */
  note(credentialId: string): void {
    this.uses.set(credentialId, { usedAtMs: Date.now(), devices: this.uses.get(credentialId)?.devices })
  }

  /** Notes which device has sent a request that was noted. */
  noteDevice(credentialId: string, serial: string): void {
    const devices = this.uses.get(credentialId)?.devices ?? DeviceSketch.empty()
    devices.add(serial)
    this.uses.set(credentialId, { usedAtMs: Date.now(), devices })
  }

  /** Takes the uses out first, so that devices of requests meanwhile are in the next report; puts them back on failure. */
  protected override async reportBatch(batch: readonly (readonly [string, Use])[]): Promise<void> {
    for (const [id] of batch) this.uses.delete(id)
    try {
      await this.send(batch)
    } catch (error) {
      for (const [id, use] of batch) this.putBack(id, use)
      throw error
    }
  }

  protected async send(batch: readonly (readonly [string, Use])[]): Promise<void> {
    const uses = batch.map(([id, { usedAtMs, devices }]) => ({
      project_key_id: id,
      used_at: new Date(usedAtMs).toISOString(),
      ...(devices && { devices: Buffer.from(devices.registers).toString('base64') }),
    }))
    await this.client.call(recordKeyUses, { uses }, { timeoutMs: USES_TIMEOUT_MS })
  }

  private putBack(id: string, { usedAtMs, devices }: Use): void {
    const later = this.uses.get(id)
    if (devices && later?.devices) devices.merge(later.devices.registers)
    this.uses.set(id, { usedAtMs: later?.usedAtMs ?? usedAtMs, devices: devices ?? later?.devices })
  }
}
