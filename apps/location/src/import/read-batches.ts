import type pg from 'pg'

/** Batches that one query reads: with 16,384 rows each 2 MB. */
const BATCHES_PER_READ = 8

/** Returns the stored batches of an import (`batch-payload.ts`), in the order of their numbers. */
export async function* readBatches(pool: pg.Pool, importId: string): AsyncGenerator<Uint8Array> {
  for (let last = -1; ;) {
    const { rows } = await pool.query<{ batch: number; payload: Buffer }>(
      'SELECT batch, payload FROM import_batches WHERE import_id = $1 AND batch > $2 ORDER BY batch LIMIT $3',
      [importId, last, BATCHES_PER_READ],
    )
    for (const { batch, payload } of rows) {
      last = batch
      yield payload
    }
    if (rows.length < BATCHES_PER_READ) return
  }
}
