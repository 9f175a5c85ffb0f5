import type { DeviceTrack } from '@bearing/positioning/learning/evidence/compare-track'
import type { Contribution } from '@bearing/positioning/learning/evidence/contribution'
import {
  decodeContribution,
  decodeContributions,
  encodeContribution,
  encodeContributions,
  type StoredContribution,
} from '@bearing/positioning/learning/evidence/contribution-codec'
import { recentAfter } from '@bearing/positioning/learning/evidence/recent-scans'
import type pg from 'pg'
import { packBytes } from '../ground/packed-bytes.js'
import { readRows, type RowOf } from '../ground/read-rows.js'

const LOCK = {
  name: 'lock-device-tracks',
  text: 'SELECT id, contribution, elsewhere, agreeing, recent FROM device_scans WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE',
  columns: {
    id: 'uuid',
    contribution: 'bytea',
    elsewhere: 'bytea | null',
    agreeing: 'int2',
    recent: 'bytea | null',
  },
} as const

/**
 * Returns where devices were, by the device. Locks them: what another process learns of the same device comes before or after.
 *
 * @param client in a transaction
 */
export async function lockDeviceTracks(
  client: pg.ClientBase,
  devices: Iterable<string>,
): Promise<Map<string, DeviceTrack>> {
  const ids = [...devices].sort()
  if (ids.length === 0) return new Map()
  const rows = await readRows(client, LOCK, [ids])
  return new Map(rows.map((row) => [row.id, trackOf(row)]))
}

function trackOf(row: RowOf<typeof LOCK.columns>): DeviceTrack {
  const { contribution, elsewhere, agreeing, recent } = row
  const last = decodeContribution(contribution)
  const scan = elsewhere ? decodeContribution(elsewhere) : undefined
  // An older version, which runs beside this one while it is replaced, writes the last scan alone.
  const before = { last, recent: recentAfter(recent ? decodeContributions(recent) : [], last) }
  return scan && scan.atSeconds > last.atSeconds ? { ...before, elsewhere: { scan, agreeing } } : before
}

/**
 * Stores the tracks that were continued.
 *
 * A device's track expires an hour after its last plausible scan, whatever was refused since: otherwise a device that
 * never agrees with itself would be refused for ever.
 */
export async function keepDeviceTracks(
  client: pg.ClientBase,
  tracks: ReadonlyMap<string, DeviceTrack>,
  before: ReadonlyMap<string, DeviceTrack>,
  now: Date,
): Promise<void> {
  const changed = [...tracks]
    .filter(([device, track]) => track !== before.get(device))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  if (changed.length === 0) return
  const { bytes, starts, lengths } = packBytes([
    ...changed.map(([, { last }]) => encode(last)),
    ...changed.map(([, { elsewhere }]) => (elsewhere ? encode(elsewhere.scan) : NOTHING)),
    ...changed.map(([, { recent }]) => encodeContributions(recent.map(stored))),
  ])
  const part = (numbers: readonly number[], index: number) =>
    numbers.slice(index * changed.length, (index + 1) * changed.length)
  await client.query({
    name: 'keep-device-tracks',
    text: `
      INSERT INTO device_scans AS kept (id, contribution, elsewhere, agreeing, recent, received_at)
      SELECT id, substr($2::bytea, start, length),
        CASE WHEN agreeing > 0 THEN substr($2::bytea, other_start, other_length) END, agreeing,
        substr($2::bytea, recent_start, recent_length), $1::timestamptz
      FROM unnest($3::uuid[], $4::int[], $5::int[], $6::int[], $7::int[], $8::int[], $9::int[], $10::smallint[]) WITH ORDINALITY
        AS given (id, start, length, other_start, other_length, recent_start, recent_length, agreeing, number)
      ORDER BY number
      ON CONFLICT (id) DO UPDATE SET contribution = excluded.contribution, elsewhere = excluded.elsewhere,
        agreeing = excluded.agreeing, recent = excluded.recent, received_at =
          CASE WHEN kept.contribution = excluded.contribution THEN kept.received_at ELSE excluded.received_at END`,
    values: [
      now,
      bytes,
      changed.map(([device]) => device),
      ...[0, 1, 2].flatMap((index) => [part(starts, index), part(lengths, index)]),
      changed.map(([, { elsewhere }]) => elsewhere?.agreeing ?? 0),
    ],
  })
}

const NOTHING = new Uint8Array()

function encode(scan: Contribution): Uint8Array {
  return encodeContribution(stored(scan))
}

function stored(scan: Contribution): StoredContribution {
  return { ...scan, learned: [], cells: [] }
}
