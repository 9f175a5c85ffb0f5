import { z } from 'zod'
import { event, operation } from '../../operation.js'
import { Id, OrganizationScope, Timestamp } from '../../primitives.js'
import { MacAddress } from './mac-address.js'
import { MAX_PACKED_CELLS, PACKED_CELL_BYTES } from '../cells/packed-cells.js'
import { PACKED_ROW_BYTES } from './packed-rows.js'

/** The most rows in one batch of an import. A batch has to fit into one NATS message (1 MiB). */
export const MAX_BATCH_ROWS = 5_000

/** The most rows in one batch that is packed. */
export const MAX_PACKED_ROWS = 16_384

const MAX_PACKED_CHARACTERS = Math.ceil((MAX_PACKED_ROWS * PACKED_ROW_BYTES) / 3) * 4
const MAX_PACKED_CELL_CHARACTERS = Math.ceil((MAX_PACKED_CELLS * PACKED_CELL_BYTES) / 3) * 4

/** The most imports on a page. */
const MAX_LISTED_IMPORTS = 100

/** Owner of the access points: an organization, or null for the base layer (operators only). */
const LayerScope = { organization_id: Id.nullable() }

/**
 * Content of the rows of an import.
 * - `observations`: an access point was heard here, this strong; many per access point, combined to one position.
 * - `positions`: an access point is here; one per access point, replaces what was known.
 * - `cells`: a radio cell is heard here; one per cell, replaces what was known.
 */
export const ImportContent = z.enum(['observations', 'positions', 'cells'])

/** One row: where, and for observations how strong. */
export const ImportRow = z.tuple([
  MacAddress,
  /** Latitude in degrees, WGS 84. */
  z.number().min(-90).max(90),
  /** Longitude in degrees, WGS 84. */
  z.number().min(-180).max(180),
  /** Signal strength in dBm; null where it is not known and for positions. */
  z.number().min(-128).max(0).nullable(),
])

/** An import of access points or of radio cells: begun, filled batch by batch, committed; nothing of it is visible before that. */
export const AccessPointImport = z
  .object({
    id: Id,
    content: ImportContent,
    state: z.enum(['open', 'committing', 'committed', 'failed']),
    created_at: Timestamp,
    batches: z.int().min(0).describe('Batches and rows that have been accepted.'),
    rows: z.int().min(0),
    next_batch: z
      .int()
      .min(0)
      .describe(
        'Of these the batches from 0 without a gap, and their rows: who was interrupted continues behind them.',
      ),
    next_row: z.int().min(0),
    added: z
      .int()
      .min(0)
      .nullable()
      .describe(
        'Once committed: access points or cells that were not known before, and known ones whose position has changed.',
      ),
    updated: z.int().min(0).nullable(),
    failure: z.string().nullable().describe('Once failed: why, and what to do.'),
  })
  .meta({ id: 'AccessPointImport' })

export const beginImport = operation({
  subject: 'location.v1.access-point-import.begin',
  summary: 'Begin an import of access points or radio cells',
  description:
    'The digest names the content: an import of the same content into the same layer that is open, running or done is returned instead of a new one, so imports are idempotent.',
  input: z.object({
    ...LayerScope,
    content: ImportContent,
    digest: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('SHA-256 over the file, as 64 hexadecimal digits.'),
  }),
  output: AccessPointImport,
  errors: ['quota_exceeded'],
  permission: 'access-point:import',
})

export const appendToImport = operation({
  subject: 'location.v1.access-point-import.append',
  summary: 'Add a batch of rows to an import',
  description:
    'Batches are numbered from 0. Sending a batch again replaces it. The rows come as JSON, or packed: three times as many fit into a batch then.',
  input: z.object({
    ...LayerScope,
    import_id: Id,
    batch: z.coerce.number().int().min(0).max(1_000_000),
    rows: z.array(ImportRow).min(1).max(MAX_BATCH_ROWS).optional().describe('Either this …'),
    packed: z
      .string()
      .min(1)
      .max(MAX_PACKED_CHARACTERS)
      .optional()
      .describe(
        '… or this: base64 of 15 bytes for each row, big-endian: 6 bytes BSSID, 4 bytes latitude and 4 bytes longitude in 10⁻⁷ degrees (signed), 1 byte signal strength in dBm (signed, 0 where it is not known).',
      ),
    packed_cells: z
      .string()
      .min(1)
      .max(MAX_PACKED_CELL_CHARACTERS)
      .optional()
      .describe(
        '… or, where the import is of cells, this: base64 of 31 bytes for each cell, big-endian: 1 byte radio (2 GSM, 3 UMTS, 4 LTE, 5 NR), 2 bytes country code, 2 bytes network code, 4 bytes area code, 6 bytes identity, 4 bytes latitude and 4 bytes longitude in 10⁻⁷ degrees (signed), 4 bytes range in meters (0 where it is not known), 4 bytes number of observations.',
      ),
  }),
  output: z.object({ rows: z.int() }),
  errors: ['import_not_found', 'import_conflict', 'quota_exceeded'],
  permission: 'access-point:import',
  timeoutMs: 15_000,
})

export const commitImport = operation({
  subject: 'location.v1.access-point-import.commit',
  summary: 'Make an import visible',
  description: 'Returns immediately. Poll the import until its state is `committed` or `failed`.',
  input: z.object({
    ...LayerScope,
    import_id: Id,
    batches: z
      .int()
      .min(0)
      .describe('How many batches and rows were sent. What was stored must be the same.'),
    rows: z.int().min(0),
  }),
  output: AccessPointImport,
  errors: ['import_not_found', 'import_conflict'],
  permission: 'access-point:import',
})

export const showImport = operation({
  subject: 'location.v1.access-point-import.show',
  summary: 'Show the progress of an import',
  input: z.object({ ...LayerScope, import_id: Id }),
  output: AccessPointImport,
  errors: ['import_not_found'],
  permission: 'access-point:import',
})

export const listImports = operation({
  subject: 'location.v1.access-point-import.list',
  summary: 'List the imports of an organization',
  description:
    'The newest first. An import that is not committed expires a day after its last batch, and then is not in the list.',
  input: z.object({
    ...OrganizationScope,
    per_page: z.int().min(1).max(MAX_LISTED_IMPORTS).default(20),
    cursor: Id.optional().describe('The `next` of the previous page.'),
  }),
  output: z.object({
    data: z.array(AccessPointImport),
    next: Id.nullable().describe('The `cursor` of the next page; null: this is the last one.'),
  }),
  errors: [],
  permission: 'access-point:import',
})

/** Positions of a layer have changed. Caches drop them. */
export const accessPointsChanged = event({
  subject: 'location.v1.access-points.changed',
  data: z.object({ id: Id, ...LayerScope }),
})
