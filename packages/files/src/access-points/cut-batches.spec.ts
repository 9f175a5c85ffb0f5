import { unpackRows } from '@bearing/contracts/location/access-points/packed-rows'
import { expect, it } from '@jest/globals'
import { BATCH_ROWS, cutBatches, type Batch } from './cut-batches.js'
import type { ReadRow } from './check-row.js'

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

async function collect(pieces: ReadRow[][]): Promise<Batch[]> {
  const batches: Batch[] = []
  for await (const batch of cutBatches(asynchronous(pieces), toBase64)) batches.push(batch)
  return batches
}

async function* asynchronous<Item>(items: Item[]): AsyncGenerator<Item> {
  for (const item of items) yield await Promise.resolve(item)
}

const rows = Array.from({ length: BATCH_ROWS * 2 + 3 }, (_, index): ReadRow => [
  0x001a2b3c4d5e,
  index / 1e7,
  2,
  null,
])

it('batches do not depend on how the file was read in pieces', async () => {
  const whole = await collect([rows])
  const pieces = await collect([rows.slice(0, 1), [], rows.slice(1, 7_001), rows.slice(7_001)])
  expect(pieces).toEqual(whole)
  expect(whole.map((batch) => batch.rows)).toEqual([BATCH_ROWS, BATCH_ROWS, 3])
})

it('batches hold the rows as they are', async () => {
  const written: ReadRow[] = [
    [0xfe_ff_ff_ff_ff_ff, -90, -180, -128],
    [1, 90, 180, -1],
    [0x02_00_00_00_00_01, 48.1234567, -11.7654321, null],
  ]
  const read: unknown[] = []
  for (const { packed } of await collect([written]))
    unpackRows(Buffer.from(packed, 'base64'), (...row) => read.push(row))
  expect(read).toEqual(written.map(([bssid, lat, lon, dbm]) => [bssid, lat, lon, dbm ?? undefined]))
})

it('the largest possible batch is below 700 KiB', async () => {
  const [batch] = await collect([rows])
  expect(batch?.packed.length).toBeLessThan(700 * 1_024)
})
