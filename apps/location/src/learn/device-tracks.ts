import type { DeviceTrack } from '@bearing/positioning/learning/compare-track'
import type { Contribution } from '@bearing/positioning/learning/contribution'
import { decodeContribution, encodeContribution } from '@bearing/positioning/learning/contribution-codec'
import type pg from 'pg'
import { packBytes } from '../ground/packed-bytes.js'

type Row = [id: string, contribution: Buffer, elsewhere: Buffer | null, agreeing: number]

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
  const { rows } = await client.query<Row>({
    name: 'lock-device-tracks',
    text: 'SELECT id, contribution, elsewhere, agreeing FROM device_scans WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE',
    values: [ids],
    rowMode: 'array',
  })
  return new Map(rows.map((row) => [row[0], trackOf(row)]))
}

function trackOf([, contribution, elsewhere, agreeing]: Row): DeviceTrack {
  const last = decodeContribution(contribution)
  const scan = elsewhere ? decodeContribution(elsewhere) : undefined
  // An older version, which runs beside this one while it is replaced, writes the last scan alone.
  return scan && scan.atSeconds > last.atSeconds ? { last, elsewhere: { scan, agreeing } } : { last }
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
  ])
  await client.query({
    name: 'keep-device-tracks',
    text: `
      INSERT INTO device_scans AS kept (id, contribution, elsewhere, agreeing, received_at)
      SELECT id, substr($2::bytea, start, length),
        CASE WHEN agreeing > 0 THEN substr($2::bytea, other_start, other_length) END, agreeing, $1::timestamptz
      FROM unnest($3::uuid[], $4::int[], $5::int[], $6::int[], $7::int[], $8::smallint[]) WITH ORDINALITY
        AS given (id, start, length, other_start, other_length, agreeing, number)
      ORDER BY number
      ON CONFLICT (id) DO UPDATE SET contribution = excluded.contribution, elsewhere = excluded.elsewhere,
        agreeing = excluded.agreeing, received_at =
          CASE WHEN kept.contribution = excluded.contribution THEN kept.received_at ELSE excluded.received_at END`,
    values: [
      now,
      bytes,
      changed.map(([device]) => device),
      starts.slice(0, changed.length),
      lengths.slice(0, changed.length),
      starts.slice(changed.length),
      lengths.slice(changed.length),
      changed.map(([, { elsewhere }]) => elsewhere?.agreeing ?? 0),
    ],
  })
}

const NOTHING = new Uint8Array()

function encode(scan: Contribution): Uint8Array {
  return encodeContribution({ ...scan, learned: [], cells: [] })
}
