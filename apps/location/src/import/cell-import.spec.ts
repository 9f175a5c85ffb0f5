import { forSuite, namedStack } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { showAccessPointStatistics } from '@bearing/contracts/location/access-points/access-point'
import { appendToImport } from '@bearing/contracts/location/access-points/access-point-import'
import { resolveCellLocation } from '@bearing/contracts/location/cells/cell'
import { MAX_PACKED_CELLS, packCells, type PlacedCell } from '@bearing/contracts/location/cells/packed-cells'
import { v7 } from 'uuid'
import {
  append,
  begin,
  Callers,
  commit,
  show,
  type Caller,
  type ShownImport,
} from '../testing/test-caller.js'

const stack = namedStack('location')
const callers = forSuite(() => Callers.open(stack.natsUrl))

type Organization = Caller & { readonly organizationId: string }

/** Countries that no other test is in. */
let countries = 100
function newCells(count: number, more: Partial<PlacedCell> = {}): PlacedCell[] {
  countries++
  return Array.from({ length: count }, (_, cell) => ({
    ...{ radio: 4 as const, mcc: countries, mnc: 1, area: 7, cell },
    ...{ lat: 48, lon: 11, range: 800, samples: 10 },
    ...more,
  }))
}

const packed = (cells: readonly PlacedCell[]) => Buffer.from(packCells(cells)).toString('base64')

function send(caller: Caller, import_id: string, batch: number, packed_cells: string) {
  return caller.call(appendToImport, {
    organization_id: caller.organizationId,
    import_id,
    batch,
    packed_cells,
  })
}

async function importCells(caller: Caller, ...parts: readonly PlacedCell[][]): Promise<ShownImport> {
  const { id } = await begin(caller, 'cells', v7())
  for (const [batch, cells] of parts.entries()) await send(caller, id, batch, packed(cells))
  let shown = await commit(caller, id, parts.length, parts.flat().length)
  while (shown.state === 'committing') shown = await show(caller, id)
  return shown
}

async function locate(caller: Organization, cell: PlacedCell | undefined) {
  return caller.call(resolveCellLocation, {
    organization_id: caller.organizationId,
    project_id: v7(),
    lte: [{ mcc: cell?.mcc, mnc: cell?.mnc, tac: cell?.area, eci: cell?.cell }],
  })
}

const at = (lat: number) => ({ lat: expect.closeTo(lat, 5) as unknown as number, fulfilledWith: 'SCELL' })
const UNKNOWN = { code: 'location_not_found' }

describe('an import of cells', () => {
  it('is what positions are found with, for its organization alone, and changes no count of access points', async () => {
    const [mine, theirs] = [await callers.newOrganization(), await callers.newOrganization()]
    const cells = newCells(2 * MAX_PACKED_CELLS + 3)
    const parts = [0, 1, 2].map((part) => cells.slice(part * MAX_PACKED_CELLS, (part + 1) * MAX_PACKED_CELLS))
    expect(await importCells(mine, ...parts)).toMatchObject({
      ...{ content: 'cells', state: 'committed', added: cells.length, updated: 0 },
    })
    expect(await locate(mine, cells.at(-1))).toMatchObject(at(48))
    await expect(locate(theirs, cells[0])).rejects.toMatchObject(UNKNOWN)
    const { organization } = await mine.call(showAccessPointStatistics, {
      organization_id: mine.organizationId,
    })
    expect(organization).toMatchObject({ access_points: 0, observations: 0 })
  })

  it('replaces what was known; the last row of a cell wins, and imported cells win over shared ones', async () => {
    const mine = await callers.newOrganization()
    const shared = newCells(1)
    const moved = shared.map((cell) => ({ ...cell, lat: 50 }))
    const [cell] = shared
    expect(await importCells(callers.operator, shared)).toMatchObject({ added: 1, updated: 0 })
    expect(await locate(mine, cell)).toMatchObject(at(48))
    expect(await importCells(mine, [...shared, ...moved])).toMatchObject({ added: 1, updated: 0 })
    expect(await locate(mine, cell)).toMatchObject(at(50))
    expect(await importCells(mine, shared)).toMatchObject({ added: 0, updated: 1 })
    expect(await locate(mine, cell)).toMatchObject(at(48))
    const other = await callers.newOrganization()
    expect(await locate(other, cell)).toMatchObject(at(48))
  })

  it('takes cells alone, and no import of access points takes any', async () => {
    const mine = await callers.newOrganization()
    const cells = await begin(mine, 'cells', v7())
    const positions = await begin(mine, 'positions', v7())
    await expect(append(mine, cells.id, 0, [['02:00:00:00:00:11', 48, 11, null]])).rejects.toMatchObject({
      code: 'import_conflict',
    })
    await expect(send(mine, positions.id, 0, packed(newCells(1)))).rejects.toMatchObject({
      code: 'import_conflict',
    })
  })

  it.each([
    ['of half a cell', Buffer.alloc(40).toString('base64')],
    ['of an unknown radio', packed(newCells(1, { radio: 9 as 4 }))],
    ['of a country that there is not', packed(newCells(1, { mcc: 1_000 }))],
    ['with an identity that is too large', packed(newCells(1, { cell: 2 ** 28 }))],
    ['beyond the pole', packed(newCells(1, { lat: 91 }))],
    ['beyond 180°', packed(newCells(1, { lon: 181 }))],
    ['that nobody has observed', packed(newCells(1, { samples: 0 }))],
    ['that are too many', packed(newCells(MAX_PACKED_CELLS + 1))],
  ])('refuses cells %s', async (_, packed_cells) => {
    const mine = await callers.newOrganization()
    const { id } = await begin(mine, 'cells', v7())
    await expect(send(mine, id, 0, packed_cells)).rejects.toMatchObject({ code: 'invalid_input' })
  })
})
