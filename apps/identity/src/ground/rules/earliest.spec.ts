import { expect, it } from '@jest/globals'
import { earliest } from './earliest.js'

const early = new Date(1_000)
const late = new Date(2_000)

it.each([
  [[], null],
  [[null, null], null],
  [[late, null], late],
  [[null, late, early], early],
  [[early, late], early],
])('the earliest of %j is %j', (moments: (Date | null)[], expected: Date | null) => {
  expect(earliest(...moments)).toEqual(expected)
})
