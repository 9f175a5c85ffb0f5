import { setTimeout as sleep } from 'node:timers/promises'
import { invalidInput } from '@bearing/contracts/errors'
import type { AuditAction } from '@bearing/contracts/identity/audit/audit-actions'
import { DATA_KINDS, readData } from '@bearing/contracts/management/data/data-item'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Readings } from '@bearing/service/audit/readings'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { cursorOf, DataReader, START, type DataQuery, type Place } from './data-reader.js'

/** Time that one call waits, and interval between its reads, in milliseconds. The gateway calls again. */
const CALL_MS = 2_000
const LOOK_MS = 250

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const CURSOR = new RegExp(`^(\\d{1,18})_(${UUID})_(\\d{1,15})(?:_(\\d{1,15}))?$`)

/** Reads what the devices of a project have sent, in the order in which it was stored. */
@Controller()
export class ReadData {
  constructor(
    private readonly reader: DataReader,
    private readonly readings: Readings<AuditAction<'management'>>,
    private readonly clock: Clock,
  ) {}

  @Handle(readData)
  async execute(input: Input<typeof readData>, by: Principal): Promise<Output<typeof readData>> {
    const query: DataQuery = {
      projectId: input.project_id,
      since: input.since === undefined ? undefined : new Date(input.since),
      kinds: input.kinds?.split(',') ?? DATA_KINDS,
      payloads: input.payloads,
    }
    const startedMs = this.clock.nowMs()
    const begun = input.cursor === undefined ? undefined : readCursor('/cursor', input.cursor)
    const place = begun ?? (input.after === undefined ? START : readCursor('/after', input.after))
    const untilMs = begun?.untilMs ?? startedMs + 1_000 * Number.parseInt(input.wait ?? '0', 10)
    for (;;) {
      const { items, next, isAll } = await this.reader.read(query, place)
      if (items.length > 0) {
        await this.readings.note(by, {
          action: 'device_data.read',
          target: ['project', input.project_id],
          organizationId: input.organization_id,
          details: { devices: 'all devices' },
        })
        return { data: [...items], next: isAll ? null : cursorOf(next) }
      }
      const nowMs = this.clock.nowMs()
      if (nowMs >= untilMs) return { data: [], next: null }
      if (nowMs - startedMs >= CALL_MS) return { data: [], next: `${cursorOf(place)}_${String(untilMs)}` }
      await sleep(Math.min(LOOK_MS, untilMs - nowMs))
    }
  }
}

/** Reads a cursor; one of a part also has the time until which to wait. */
function readCursor(pointer: string, text: string): Place & { readonly untilMs?: number } {
  const [, position, id, atMs, until] = CURSOR.exec(text) ?? []
  if (position === undefined || id === undefined)
    throw invalidInput(pointer, 'must be the `cursor` of an item of this project')
  return {
    position: BigInt(position),
    id,
    atMs: Number(atMs),
    ...(until !== undefined && { untilMs: Number(until) }),
  }
}
