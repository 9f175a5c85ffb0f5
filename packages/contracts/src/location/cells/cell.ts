import { z } from 'zod'
import { operation } from '../../operation.js'
import { ProjectScope } from '../../primitives.js'
import { readNumber } from '../scans/any-number.js'
import { Fallback, LocationOptions, Stored } from '../lookups/location-options.js'
import { LeftOutParts } from '../access-points/left-out.js'
import { Position } from '../lookups/location.js'
import { sentEntry, type Unread } from '../scans/sent-entry.js'

/** The most cells that one request is located by. Modems report a serving cell and up to some dozens of neighbors. */
export const MAX_CELLS = 64

/** A name that no radio has. */
const UNKNOWN_RADIO = '?'

/** A radio type as it is sent. Nothing, null and an empty text stand for none; what is no text for one that nobody knows. */
export const RadioType = z
  .custom<string | null>()
  .meta({ anyOf: [{ type: 'string' }, { type: 'null' }] })
  .optional()
  .transform(readRadioType)

/** @returns undefined where none is given */
function readRadioType(sent: unknown): string | undefined {
  if (sent === undefined || sent === null || sent === '') return undefined
  return typeof sent === 'string' ? sent : UNKNOWN_RADIO
}

/** A cell, as the widespread geolocation shape has it. */
export const SentCellTower = z.object({
  radioType: z.string().nullish().describe('`gsm`, `wcdma`, `lte` or `nr` (default: `lte`).'),
  mobileCountryCode: z.number().nullish(),
  mobileNetworkCode: z.number().nullish(),
  locationAreaCode: z.number().nullish().describe('Location area or tracking area code.'),
  cellId: z.number().nullish().describe('Cell identity: 16 bits of GSM, 28 of UMTS and LTE.'),
  newRadioCellId: z
    .number()
    .nullish()
    .describe('Cell identity of NR, 36 bits. Of other radios it is not looked at.'),
})

/** Its parts, as far as they can be read. */
export function readCellTower(sent: Unread<typeof SentCellTower>) {
  return {
    radioType: readRadioType(sent.radioType),
    mobileCountryCode: readNumber(sent.mobileCountryCode),
    mobileNetworkCode: readNumber(sent.mobileNetworkCode),
    locationAreaCode: readNumber(sent.locationAreaCode),
    cellId: readNumber(sent.cellId),
    newRadioCellId: readNumber(sent.newRadioCellId),
  }
}

/** One whose numbers no cell can have is not used. */
const CellTower = sentEntry('CellTower', SentCellTower, readCellTower)

/** One LTE cell (LTE-M and NB-IoT too), as modems name its parts. Neighbors without an identity are not used. */
const LteCell = sentEntry(
  'LteCell',
  z.object({
    mcc: z.number().nullish(),
    mnc: z.number().nullish(),
    tac: z.number().nullish().describe('Tracking area code.'),
    eci: z.number().nullish().describe('E-UTRAN cell identity, 28 bits.'),
  }),
  (sent) => ({
    mcc: readNumber(sent.mcc),
    mnc: readNumber(sent.mnc),
    tac: readNumber(sent.tac),
    eci: readNumber(sent.eci),
  }),
)

/** Cells, in one shape or both. Null is none. */
export const HeardCells = {
  cellTowers: z.array(CellTower).nullish(),
  lte: z.array(LteCell).nullish(),
  ltecatm: z
    .array(LteCell)

    .nullish()
    .describe('LTE-M and NB-IoT cells, as some modems name them.'),
  nbiot: z.array(LteCell).nullish(),
}

/** Numbers of cells of a request, by outcome. */
export const CellCounts = z
  .object({
    received: z.int().min(0),
    usable: z.int().min(0).describe('Of them those that a cell can be found by, each once.'),
    known: z.int().min(0).describe('Of them those that are known.'),
    used: z.int().min(0).describe('Of them those that agree, which the position was determined with.'),
  })
  .meta({ id: 'CellCounts' })
export type CellCounts = z.infer<typeof CellCounts>

export const resolveCellLocation = operation({
  subject: 'location.v1.cell.resolve',
  summary: 'Turn radio cells into a position',
  description:
    'Takes `cellTowers`, as the widespread geolocation shape has them, and `lte`, as modems do. Returns 204 if `reply` is false.',
  input: z.object({ ...ProjectScope, ...LocationOptions, ...HeardCells }),
  output: z
    .object({
      ...Position,
      fulfilledWith: z.enum(['MCELL', 'SCELL']),
      cells: CellCounts,
      ...Fallback,
      ...Stored,
      ...LeftOutParts,
    })
    .meta({ id: 'CellLocation' })
    .nullable(),
  errors: ['location_not_found', 'nothing_usable'],
  permission: 'location:resolve',
  batched: true,
  lenient: true,
})
