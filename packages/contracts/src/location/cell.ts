import { z } from 'zod'
import { operation } from '../operation.js'
import { ProjectScope } from '../primitives.js'
import { AnyNumber } from './any-number.js'
import { Fallback, LocationOptions, Stored } from './location-options.js'
import { Position } from './location.js'

/** The most cells in one request. Modems tell of a serving cell and up to some dozens of neighbours. */
export const MAX_CELLS = 64

/** One cell, as the widespread geolocation shape has it. One whose numbers no cell can have is not used. */
export const CellTower = z
  .object({
    /** `gsm`, `wcdma`, `lte` or `nr`; `lte` unless given. */
    radioType: z.string().nullish(),
    mobileCountryCode: AnyNumber,
    mobileNetworkCode: AnyNumber,
    /** Location area or tracking area code. */
    locationAreaCode: AnyNumber,
    /** Cell identity: 16 bits of GSM, 28 of UMTS and LTE. */
    cellId: AnyNumber,
    /** Cell identity of NR, 36 bits. */
    newRadioCellId: AnyNumber,
  })
  .meta({ id: 'CellTower' })

/** One LTE cell (LTE-M and NB-IoT too), as modems name its parts. Neighbours without an identity are not used. */
export const LteCell = z
  .object({
    mcc: AnyNumber,
    mnc: AnyNumber,
    /** Tracking area code. */
    tac: AnyNumber,
    /** E-UTRAN cell identity, 28 bits. */
    eci: AnyNumber,
  })
  .meta({ id: 'LteCell' })

/** Cells, in one shape or both. */
export const HeardCells = {
  cellTowers: z.array(CellTower).max(MAX_CELLS).optional(),
  lte: z.array(LteCell).max(MAX_CELLS).optional(),
}

/** What became of the cells of a request. */
export const CellCounts = z
  .object({
    received: z.int().min(0),
    /** Of them those that a cell can be found by, each once. */
    usable: z.int().min(0),
    /** Of them those that are known. */
    known: z.int().min(0),
    /** Of them those that agree, which the position was determined with. */
    used: z.int().min(0),
  })
  .meta({ id: 'CellCounts' })
export type CellCounts = z.infer<typeof CellCounts>

export const resolveCellLocation = operation({
  subject: 'location.v1.cell.resolve',
  summary: 'Turn radio cells into a position',
  description:
    'Takes `cellTowers`, as the widespread geolocation shape has them, and `lte`, as modems do. Answers 204 where `reply` is false.',
  input: z.object({ ...ProjectScope, ...LocationOptions, ...HeardCells }),
  output: z
    .object({
      ...Position,
      fulfilledWith: z.enum(['MCELL', 'SCELL']),
      cells: CellCounts,
      ...Fallback,
      ...Stored,
    })
    .meta({ id: 'CellLocation' })
    .nullable(),
  errors: ['location_not_found', 'nothing_usable'],
  permission: 'location:resolve',
  batched: true,
})
