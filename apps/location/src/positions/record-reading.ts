import type { AuditAction } from '@bearing/contracts/identity/audit/audit-actions'
import type { Actor } from '@bearing/service/audit/audit-row'
import { MAX_NAMED_READINGS, Readings } from '@bearing/service/audit/readings'
import { Injectable } from '@nestjs/common'
import type { Scope } from '../ground/scope.js'

/** Details of an entry that names no device. Serial numbers contain no spaces. */
const LATEST = { devices: 'latest of all devices' }
const MORE = { devices: `more than ${String(MAX_NAMED_READINGS)} devices` }

/** Records in the audit log who reads positions of devices, before they are returned. */
@Injectable()
export class RecordReading {
  constructor(private readonly readings: Readings<AuditAction<'location'>>) {}

  /**
   * @param serial of the device; undefined for the last positions of all devices
   * @throws if the audit log cannot be written: then no position may be returned
   */
  async execute({ organization_id, project_id }: Scope, by: Actor, serial?: string): Promise<void> {
    const event = {
      action: 'device_positions.read',
      target: ['project', project_id],
      organizationId: organization_id,
    } as const
    if (serial === undefined) await this.readings.note(by, { ...event, details: LATEST })
    else await this.readings.note(by, { ...event, details: { device_serial: serial } }, MORE)
  }
}
