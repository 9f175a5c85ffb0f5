import type pg from 'pg'
import { inTurns } from '../ground/in-turns.js'
import { copyInto } from './copy-rows.js'
import { ADDED_COLUMNS, type Changes, type Gathering } from './gathering.js'

/**
 * Merges gathered rows into a layer, adds the result to the changes, and empties the gathering.
 *
 * Rows that the layer does not have go straight into the table that look-ups read, in the order of its primary key: nothing else adds
 * to the layer meanwhile, so nothing can come in between. It needs no second copy, and each page of the index is looked for
 * once.
 *
 * @param client in the transaction of the commit, which holds the lock of the layer
 */
export async function mergeGathered(
  client: pg.ClientBase,
  gathering: Gathering,
  changes: Changes,
): Promise<void> {
  const order = await inTurns(gathering.inOrder())
  const missing = await gathering.mergeKnown(client, order, changes)
  if (missing.length > 0) {
    const { template, write } = gathering.added
    await copyInto(client, `access_points (${ADDED_COLUMNS})`, missing, {
      template,
      write: (view, start, number) => {
        changes.observations += gathering.observations(number)
        write(view, start, number)
      },
    })
    changes.added += missing.length
  }
  gathering.clear()
}
