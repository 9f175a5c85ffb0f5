import type pg from 'pg'
import { rebuildLayer, type Rebuilt } from '../learn/rebuild-layer.js'

/** Rebuilds a layer in a transaction of its own. */
export async function rebuild(client: pg.ClientBase, layer: string, now: Date): Promise<Rebuilt> {
  await client.query('BEGIN')
  const rebuilt = await rebuildLayer(client, layer, now)
  await client.query('COMMIT')
  return rebuilt
}
