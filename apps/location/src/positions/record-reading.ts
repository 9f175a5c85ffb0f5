import { atMost } from '@bearing/client-nats/at-most'
import { currentCall } from '@bearing/nats/call-context'
import type { Actor, Details } from '@bearing/service/audit/audit-row'
import { Clock } from '@bearing/service/ground/clock'
import { Injectable } from '@nestjs/common'
import { LRUCache } from 'lru-cache'
import { recordAudit } from '../ground/audit-log.js'
import { Database } from '../ground/database.js'
import type { Scope } from '../ground/scope.js'

/** A caller who reads again within this time is not recorded again, in milliseconds: maps ask every few seconds. */
const INTERVAL_MS = 3_600_000
/** Devices of a project that are recorded by their serial number, for each caller and interval. */
export const MAX_NAMED_DEVICES = 100
/** Callers and projects that are cached. Readings of an evicted one are recorded again. */
const MAX_READERS = 1_000
/** Details of an entry that names no device. Serial numbers contain no spaces. */
const LATEST = { devices: 'latest of all devices' }
const MORE = { devices: `more than ${String(MAX_NAMED_DEVICES)} devices` }

/** What a caller has read in the present interval, with the writes of the audit log. */
interface Reader {
  readonly sinceMs: number
  readonly readings: Map<string, Promise<unknown>>
}

/**
 * Records in the audit log who reads positions of devices, before they are returned. At most once an hour for each caller, IP
 * address, project and device, in each process.
 */
@Injectable()
export class RecordReading {
  private readonly readers = new LRUCache<string, Reader>(atMost(MAX_READERS))

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * @param serial of the device; undefined for the last positions of all devices
   * @throws if the audit log cannot be written: then no position may be returned
   */
  async execute(scope: Scope, by: Actor, serial?: string): Promise<void> {
    const { readings } = this.readerOf(scope, by)
    const isNamed = serial === undefined || readings.has(serial) || readings.size < MAX_NAMED_DEVICES
    const details = !isNamed ? MORE : serial === undefined ? LATEST : { device_serial: serial }
    const key = Object.values(details).join()
    // Others who read meanwhile wait for the same write.
    const known = readings.get(key)
    const recorded = known ?? this.record(scope, by, details)
    if (!known) readings.set(key, recorded)
    await recorded.catch((error: unknown) => {
      readings.delete(key)
      throw error
    })
  }

  private readerOf({ project_id }: Scope, by: Actor): Reader {
    const credential = 'credential_id' in by ? by.credential_id : 'name' in by ? by.name : ''
    const key = [by.kind, credential, currentCall()?.clientAddress ?? '', project_id].join(' ')
    const nowMs = this.clock.nowMs()
    const known = this.readers.get(key)
    if (known && nowMs < known.sinceMs + INTERVAL_MS) return known
    const reader: Reader = { sinceMs: nowMs, readings: new Map() }
    this.readers.set(key, reader)
    return reader
  }

  private record({ organization_id: organizationId, project_id }: Scope, by: Actor, details: Details) {
    return this.database.transaction((transaction) =>
      Promise.resolve(
        recordAudit(transaction, by, {
          action: 'device_positions.read',
          target: ['project', project_id],
          organizationId,
          details,
        }),
      ),
    )
  }
}
