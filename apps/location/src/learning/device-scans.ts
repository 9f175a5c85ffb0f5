import type { Contribution } from '@bearing/positioning/learning/contribution'
import { decodeContribution, encodeContribution } from '@bearing/positioning/learning/contribution-codec'
import type pg from 'pg'
import { packBytes } from './packed-bytes.js'

/**
 * The last scans of devices, by the device. Locks them: what another process learns of the same device comes before or
 * after.
 *
 * @param client in a transaction
 */
export async function lockDeviceScans(
  client: pg.ClientBase,
  devices: Iterable<string>,
): Promise<Map<string, Contribution>> {
  const ids = [...devices].sort()
  if (ids.length === 0) return new Map()
  const { rows } = await client.query<[string, Buffer]>({
    name: 'lock-device-scans',
    text: 'SELECT id, contribution FROM device_scans WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE',
    values: [ids],
    rowMode: 'array',
  })
  return new Map(rows.map(([id, bytes]) => [id, decodeContribution(bytes)]))
}

/** Keeps the scans that are later than the ones that are kept. */
export async function keepDeviceScans(
  client: pg.ClientBase,
  latest: ReadonlyMap<string, Contribution>,
  before: ReadonlyMap<string, Contribution>,
  now: Date,
): Promise<void> {
  const later = [...latest]
    .filter(([device, { atSeconds }]) => atSeconds >= (before.get(device)?.atSeconds ?? -Infinity))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  if (later.length === 0) return
  const { bytes, starts, lengths } = packBytes(
    later.map(([, scan]) => encodeContribution({ ...scan, learned: [], cells: [] })),
  )
  await client.query({
    name: 'keep-device-scans',
    text: `
      INSERT INTO device_scans (id, contribution, received_at)
      SELECT id, substr($2::bytea, start, length), $1::timestamptz
      FROM unnest($3::uuid[], $4::int[], $5::int[]) WITH ORDINALITY AS given (id, start, length, number)
      ORDER BY number
      ON CONFLICT (id) DO UPDATE SET contribution = excluded.contribution, received_at = excluded.received_at`,
    values: [now, bytes, later.map(([device]) => device), starts, lengths],
  })
}
