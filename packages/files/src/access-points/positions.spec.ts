import { expect, it } from '@jest/globals'
import { fieldsOf } from '../csv/read-csv.js'
import { positionsReader } from './positions.js'

const readerOf = (header: string) => positionsReader(fieldsOf(header) ?? [])
const read = (header: string, row: string) => readerOf(header)?.read(fieldsOf(row) ?? [])

it('columns are found by name, in any order and case', () => {
  const header = 'Vendor,LON,"Bssid",lat'
  expect(read(header, '"Acme, Inc",11.5,00:1a:2b:3c:4d:5e,48.1')).toEqual([0x001a2b3c4d5e, 48.1, 11.5, null])
})

it('a header without the three is refused', () => {
  for (const header of ['address,lat,lon', 'bssid;lat;lon', '"bssid,lat,lon', ''])
    expect(readerOf(header)).toBeUndefined()
})

it('a row whose fields may have moved is skipped', () => {
  const header = 'vendor,bssid,lat,lon'
  expect(read(header, 'Acme, Inc,00:1a:2b:3c:4d:5e,48.1,11.5')).toBe('malformed')
  expect(read(header, 'Acme,00:1a:2b:3c:4d:5e,48.1')).toBe('malformed')
  expect(read(header, 'Acme,00:1a:2b:3c:4d:5e,48.1,11.5,,')).toEqual([0x001a2b3c4d5e, 48.1, 11.5, null])
})

it('a network that asks not to be mapped is left out', () => {
  expect(read('bssid,lat,lon,ssid', '001a2b3c4d5e,1,2,Home_nomap')).toBe('opted_out')
})

it('coordinates are sent to the centimeter', () => {
  expect(read('bssid,lat,lon', '001a2b3c4d5e,1.123456789,-2.123456789')).toEqual([
    0x001a2b3c4d5e,
    1.1234568,
    -2.1234568,
    null,
  ])
})
