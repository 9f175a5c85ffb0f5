import type pg from 'pg'

/** Tells these advisory locks from others. */
export const LEARNING = 0x6c65_6172

/**
 * Keeps layers from being learned anew until the transaction ends. Many may learn at the same time.
 *
 * @param client in a transaction
 */
export async function lockLayers(client: pg.ClientBase, layers: readonly string[]): Promise<void> {
  for (const layer of [...layers].sort())
    await client.query({
      name: 'lock-layer',
      text: `SELECT pg_advisory_xact_lock_shared(${String(LEARNING)}, hashtext($1))`,
      values: [layer],
    })
}

/**
 * The same without waiting, of those layers that it can be said of at once. Who waits for one by {@link takeLayer} comes first.
 *
 * @param client in a transaction
 * @returns those layers
 */
export async function tryLayers(client: pg.ClientBase, layers: readonly string[]): Promise<Set<string>> {
  const { rows } = await client.query<[string]>({
    name: 'try-layers',
    text: `SELECT layer FROM unnest($1::text[]) AS asked (layer)
      WHERE pg_try_advisory_xact_lock_shared(${String(LEARNING)}, hashtext(layer))`,
    values: [layers],
    rowMode: 'array',
  })
  return new Set(rows.map(([layer]) => layer))
}

/** Waits until nobody learns in a layer, and keeps others from it until the transaction ends. */
export async function takeLayer(client: pg.ClientBase, layer: string): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock(${String(LEARNING)}, hashtext($1))`, [layer])
}
