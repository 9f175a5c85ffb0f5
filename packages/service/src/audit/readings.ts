import { currentCall } from '@bearing/nats/call-context'
import { Cache } from '@bearing/client-nats/cache'
import type { Clock } from '../ground/clock.js'
import type { Actor, AuditRecord, Details } from './audit-row.js'

/** A caller who reads again within this time is not recorded again, in milliseconds: programs ask every few seconds. */
const INTERVAL_MS = 3_600_000
/** Readings with different details that are recorded for each caller, target and interval. */
export const MAX_NAMED_READINGS = 100
/** Callers and targets that are cached. Readings of an evicted one are recorded again. */
const MAX_READERS = 1_000

/** Readings of a caller in the present interval, with the writes of the audit log. */
interface Reader {
  readonly sinceMs: number
  readonly readings: Map<string, Promise<unknown>>
}

/**
 * Records in the audit log who reads, before the reply is sent. At most once an hour for each caller, IP address, action, target
 * and details, in each process.
 */
export class Readings<Action extends string> {
  private readonly readers = new Cache<Reader>(MAX_READERS)

  /** @param record stores an audit event in a transaction of its own */
  constructor(
    private readonly record: (by: Actor, event: AuditRecord<Action>) => Promise<unknown>,
    private readonly clock: Clock,
  ) {}

  /**
   * @param beyond the details of readings after the first {@link MAX_NAMED_READINGS} (default: those of the event)
   * @throws if the audit log cannot be written: then nothing may be returned
   */
  async note(by: Actor, event: AuditRecord<Action>, beyond = event.details): Promise<void> {
    const { readings } = this.readerOf(by, event)
    const details =
      readings.has(keyOf(event.details)) || readings.size < MAX_NAMED_READINGS ? event.details : beyond
    const key = keyOf(details)
    // Others who read meanwhile wait for the same write.
    const known = readings.get(key)
    const recorded = known ?? this.record(by, { ...event, ...(details && { details }) })
    if (!known) readings.set(key, recorded)
    await recorded.catch((error: unknown) => {
      readings.delete(key)
      throw error
    })
  }

  private readerOf(by: Actor, { action, target }: AuditRecord<Action>): Reader {
    const credential = 'credential_id' in by ? by.credential_id : 'name' in by ? by.name : ''
    const key = [by.kind, credential, currentCall()?.clientAddress ?? '', action, ...target].join(' ')
    const nowMs = this.clock.nowMs()
    const known = this.readers.get(key)
    if (known && nowMs < known.sinceMs + INTERVAL_MS) return known
    const reader: Reader = { sinceMs: nowMs, readings: new Map() }
    this.readers.set(key, reader)
    return reader
  }
}

function keyOf(details: Details | undefined): string {
  return JSON.stringify(details ?? {})
}
