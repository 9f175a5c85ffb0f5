import { RowPacker } from '@bearing/contracts/location/access-points/packed-rows'
import { expect, it } from '@jest/globals'
import { readPayload } from './batch-payload.js'

const ROWS = 5_500

function packed(): Uint8Array {
  const packer = new RowPacker(ROWS)
  // Every hundredth is a group address.
  for (let row = 0; row < ROWS; row++)
    packer.add((row % 100 === 0 ? 0x01_00_00_00_00_00 : 0x02_00_00_00_00_00) + row, 48, 11, -50)
  return packer.bytes()
}

it('a stored batch gives its usable rows in their order, and lets others have their turn in between', async () => {
  const rows: number[] = []
  const seen: number[] = []
  let isDone = false
  const look = () => {
    seen.push(rows.length)
    if (!isDone) setImmediate(look)
  }
  setImmediate(look)
  await readPayload(packed(), (bssid) => rows.push(bssid - 0x02_00_00_00_00_00))
  isDone = true
  expect(rows).toEqual(Array.from({ length: ROWS }, (_, row) => row).filter((row) => row % 100 !== 0))
  // 990 of each thousand.
  expect(seen).toEqual(expect.arrayContaining([990, 1_980, 2_970, 3_960, 4_950]))
})
