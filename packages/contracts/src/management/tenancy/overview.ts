import { z } from 'zod'
import { operation } from '../../operation.js'
import { Id, OrganizationScope, ProjectScope, Slug, Timestamp } from '../../primitives.js'
import { LookupCounts, Period, Step } from '../../counts/usage.js'
import { DeviceSerial } from '../devices/device.js'

const Count = z.int().min(0)
const Amount = z.object({ count: Count, bytes: Count })
const MedianRadius = z
  .number()
  .nullable()
  .describe(
    'Median radius of the positions that were found, in meters, at most 12 % away. Null: none was found.',
  )

/** The most devices that an overview counts; of more, shares are those of so many. */
export const MAX_COUNTED_DEVICES = 200_000
/** The most projects in a reply. */
export const MAX_OVERVIEW_PROJECTS = 100

/** Activity in an hour or a day. */
const OverviewPoint = z.object({
  at: Timestamp.describe('Its start.'),
  devices_seen: Count.describe('Different devices that sent something.'),
  chunks: Amount,
  files: Amount.describe('Files that were committed.'),
  lookups: LookupCounts,
  median_radius: MedianRadius,
})

/** An overview of the projects of an organization, or of one project. */
export const Overview = z
  .object({
    period: Period,
    step: Step.describe('The length of a point. Days are in UTC.'),
    points: z
      .array(OverviewPoint)
      .describe('Every point of the period, oldest first. The last one is in progress.'),
    devices: z.object({
      count: Count,
      is_minimum: z
        .boolean()
        .describe(`Whether there are more than ${String(MAX_COUNTED_DEVICES)}, which are counted.`),
      new: Count.describe('Devices whose first data came in the period.'),
      seen: Count.describe('Devices whose latest data came in the period.'),
    }),
    lookups: LookupCounts.describe('The sum of all points.'),
    median_radius: MedianRadius,
    software_versions: z
      .array(z.object({ software_version: z.string().nullable(), devices: Count }))
      .describe('The ten versions of the most devices. Null: devices that have not said it.'),
    projects: z
      .array(
        z.object({
          id: Id,
          slug: Slug,
          name: z.string(),
          devices: Count,
          devices_today: Count.describe('Different devices that sent something today (UTC).'),
          lookups: z.array(Count).describe('Look-ups of each point.'),
          failing_webhooks: Count.nullable().describe(
            'Webhooks whose last attempt failed, or that were paused because of it. Null: you may not see webhooks.',
          ),
        }),
      )
      .describe(`The projects that it is about, at most ${String(MAX_OVERVIEW_PROJECTS)}, by slug.`),
    latest_data: z
      .object({ project_id: Id, device_serial: DeviceSerial, at: Timestamp })
      .nullable()
      .describe('The device that sent something last.'),
    has_access_points: z.boolean().describe('Whether the organization has access points of its own.'),
    has_positions: z.boolean().describe('Whether a position of a device is stored.'),
  })
  .meta({ id: 'Overview' })

const PeriodInput = { period: Period.default('24h') }
const DESCRIPTION =
  'Counts of devices, chunks and files are exact. Look-ups are at most seconds old, and a process that is killed loses those of its last 2 s. Hourly counts are kept for 90 days.'

export const showOverview = operation({
  subject: 'management.v1.overview.show',
  summary: 'Show devices, look-ups and data of all projects that the caller may see',
  description: `${DESCRIPTION} Projects of which the caller may not list the devices are left out.`,
  input: z.object({ ...OrganizationScope, ...PeriodInput }),
  output: Overview,
  errors: [],
  permission: 'project:list',
  timeoutMs: 10_000,
})

export const showProjectOverview = operation({
  subject: 'management.v1.project.show-overview',
  summary: 'Show devices, look-ups and data of a project',
  description: DESCRIPTION,
  input: z.object({ ...ProjectScope, ...PeriodInput }),
  output: Overview,
  errors: ['project_not_found'],
  permission: 'device:read',
  timeoutMs: 10_000,
})
