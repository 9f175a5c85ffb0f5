import type { DevicePosition } from '@bearing/contracts/location/positions/device-position'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Injectable } from '@nestjs/common'
import type { z } from 'zod'
import { DEVICE_LOCATION_STREAM } from '@bearing/contracts/nats/streams'
import { Pools } from '../ground/database.js'
import { readRows } from '../ground/read-rows.js'
import type { Scope } from '../ground/scope.js'
import { heightToStore } from './position-row.js'

/** Positions that one statement stores. */
const BATCH = 500

/** The statement reads the policy of the project itself: nothing is stored after the project has opted out. */
const STORE = `
  INSERT INTO device_positions
    (organization_id, project_id, device_serial, at, id, lat, lon, uncertainty, confidence, fulfilled_with, fallback, height)
  SELECT offered.* FROM unnest(
    $1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::uuid[],
    $6::float8[], $7::float8[], $8::float8[], $9::float8[], $10::text[], $11::boolean[], $12::jsonb[]
  ) AS offered (
    organization_id, project_id, device_serial, at, id, lat, lon, uncertainty, confidence, fulfilled_with, fallback, height
  )
  JOIN position_policies AS policy
    ON policy.project_id = offered.project_id AND policy.organization_id = offered.organization_id
  WHERE policy.store_positions
  RETURNING device_positions.*`

const STATEMENT = {
  name: 'store-positions',
  text: storeAndRecord(STORE),
  columns: { id: 'uuid' },
} as const

/** Position of a device. */
export type PositionToStore = Omit<z.output<typeof DevicePosition>, 'resolved_at'>

interface Waiting {
  readonly id: string
  readonly scope: Scope
  readonly serial: string
  readonly at: Date
  readonly position: PositionToStore
  readonly stored: (stored: boolean) => void
  readonly failed: (error: unknown) => void
}

/** Stores positions of devices. Positions that arrive during a statement are stored together by the next one. */
@Injectable()
export class PositionStore {
  private waiting: Waiting[] = []
  private writing = false

  constructor(
    private readonly pools: Pools,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * Stores a position durably if the policy of the project says so.
   *
   * @returns whether it was stored
   * @throws the driver's error if that is unknown
   */
  store(scope: Scope, serial: string, position: PositionToStore): Promise<boolean> {
    return new Promise((stored, failed) => {
      const [id, at] = [this.randomness.newId(), this.clock.now()]
      this.waiting.push({ id, scope, serial, at, position, stored, failed })
      if (!this.writing) void this.write()
    })
  }

  private async write(): Promise<void> {
    this.writing = true
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, BATCH)
      try {
        const rows = await readRows(this.pools.main, STATEMENT, columnsOf(batch))
        const ids = new Set(rows.map(({ id }) => id))
        for (const { id, stored } of batch) stored(ids.has(id))
      } catch (error) {
        for (const { failed } of batch) failed(error)
      }
    }
    this.writing = false
  }
}

function columnsOf(batch: readonly Waiting[]): unknown[] {
  const column = (value: (one: Waiting) => unknown) => batch.map(value)
  return [
    column(({ scope }) => scope.organization_id),
    column(({ scope }) => scope.project_id),
    column(({ serial }) => serial),
    column(({ at }) => at),
    column(({ id }) => id),
    column(({ position }) => position.lat),
    column(({ position }) => position.lon),
    column(({ position }) => position.uncertainty),
    column(({ position }) => position.confidence),
    column(({ position }) => position.fulfilledWith),
    column(({ position }) => position.fallback),
    column(({ position }) => heightToStore(position)),
  ]
}

/**
 * Returns a statement that stores positions and, in the same transaction, their events for webhooks (contracts:
 * deviceLocationResolved). The outbox relay publishes them.
 *
 * @param store stores positions and returns their rows
 */
function storeAndRecord(store: string): string {
  return `
    WITH stored AS (${store}), recorded AS (
      INSERT INTO outbox (id, subject, data, created_at)
      SELECT id, '${DEVICE_LOCATION_STREAM.subject}.' || organization_id || '.' || project_id,
        jsonb_build_object(
          'id', id, 'organization_id', organization_id, 'project_id', project_id, 'device_serial', device_serial,
          'lat', lat, 'lon', lon, 'uncertainty', uncertainty, 'confidence', confidence,
          'fulfilled_with', fulfilled_with,
          'resolved_at', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        ) || coalesce(height, '{}'), at
      FROM stored
    )
    SELECT id FROM stored`
}
