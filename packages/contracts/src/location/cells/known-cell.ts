import { z } from 'zod'
import { operation } from '../../operation.js'
import { OrganizationScope, Timestamp } from '../../primitives.js'

/** Values by which a radio cell is found. Checked together: their ranges depend on the radio (`isUsableCell`). */
export const CellIdentity = {
  radioType: z.enum(['gsm', 'wcdma', 'lte', 'nr']),
  mobileCountryCode: z.int().min(1).max(999),
  mobileNetworkCode: z.int().min(0).max(999),
  locationAreaCode: z.int().min(0).describe('Location area or tracking area code.'),
  cellId: z.int().min(0).describe('Cell identity: 16 bits of GSM, 28 of UMTS and LTE, 36 of NR.'),
}

/** Radio cells that an export reads per query. */
export const EXPORTED_CELLS = 2_000

/** A radio cell, as its owner may see it. */
export const KnownCell = z
  .object({
    ...CellIdentity,
    lat: z.number().min(-90).max(90).describe('Middle of where it is heard, in degrees, WGS 84.'),
    lon: z.number().min(-180).max(180),
    range: z
      .number()
      .min(0)
      .describe('How far from there it is heard, in meters; 0 where the source does not say.'),
    samples: z
      .int()
      .min(1)
      .describe('How many observations that comes from; of what was learned those that are independent.'),
    learned: z.boolean().describe('Whether it was learned from observations; else it was imported.'),
    updated_at: Timestamp,
  })
  .meta({ id: 'KnownCell' })
export type KnownCell = z.infer<typeof KnownCell>

export const exportCells = operation({
  subject: 'location.v1.cell.export',
  summary: "Export an organization's own radio cells",
  description:
    'All that the organization has imported and nobody heard, and then all that was learned from what it contributed, as look-ups take them, each in the order of their identities; each cell once, never those of the base layer, and never those of others. A connection that ends before the last chunk is an export that is not whole.',
  input: z.object({
    ...OrganizationScope,
    cursor: z
      .string()
      .max(64)
      .optional()
      .describe('The `next` of the previous reply; without it the export starts.'),
  }),
  output: z.object({ data: z.array(KnownCell), next: z.string().nullable() }),
  errors: [],
  permission: 'access-point:export',
  timeoutMs: 15_000,
})
