import { expect, it } from '@jest/globals'
import { BATCH_ROWS, cutBatches } from './cut-batches.js'
import type { ReadRow } from './row-reader.js'

async function collect(pieces: ReadRow[][]): Promise<ReadRow[][]> {
  const batches: ReadRow[][] = []
  for await (const batch of cutBatches(asynchronous(pieces))) batches.push(batch)
  return batches
}

async function* asynchronous<Item>(items: Item[]): AsyncGenerator<Item> {
  for (const item of items) yield await Promise.resolve(item)
}

const rows = Array.from({ length: BATCH_ROWS * 2 + 3 }, (_, index): ReadRow => [
  '001a2b3c4d5e',
  index / 1e7,
  2,
  null,
])

it('batches do not depend on how the file was read in pieces', async () => {
  const whole = await collect([rows])
  const pieces = await collect([rows.slice(0, 1), [], rows.slice(1, 7_001), rows.slice(7_001)])
  expect(pieces).toEqual(whole)
  expect(whole.map((batch) => batch.length)).toEqual([BATCH_ROWS, BATCH_ROWS, 3])
})

it('the largest possible batch is below 700 KiB as JSON', () => {
  const longest: ReadRow = ['ffffffffffff', -89.9999999, -179.9999999, -128]
  expect(JSON.stringify(Array.from({ length: BATCH_ROWS }, () => longest)).length).toBeLessThan(700 * 1_024)
})
