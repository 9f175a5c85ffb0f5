import type pg from 'pg'
import { readRows } from './read-rows.js'

/*
 * Every lock of the location service, in the order in which a transaction takes them. Rows of one table are locked in the order of
 * their primary key, so no two transactions can deadlock.
 *
 *  1. LEARNING, advisory, by layer: shared by learning and erasure, exclusive for a rebuild.
 *  2. advisory `imports:<layer>`: counts the open imports of an organization (`import-limits.ts`).
 *  3. `imports`: one import, by the process that commits it.
 *  4. `layers`: one row per layer, by imports and erasure, which change its sums.
 *  5. `device_scans`: the tracks of devices, by id.
 *     Then `network_evidence`, by id.
 *  6. `observations`, by id. The expired-record sweep skips locked rows.
 *  7. `learned_access_points`, by BSSID and layer.
 *  8. `reference_sets`, by project, before the rows of `reference_scans` that belong to it.
 *  9. `learned_cells`, by key and layer. Last, because many learners wait for the row of one cell.
 * 10. `forgotten_*`: tombstones, by key.
 * 11. `latest_positions`, by project and serial number, by the triggers of `device_positions`.
 *
 * SWEEPING, advisory, by layer, belongs to a session and not to a transaction. It saves double work; nothing depends on it.
 */

/** Advisory lock 1: "lear". */
const LEARNING = 0x6c65_6172
/** The advisory lock of the erasure sweep: "swep". */
const SWEEPING = 0x7377_6570

type Client = Pick<pg.ClientBase, 'query'>

/** Keeps layers from being rebuilt until the transaction ends. Shared: many learn at the same time. */
export async function lockLayers(client: Client, layers: readonly string[]): Promise<void> {
  for (const layer of [...layers].sort())
    await client.query({
      name: 'lock-layer',
      text: `SELECT pg_advisory_xact_lock_shared(${String(LEARNING)}, hashtext($1))`,
      values: [layer],
    })
}

/** Returns an SQL condition that takes the same lock without waiting. A waiting {@link takeLayer} comes first. */
export function tryLayerSql(layer: string): string {
  return `pg_try_advisory_xact_lock_shared(${String(LEARNING)}, hashtext(${layer}))`
}

/** Locks those layers that are free, without waiting. @returns those layers */
export async function tryLayers(client: Client, layers: readonly string[]): Promise<Set<string>> {
  const text = `SELECT layer FROM unnest($1::text[]) AS asked (layer) WHERE ${tryLayerSql('layer')}`
  const rows = await readRows(client, { name: 'try-layers', text, columns: { layer: 'text' } }, [layers])
  return new Set(rows.map(({ layer }) => layer))
}

/** Waits until nobody learns in a layer, and keeps others from it until the transaction ends. */
export async function takeLayer(client: Client, layer: string): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock(${String(LEARNING)}, hashtext($1))`, [layer])
}

/** Locks the sums of a layer, which imports and erasure change. Creates the row if there is none. */
export async function lockLayerSums(client: Client, layer: string, now: Date): Promise<void> {
  await client.query('INSERT INTO layers VALUES ($1, 0, 0, $2) ON CONFLICT DO NOTHING', [layer, now])
  await client.query('SELECT FROM layers WHERE organization_id = $1 FOR UPDATE', [layer])
}

/** Takes the sweep of a layer for this session if no other process has it. @returns whether it does now */
export async function tryToSweep(client: Client, layer: string): Promise<boolean> {
  const text = `SELECT pg_try_advisory_lock(${String(SWEEPING)}, hashtext($1)) AS taken`
  const [row] = await readRows(client, { text, columns: { taken: 'bool' } }, [layer])
  return row?.taken === true
}

/** Releases the sweep of a layer. */
export async function endSweep(client: Client, layer: string): Promise<void> {
  await client.query(`SELECT pg_advisory_unlock(${String(SWEEPING)}, hashtext($1))`, [layer])
}
