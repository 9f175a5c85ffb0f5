import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BearingClient } from '@bearing/client/client'
import { DEMO_ACCESS_POINTS } from './town.js'

const IMPORT_MS = 30_000

/** Imports the access points of the town into the layer of an organization, unless it has them. */
export async function importTown(client: BearingClient, organization: string): Promise<void> {
  const rows = [...DEMO_ACCESS_POINTS]
  const digest = createHash('sha256').update(JSON.stringify(rows)).digest('hex')
  const begun = await client.call('beginImport', { organization, content: 'positions', digest })
  const import_id = begun.id
  let { state, failure } = begun
  if (state === 'open') {
    await client.call('appendToImport', { organization, import_id, batch: 0, rows })
    ;({ state, failure } = await client.call('commitImport', {
      ...{ organization, import_id, batches: 1, rows: rows.length },
    }))
  }
  const deadline = Date.now() + IMPORT_MS
  while (state === 'committing' && Date.now() < deadline) {
    await sleep(100)
    ;({ state, failure } = await client.call('showImport', { organization, import_id }))
  }
  if (state !== 'committed')
    throw new Error(`The access points of the demo were not imported: ${failure ?? state}`)
}
