import { z } from 'zod'
import { operation } from '../operation.js'
import { Id, ProjectScope } from '../primitives.js'
import { readNumber } from './any-number.js'
import { MAX_CELLS, SentCellTower, readCellTower } from './cell.js'
import { HeardAccessPoints, atMost, inRange, readable } from './heard-access-point.js'
import { sentEntry } from './sent-entry.js'

/** The most observations in one submission. Its body has at most 512 KiB. */
export const MAX_OBSERVATIONS = 1_000
/** Largest body of a submission, in bytes: what becomes of it fits into one message of NATS (1 MiB). */
export const MAX_SUBMISSION_BYTES = 512 * 1_024

/** Largest body of `POST /v2/geosubmit`, in bytes, decompressed. The gateway splits it into several submissions. */
export const MAX_GEOSUBMIT_BYTES = 4 * 1_024 * 1_024

const HOUR_MS = 3_600_000

const WORST_ACCURACY_METERS = 1e6
const MOST_SPEED = 1_000

function readAccuracy(value: number | null | undefined): number | undefined {
  if (value === undefined || value === null) return undefined
  return value < 0 ? WORST_ACCURACY_METERS : Math.min(WORST_ACCURACY_METERS, value)
}

function readSpeed(value: number | null | undefined): number | undefined {
  return value === undefined || value === null || value < 0 ? undefined : Math.min(MOST_SPEED, value)
}

/** Where a scan was taken. What is out of range counts as not given, but for what says that the position is bad. */
const Position = z
  .object({
    latitude: z.number().min(-90).max(90).describe('Degrees, WGS 84.'),
    longitude: z.number().min(-180).max(180),
    accuracy: z
      .number()
      .nullish()
      .transform(readAccuracy)
      .describe(
        'How far the position may be off, in meters. 10 where it is not given. Less than 0 says that the position is none (as phones do), and counts as the most there is: nothing is learned from it.',
      ),
    age: atMost(-HOUR_MS, HOUR_MS).describe(
      'How long before `timestamp` the device was there, in milliseconds; more than an hour counts as one.',
    ),
    speed: z
      .number()
      .nullish()
      .transform(readSpeed)
      .describe('Meters a second. Less than 0 counts as not given.'),
    altitude: inRange(-1e4, 1e5).describe(
      'Meters above the sea. Read for the sake of clients that send it, as what follows.',
    ),
    heading: inRange(0, 360).describe('Degrees, clockwise from north.'),
    source: z.string().nullish().describe('`gps`, `network`, `manual` or another word for where it is from.'),
  })
  .meta({ id: 'ObservedPosition' })

/**
 * A radio cell as a device heard it. Whatever is wrong with it costs that cell alone: many devices send halves of them.
 */
const ObservedCellTower = sentEntry(
  'ObservedCellTower',
  SentCellTower.extend({
    signalStrength: z.number().nullish().describe('Received signal strength in dBm, −156 to −1.'),
    age: z
      .number()
      .nullish()
      .describe('How long ago it was heard, in milliseconds. What is older than 20 s is not learned from.'),
  }),
  (sent) => ({
    ...readCellTower(sent),
    signalStrength: readNumber(sent.signalStrength),
    age: readNumber(sent.age),
  }),
)

/** What an observation is called by who contributes it. */
const ObservationName = z.string().min(1).max(128)

/** What a device heard at a place that it knows (the shape of Mozilla's geosubmit, version 2). */
export const SubmittedObservation = z
  .object({
    id: ObservationName.nullish().describe(
      'Distinguishes observations if neither their content nor an idempotency key of the submission does.',
    ),
    device_id: z
      .string()
      .min(1)
      .max(128)
      .nullish()
      .describe(
        'The device that made it, in any form: repeated readings are recognized by its previous scan. Stored for an hour, as a hash.',
      ),
    timestamp: inRange(0, 1e13).describe(
      'When it was heard, in milliseconds since 1970. Now where it is not given. Nothing is learned from what was heard before 2001 or will be heard: the clock was never set.',
    ),
    position: Position,
    wifiAccessPoints: HeardAccessPoints.nullish()
      .transform((sent) => readable(sent ?? []))
      .describe('One whose address cannot be read costs itself alone.'),
    cellTowers: z
      .array(ObservedCellTower.catch(undefined))
      .max(MAX_CELLS)
      .nullish()
      .transform((sent) => sent?.filter((cell) => cell !== undefined)),
  })
  .meta({ id: 'SubmittedObservation' })
export type SubmittedObservation = z.output<typeof SubmittedObservation>

export const submitObservations = operation({
  subject: 'location.v1.observations.submit',
  summary: 'Contribute scans whose position is known',
  description:
    'Access points and radio cells are learned from them, for the organization alone unless it shares. They are stored when the answer comes, and learned from within seconds. The same again changes nothing: by the header `Idempotency-Key`, else by the `id` of an observation, else by its content. Observations without `device_id` count as those of one device, unless no device could travel like that.',
  input: z.object({
    ...ProjectScope,
    idempotency_key: z
      .string()
      .min(1)
      .max(255)
      .nullish()
      .describe('As the header `Idempotency-Key`: names the submission.'),
    items: z.array(SubmittedObservation).min(1).max(MAX_OBSERVATIONS),
  }),
  output: z
    .object({
      accepted: z.int().min(0).describe('Observations that are stored and will be learned from.'),
      ignored: z
        .int()
        .min(0)
        .describe('Observations without an access point or a radio cell that could be learned from.'),
    })
    .meta({ id: 'SubmittedObservations' }),
  errors: [],
  permission: 'observation:contribute',
})

export const findObservations = operation({
  subject: 'location.v1.observations.find',
  summary: 'Find out which observations are stored',
  description:
    'By their `id`, so that an interrupted client need not send them again. An accepted observation is found some seconds later, until it expires.',
  input: z.object({ ...ProjectScope, ids: z.array(ObservationName).min(1).max(MAX_OBSERVATIONS) }),
  output: z.object({
    known: z.array(z.boolean()).describe('Of each, in the order of `ids`.'),
  }),
  errors: [],
  permission: 'observation:contribute',
})

/** What the subjects of submitted observations begin with; organization and project follow. */
export const OBSERVATIONS_SUBJECT = 'location.v1.observations.submitted'
/** What the subjects of those begin with that could not be learned from. */
export const REJECTED_OBSERVATIONS_SUBJECT = 'location.v1.observations.rejected'

/** A message of the stream: what was submitted, without names. */
export const ObservationMessage = z.object({
  organization_id: Id,
  project_id: Id,
  network: Id.nullable()
    .default(null)
    .describe(
      'Made from the project and the client network, where it came with a project key, which everybody can have. Null: with another credential.',
    ),
  observations: z
    .array(
      z.object({
        id: Id.describe('The same for what was submitted twice.'),
        copy_of: Id.optional().describe(
          'The observation that it was exported from (`exportedFrom`), where it is a copy.',
        ),
        device: Id.nullable().describe("Made from the device's name; null where it did not say."),
        at_seconds: z.number(),
        lat: z.number().min(-90).max(90),
        lon: z.number().min(-180).max(180),
        accuracy_meters: z.number().min(0),
        speed: z.number().min(0).nullable(),
        readings: z.array(
          z.tuple([
            /** BSSID: 48 bits as an integer. */
            z.number(),
            /** Whole dBm. */
            z.int().min(-128).max(-1),
            /** How long before the scan it was heard, in milliseconds; null where the device did not say. */
            z.number().min(0).nullable(),
          ]),
        ),
        cells: z
          .array(
            z.tuple([
              z.literal([2, 3, 4, 5]),
              /** Mobile country and network code. */
              z.int(),
              z.int(),
              /** Location area or tracking area code, and cell identity. */
              z.int(),
              z.int(),
              /** Whole dBm; null where the device did not say, or what no radio reports. */
              z.int().min(-156).max(-1).nullable(),
              /** How long before the scan it was heard, in milliseconds; null where the device did not say. */
              z.number().min(0).nullable(),
            ]),
          )
          .default([])
          .describe('Left out by services from before cells were learned.'),
      }),
    )
    .max(MAX_OBSERVATIONS),
})
export type ObservationMessage = z.output<typeof ObservationMessage>
