import { z } from 'zod'
import { event, operation } from '../../operation.js'
import { Id, ProjectScope } from '../../primitives.js'
import { FileKind } from './file.js'
import { NORMAL_SAMPLING, Sampling } from '../devices/sampling.js'

/** Decisions of a project about the data of its devices. */
export const DataPolicy = z
  .object({
    bytes_per_day: z
      .int()
      .min(0)
      .max(2 ** 50)
      .nullable()
      .describe('Bytes of chunks that its devices may send in a day (UTC): at most 2^50; null: any number.'),
    requests_per_minute: z
      .int()
      .min(0)
      .max(1_000_000_000)
      .nullable()
      .describe('Requests with chunks in a minute by all of its devices; null: any number.'),
    device_requests_per_minute: z
      .int()
      .min(0)
      .max(1_000_000_000)
      .nullable()
      .describe('Requests with chunks in a minute by each device; null: any number.'),
    retention_days: z
      .int()
      .min(1)
      .max(3_650)
      .nullable()
      .describe('Days after which a chunk is deleted; null: never.'),
    known_devices_only: z
      .boolean()
      .describe('Whether only known devices may send: registered ones, and those that have sent before.'),
    file_bytes: z
      .partialRecord(FileKind, z.int().min(0).max(Number.MAX_SAFE_INTEGER))
      .default({})
      .describe(
        'The most bytes of one file, by its kind. What the installation allows is never exceeded, and holds for all other kinds.',
      ),
    files_bytes: z
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .nullable()
      .default(null)
      .describe(
        'The most bytes that all of its files may have together, up to what the installation allows; null: as that has it.',
      ),
    file_retention_days: z
      .partialRecord(FileKind, z.int().min(1).max(3_650))
      .default({})
      .describe('Days after which a file is deleted, by its kind. A kind that is not named is kept.'),
    sampling: Sampling.default(NORMAL_SAMPLING).describe(
      'What agents of its devices send, by aspect. Agents read it with `POST /api/v0/device-config`.',
    ),
  })
  .meta({ id: 'DataPolicy' })

/** Policy of a project that has set none. */
export const DEFAULT_DATA_POLICY: z.output<typeof DataPolicy> = {
  bytes_per_day: null,
  requests_per_minute: null,
  device_requests_per_minute: null,
  retention_days: null,
  known_devices_only: false,
  file_bytes: {},
  files_bytes: null,
  file_retention_days: {},
  sampling: NORMAL_SAMPLING,
}

export const showDataPolicy = operation({
  subject: 'management.v1.data-policy.show',
  summary: 'Show what a project allows its devices to send, and how long it is kept',
  input: z.object(ProjectScope),
  output: DataPolicy,
  errors: ['project_not_found'],
  permission: 'data-policy:read',
})

export const changeDataPolicy = operation({
  subject: 'management.v1.data-policy.change',
  summary: 'Change what a project allows its devices to send, and how long it is kept',
  description:
    'Every gateway applies it within a second. Over a quota, devices receive 503 with `Retry-After`. Each gateway counts quotas itself, and they fail open: if a gateway cannot fetch them again, it applies the last known policy.',
  input: z.object({ ...ProjectScope, ...DataPolicy.shape }),
  output: DataPolicy,
  errors: ['project_not_found'],
  permission: 'data-policy:change',
})

export const findDataPolicy = operation({
  subject: 'management.v1.data-policy.find',
  summary: "Return a project's data policy, and how much came today, to the gateway",
  input: z.object({ project_id: Id }),
  output: DataPolicy.extend({
    bytes_today: z.int().min(0).describe('Bytes of chunks that were stored for it today (UTC).'),
    organization: z
      .object({ id: Id, bytes_per_day: DataPolicy.shape.bytes_per_day, bytes_today: z.int().min(0) })
      .optional()
      .describe(
        'The same of all projects of its organization together. Absent from a management of an earlier version.',
      ),
  }),
  errors: [],
  permission: 'internal',
  timeoutMs: 2_000,
})

/** A project has another data policy. */
export const dataPolicyChanged = event({
  subject: 'management.v1.data-policy.changed',
  data: z.object({ id: Id, project_id: Id }),
})
