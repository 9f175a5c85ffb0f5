import { expect, it } from '@jest/globals'
import { cellReader } from './cell-rows.js'

const CELL = { radio: 4, mcc: 262, mnc: 1, area: 7_001, cell: 25_600_001, lat: 48.1, lon: 11.5 }

it.each([
  ['radio,mcc,net,area,cell,unit,lon,lat,range,samples', 'LTE,262,1,7001,25600001,,11.5,48.1,500,3'],
  ['lat,lon,mcc,mnc,lac,cellid,range,samples,radio', '48.1,11.5,262,1,7001,25600001,500,3,LTE'],
  ['"Radio","mcc","mnc","lac","cid","psc","lon","lat"', 'LTE,262,1,7001,25600001,113,11.5,48.1'],
])('columns are found by each of their names: %s', (header, row) => {
  const fields = header.replaceAll('"', '').split(',')
  const read = cellReader(fields)
  expect(read?.(fields)).toBeUndefined()
  expect(read?.(row.split(','))).toMatchObject(CELL)
})

it('a file without a header has the columns of OpenCelliD', () => {
  const row = 'LTE,262,1,7001,25600001,,11.5,48.1,500,3,1,1711111111,1711111111,-90'.split(',')
  expect(cellReader(row)?.(row)).toMatchObject(CELL)
  for (const other of ['LTE,262,1', 'a;b;c', '']) expect(cellReader(other.split(','))).toBeUndefined()
})
