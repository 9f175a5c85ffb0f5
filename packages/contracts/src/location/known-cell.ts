import { z } from 'zod'
import { operation } from '../operation.js'
import { OrganizationScope, Timestamp } from '../primitives.js'

/** What a radio cell is found by, all of it. Checked together: what is in range depends on the radio (`isUsableCell`). */
export const CellIdentity = {
  radioType: z.enum(['gsm', 'wcdma', 'lte', 'nr']),
  mobileCountryCode: z.int().min(1).max(999),
  mobileNetworkCode: z.int().min(0).max(999),
  /** Location area or tracking area code. */
  locationAreaCode: z.int().min(0),
  /** Cell identity: 16 bits of GSM, 28 of UMTS and LTE, 36 of NR. */
  cellId: z.int().min(0),
}

/** How many radio cells an export reads per query. */
export const EXPORTED_CELLS = 2_000

/** A radio cell, as its owner may see it. */
export const KnownCell = z
  .object({
    ...CellIdentity,
    /** Middle of where it is heard, in degrees, WGS 84. */
    lat: z.number().min(-90).max(90),
    lon: z.number().min(-180).max(180),
    /** How far from there it is heard, in meters; 0 where the source does not say. */
    range: z.number().min(0),
    /** How many observations that comes from; of what was learned those that are independent. */
    samples: z.int().min(1),
    /** Whether it was learned from observations; else it was imported. */
    learned: z.boolean(),
    updated_at: Timestamp,
  })
  .meta({ id: 'KnownCell' })
export type KnownCell = z.infer<typeof KnownCell>

export const exportCells = operation({
  subject: 'location.v1.cell.export',
  summary: "Export an organization's own radio cells",
  description:
    'All that the organization has imported and nobody heard, and then all that was learned from what it contributed, as look-ups take them, each in the order of their identities; each cell once, never those of the shared layer, and never those of others. A connection that ends before the last chunk is an export that is not whole.',
  input: z.object({
    ...OrganizationScope,
    /** The `next` of the previous reply; without it the export starts. */
    cursor: z.string().max(64).optional(),
  }),
  output: z.object({ data: z.array(KnownCell), next: z.string().nullable() }),
  errors: [],
  permission: 'access-point:export',
  timeoutMs: 15_000,
})
