import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { inTurns } from '../references/in-turns.js'
import { copyRows } from './copy-rows.js'
import { findKnown } from './find-known.js'
import { ADDED_COLUMNS, type Gathering, type RowForm } from './gathering.js'

/** What an import has changed in its layer. */
export interface Changes {
  added: number
  updated: number
  /** How many more observations the layer has; less than 0 where a list has replaced some. */
  observations: number
}

/**
 * Merges what was gathered into a layer, adds to the changes what this has changed, and empties it.
 *
 * What the layer does not have goes straight into the table that look-ups read, in the order of its primary key: nobody else adds
 * to the layer meanwhile, so nothing can come in between. It needs no second copy, and each page of the index is looked for
 * once. Only what the layer has is put beside it and joined.
 *
 * @param client in the transaction of the commit, which holds the lock of the layer
 * @param now as of which it is
 */
export async function mergeGathered(
  client: pg.ClientBase,
  layer: string,
  now: Date,
  gathering: Gathering,
  changes: Changes,
): Promise<void> {
  const order = await inTurns(gathering.inOrder())
  const { known, unknown } = await findKnown(client, layer, order, (number) => gathering.bssid(number))
  if (unknown.length > 0) {
    const { template, write } = gathering.added
    await copy(client, `access_points (${ADDED_COLUMNS})`, unknown, {
      template,
      write: (view, start, number) => {
        changes.observations += gathering.observations(number)
        write(view, start, number)
      },
    })
    changes.added += unknown.length
  }
  if (known.length > 0) {
    const { create, change } = gathering.merge
    await client.query(create)
    await copy(client, 'gathered', known, gathering.known)
    const { rows } = await client.query<{ access_points: string; observations: string }>(change, [layer, now])
    await client.query('DROP TABLE gathered')
    changes.updated += Number(rows[0]?.access_points ?? 0)
    changes.observations += Number(rows[0]?.observations ?? 0)
  }
  gathering.clear()
}

async function copy(
  client: pg.ClientBase,
  into: string,
  numbers: Uint32Array,
  { template, write }: RowForm,
): Promise<void> {
  const stream = client.query(copyFrom(`COPY ${into} FROM STDIN (FORMAT binary)`))
  await pipeline(copyRows(template, numbers, write), stream)
}
