import { expect, it } from '@jest/globals'
import { formatCell } from '@bearing/contracts/location/cells/cell-identity'
import { readCells, type SentCells } from './read-cells.js'

const TOWER = { mobileCountryCode: 262, mobileNetworkCode: 1, locationAreaCode: 7, cellId: 9 }
const found = (sent: SentCells, radioType?: string) => readCells(sent, radioType).map(formatCell)

it.each([
  ['zero', 0],
  ['none', -1],
  ['one that is left over', 12],
])('the identity of NR says nothing of other radios: %s', (_, newRadioCellId) => {
  const tower = { ...TOWER, newRadioCellId }
  expect(found({ cellTowers: [tower] })).toEqual(['lte,262,1,7,9'])
  expect(found({ cellTowers: [{ ...tower, radioType: 'gsm' }] })).toEqual(['gsm,262,1,7,9'])
  expect(found({ cellTowers: [{ ...tower, cellId: null }] })).toEqual([])
})

it('is that of an NR cell, and the other one if it has none', () => {
  const radioType = 'nr'
  expect(found({ cellTowers: [{ ...TOWER, radioType, newRadioCellId: 12 }] })).toEqual(['nr,262,1,7,12'])
  expect(found({ cellTowers: [{ ...TOWER, radioType }] })).toEqual(['nr,262,1,7,9'])
})

it('what could not be read, and nothing, is no cell', () => {
  const lte = [undefined, { mcc: 262, mnc: 1, tac: 7, eci: 9 }, { mcc: 262 }]
  expect(found({ cellTowers: [undefined, TOWER], lte })).toEqual(['lte,262,1,7,9'])
  expect(found({ cellTowers: null, lte: null })).toEqual([])
})

it('cells that do not say their radio have that of the request', () => {
  expect(found({ cellTowers: [TOWER, { ...TOWER, radioType: 'lte' }] }, 'gsm')).toEqual([
    'gsm,262,1,7,9',
    'lte,262,1,7,9',
  ])
})
