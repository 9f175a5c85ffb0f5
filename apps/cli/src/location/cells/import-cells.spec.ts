import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import {
  MAX_PACKED_CELLS,
  unpackCells,
  type PlacedCell,
} from '@bearing/contracts/location/cells/packed-cells'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Import } from '../access-points/import-target.js'
import { CREATED_AT, id, fakeGateway, type Answers } from '../../testing/fake-gateway.js'
import { runCli } from '../../testing/run-cli.js'

let folder: string
let state: Import
let batches: Map<number, PlacedCell[]>
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bearing-spec-'))
  batches = new Map()
  state = {
    ...{ id: id(20), content: 'cells', state: 'open', created_at: CREATED_AT, batches: 0, rows: 0 },
    ...{ next_batch: 0, next_row: 0, added: null, updated: null, failure: null },
  }
})
afterEach(() => rm(folder, { recursive: true }))

const answers: Answers = {
  beginImport: ({ content }) => (state = { ...state, content }),
  appendToImport: ({ batch, packed_cells = '' }) => {
    const cells = unpackCells(Buffer.from(packed_cells, 'base64'))
    batches.set(batch, cells)
    return { rows: cells.length }
  },
  commitImport: ({ rows }) => (state = { ...state, state: 'committed', added: rows, updated: 0 }),
  showImport: () => state,
}

async function importing(content: string | Buffer, ...args: string[]) {
  await using gateway = await fakeGateway(answers)
  const path = join(folder, 'cells.csv')
  await writeFile(path, content)
  const environment = { BEARING_URL: gateway.url, BEARING_ORG_TOKEN: 'T', BEARING_ORG: 'acme' }
  const ran = await runCli(['cells', 'import', path, ...args], { environment })
  return { ...ran, requests: gateway.requests }
}

const HEADER = 'radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal'
const ROWS = [
  'LTE,262,1,7001,25600001,,11.5755,48.1372,1200,9,1,1459813819,1459813819,0',
  'GSM,262,2,801,86355,,13.285,52.522,1000,7,1,1282569574,1300155341,0',
  'UMTS,262,2,801,86355,,13.285,52.522,,,1,1282569574,1300155341,0',
  'NR,262,1,9000,68719476735,,13.3,52.5,500,1,1,1,1,0',
  'CDMA,262,2,801,86355,,13.285,52.522,1000,7,1,1282569574,1300155341,0',
  'LTE,262,1,7001,25600002,,0,0,1200,9,1,1,1,0',
  'LTE,0,1,7001,25600002,,11.5,48.1,1200,9,1,1,1,0',
  'LTE,262,1',
]
const KNOWN = [
  {
    radio: 4,
    mcc: 262,
    mnc: 1,
    area: 7001,
    cell: 25600001,
    lat: 48.1372,
    lon: 11.5755,
    range: 1200,
    samples: 9,
  },
  { radio: 3, mcc: 262, mnc: 2, area: 801, cell: 86355, lat: 52.522, lon: 13.285, range: 0, samples: 1 },
  { radio: 5, mcc: 262, mnc: 1, area: 9000, cell: 2 ** 36 - 1, lat: 52.5, lon: 13.3, range: 500, samples: 1 },
]

describe('an import of cells', () => {
  it.each([
    ['with a header', [HEADER, ...ROWS].join('\n')],
    ['without one, gzipped', gzipSync(ROWS.join('\r\n'))],
  ])('of a file %s sends what can be used, and counts what cannot', async (_, content) => {
    const { code, stdout } = await importing(content, '--json')
    expect(code).toBe(0)
    expect([...batches.values()]).toEqual([KNOWN])
    // A cell of GSM has 16 bits.
    expect(JSON.parse(stdout)).toMatchObject([
      {
        ...{ content: 'cells', state: 'committed', rows_read: 8, rows_sent: 3, added: 3 },
        skipped: { malformed: 1, unknown_radio: 1, unusable_cell: 2, bad_coordinates: 1 },
      },
    ])
  })

  it('of many is sent whole, in parts; an interrupted one resumes behind the received parts', async () => {
    const many = Array.from(
      { length: 2 * MAX_PACKED_CELLS + 5 },
      (_, index) => `LTE,262,1,7001,${String(index)},,11.5,48.1,1200,9,1,1,1,0`,
    ).join('\n')
    expect((await importing(many)).code).toBe(0)
    // Several are sent concurrently.
    const inOrder = [...batches].sort(([a], [b]) => a - b).flatMap(([, cells]) => cells)
    expect(inOrder.map(({ cell }) => cell)).toEqual(
      Array.from({ length: 2 * MAX_PACKED_CELLS + 5 }, (_, index) => index),
    )
    batches.clear()
    state = {
      ...{ ...state, state: 'open', batches: 1, rows: MAX_PACKED_CELLS },
      ...{ next_batch: 1, next_row: MAX_PACKED_CELLS },
    }
    expect((await importing(many)).stderr).toContain('an earlier run was interrupted')
    expect([...batches.keys()].sort()).toEqual([1, 2])
  })

  it('that is tried talks to nobody', async () => {
    const { code, stdout, requests } = await importing([HEADER, ...ROWS].join('\n'), '--dry-run')
    expect({ code, requests }).toEqual({ code: 0, requests: [] })
    expect(stdout).toMatch(/dry run +8 +3/)
    expect(stdout).toContain('Unknown radio type')
  })

  it.each([
    ['a list of access points', 'bssid,lat,lon\n02:00:00:00:00:01,48,11\n', 'not a cell file'],
    ['nothing that can be used', [HEADER, ROWS[4]].join('\n'), '1 (unknown_radio, first in line '],
  ])('of %s is refused', async (_, content, said) => {
    const { code, stderr } = await importing(content)
    expect(code).toBe(2)
    expect(stderr).toContain(said)
  })
})
