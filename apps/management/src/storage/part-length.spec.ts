import { describe, expect, it } from '@jest/globals'
import { PART_BYTES, partBytesOf } from '@bearing/contracts/management/data/upload'

describe('the length of the parts of an object', () => {
  it.each([
    ['of today', 3 * PART_BYTES + 1, 4, PART_BYTES],
    ['of today, the last one whole', 4 * PART_BYTES, 4, PART_BYTES],
    ['a single one', 1, 1, PART_BYTES],
    ['stored before parts became shorter', 3 * 512 * 1024 + 1, 4, 512 * 1024],
    ['stored before, a single one', 512 * 1024, 1, 512 * 1024],
  ])('is known: %s', (_, size, parts, bytes) => expect(partBytesOf(size, parts)).toBe(bytes))

  it('is not where some are missing', () => {
    expect(partBytesOf(10 * PART_BYTES, 9)).toBeUndefined()
    expect(partBytesOf(1, 0)).toBeUndefined()
  })
})
