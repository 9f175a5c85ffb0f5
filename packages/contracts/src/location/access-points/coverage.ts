import { z } from 'zod'
import { operation } from '../../operation.js'
import { OrganizationScope, Timestamp } from '../../primitives.js'
import { AccessPoint } from './access-point.js'
import { BoundingBoxText } from '../positions/latest-position.js'

/** The most access points of a box that are listed. */
export const MAX_LISTED_ACCESS_POINTS = 2_000

/** If a box has many more, one of so many is counted: those whose address is divisible by it. */
export const COVERAGE_SAMPLE = 61

const Counts = {
  access_points: z.int().min(0).describe('How many access points are there, each once.'),
  imported: z.int().min(0).describe('Of them those whose place was imported.'),
  learned: z.int().min(0).describe('Of them those whose place was learned from observations.'),
  moving: z
    .int()
    .min(0)
    .describe(
      'Of them those that were heard over so wide an area that positions are not determined with them.',
    ),
}

const Box = {
  west: z.number().min(-180).max(180).describe('In degrees, WGS 84.'),
  south: z.number().min(-90).max(90).describe('In degrees, WGS 84.'),
  east: z.number().min(-180).max(180).describe('In degrees, WGS 84.'),
  north: z.number().min(-90).max(90).describe('In degrees, WGS 84.'),
}

/** A cell of the grid that has access points. */
export const CoverageCell = z
  .object({
    ...Box,
    ...Counts,
    median_spread: z
      .number()
      .min(0)
      .nullable()
      .describe(
        'Half of the access points that were observed have a smaller spread, in meters; null if none was observed or all move.',
      ),
    median_updated_at: Timestamp.describe('Half of the access points were imported or heard after that.'),
  })
  .meta({ id: 'CoverageCell' })
export type CoverageCell = z.infer<typeof CoverageCell>

export const showCoverage = operation({
  subject: 'location.v1.access-point.coverage',
  summary: "Show where an organization's own access points are",
  description:
    "Counts the organization's own access points in a grid. Cells are tiles of Web Mercator: squares on a map, at most 48 on each side of the box; cells without access points are left out. Access points of the base layer are never counted. Learned access points are counted where they were when the number of their observations last doubled.",
  input: z.object({
    ...OrganizationScope,
    bbox: BoundingBoxText.optional().describe(
      'Only access points in this box (default: the box around all).',
    ),
    zoom: z
      .int()
      .min(0)
      .max(22)
      .optional()
      .describe(
        'Zoom of the map that shows the grid, where the world is 512 · 2^zoom pixels wide: a cell is 32 pixels then, or more if the box is larger than 48 cells. Default: as fine as possible.',
      ),
  }),
  output: z
    .object({
      cells: z.array(CoverageCell).describe('From west to east, then from north to south.'),
      total: z.object(Counts).describe('Sums over the cells.'),
      bounds: z
        .object(Box)
        .nullable()
        .describe(
          'The smallest box around the cells; null if there are none. West is more than east if `bbox` is.',
        ),
      sampled: z
        .int()
        .min(1)
        .describe(
          `1: all were counted. ${String(COVERAGE_SAMPLE)}: the box has so many that one of ${String(COVERAGE_SAMPLE)} was counted; the counts are multiplied by it, and cells with few may be missing.`,
        ),
    })
    .meta({ id: 'Coverage' }),
  errors: [],
  permission: 'access-point:read',
  timeoutMs: 15_000,
})

/** An access point of a box. */
export const PlacedAccessPoint = AccessPoint.extend({
  moving: z
    .boolean()
    .describe('Whether it was heard over so wide an area that positions are not determined with it.'),
}).meta({ id: 'PlacedAccessPoint' })
export type PlacedAccessPoint = z.infer<typeof PlacedAccessPoint>

export const listAccessPoints = operation({
  subject: 'location.v1.access-point.list',
  summary: "List an organization's own access points in a box",
  description: `At most ${String(MAX_LISTED_ACCESS_POINTS)} of those that \`coverage\` counts, as the export has them. Never access points of the base layer.`,
  input: z.object({
    ...OrganizationScope,
    bbox: BoundingBoxText.optional().describe('The box (default: everywhere).'),
  }),
  output: z
    .object({
      data: z
        .array(PlacedAccessPoint)
        .max(MAX_LISTED_ACCESS_POINTS)
        .describe('In the order of their addresses.'),
      complete: z
        .boolean()
        .describe('Whether these are all of the box; if not, choose a smaller one or export.'),
    })
    .meta({ id: 'PlacedAccessPoints' }),
  errors: [],
  permission: 'access-point:export',
  timeoutMs: 15_000,
})
