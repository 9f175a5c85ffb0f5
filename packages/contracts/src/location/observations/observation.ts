import { z } from 'zod'
import { operation } from '../../operation.js'
import { Id, ProjectScope } from '../../primitives.js'
import { readNumber } from '../scans/any-number.js'
import { SentCellTower, readCellTower } from '../cells/cell.js'
import {
  HeardAccessPoints,
  atMost,
  inRange,
  readable,
  sentNumber,
} from '../access-points/heard-access-point.js'
import { optionalPart } from '../access-points/left-out.js'
import { ALTITUDE, MAX_FLOOR_NAME, ObservedHeight } from '../lookups/height.js'
import { sentEntry } from '../scans/sent-entry.js'

/** The most observations in one submission. Its body has at most 512 KiB. */
export const MAX_OBSERVATIONS = 1_000
/** Largest body of a submission, in bytes: what becomes of it fits into one message of NATS (1 MiB). */
export const MAX_SUBMISSION_BYTES = 512 * 1_024

/** Largest body of `POST /v2/geosubmit`, in bytes, decompressed. The gateway splits it into several submissions. */
export const MAX_GEOSUBMIT_BYTES = 12 * 1_024 * 1_024

const HOUR_MS = 3_600_000
/**
 * 2001-01-01, in seconds since 1970. No survey of Wi-Fi is older: the first network in WiGLE, the oldest public collection,
 * is of September 2001. Clocks that were never set say 1970 (Unix), 1980 (FAT and GPS), 1999 (GPS weeks, which restarted)
 * or 2000 (clock chips), and seconds given as milliseconds are of January 1970. Sums are exact from here on, too: what was
 * observed 56 half-lives ago would need more bits than a number has.
 */
export const EARLIEST_SECONDS = 978_307_200
const LATEST_MS = 1e13

const WORST_ACCURACY_METERS = 1e6
const MOST_SPEED = 1_000

function readAccuracy(sent: unknown): number | undefined {
  if (sent === undefined || sent === null) return undefined
  const value = readNumber(sent) ?? -1
  return value < 0 ? WORST_ACCURACY_METERS : Math.min(WORST_ACCURACY_METERS, value)
}

function readSpeed(sent: unknown): number | undefined {
  const value = readNumber(sent) ?? -1
  return value < 0 ? undefined : Math.min(MOST_SPEED, value)
}

/** The first time that is none of seconds: 2286 in seconds, April 1970 in milliseconds. */
const FIRST_MILLISECONDS = 1e10

/**
 * Reads a time in milliseconds, or in seconds as clients of other services send it. What cannot be read is not now: it is read as 1970,
 * which nothing is learned from.
 */
function readTimestamp(sent: unknown): number | undefined {
  if (sent === undefined || sent === null) return undefined
  const value = readNumber(sent) ?? 0
  if (value < EARLIEST_SECONDS) return Math.max(0, value)
  return Math.min(LATEST_MS, value < FIRST_MILLISECONDS ? value * 1_000 : value)
}

/** Position of a scan. Values out of range count as not given, except those that say that the position is bad. */
const Position = z
  .object({
    latitude: z.number().min(-90).max(90).describe('Degrees, WGS 84.'),
    longitude: z.number().min(-180).max(180),
    accuracy: sentNumber()
      .transform(readAccuracy)
      .describe(
        'How far the position may be off, in meters. 10 where it is not given. Less than 0 says that the position is none (as phones do), and counts as the most there is: nothing is learned from it.',
      ),
    age: atMost(-HOUR_MS, HOUR_MS).describe(
      'How long before `timestamp` the device was there, in milliseconds; more than an hour counts as one.',
    ),
    speed: sentNumber().transform(readSpeed).describe('Meters a second. Less than 0 counts as not given.'),
    floor: z
      .union([z.string(), z.number().transform(String)])
      .nullish()
      .transform((sent) => sent?.trim())
      .transform((name) => (name && name.length <= MAX_FLOOR_NAME ? name : undefined))
      .catch(undefined)
      .describe(
        `What the floor is called in its building: a text of 1 to ${String(MAX_FLOOR_NAME)} characters, or a number. Positions that are found by this scan later name it.`,
      ),
    altitude: inRange(ALTITUDE.least, ALTITUDE.most).describe('Meters above the sea.'),
    altitudeAccuracy: inRange(0, ALTITUDE.most).describe(
      'How far the altitude may be off, in meters. 10 where it is not given.',
    ),
    heading: inRange(0, 360).describe(
      'Degrees, clockwise from north. Read for the sake of clients that send it, as what follows.',
    ),
    source: z
      .string()
      .nullish()
      .catch(null)
      .describe('`gps`, `network`, `manual` or another word for where it is from.'),
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

/** Name of an observation, from its contributor. */
const ObservationName = z.string().min(1).max(128)

/** A scan of a device at a place that it knows (the shape of Mozilla's geosubmit, version 2). */
export const SubmittedObservation = z
  .object({
    id: ObservationName.nullish()
      .catch(null)
      .describe(
        'Distinguishes observations if neither their content nor an idempotency key of the submission does.',
      ),
    device_id: z
      .string()
      .min(1)
      .max(128)
      .nullish()
      .catch(null)
      .describe(
        'The device that made it, in any form: repeated readings are recognized by its previous scan. Stored for an hour, as a hash.',
      ),
    timestamp: sentNumber()
      .transform(readTimestamp)
      .describe(
        'When it was heard, in milliseconds since 1970; seconds since 1970 are recognized. Now where it is not given. Nothing is learned from what was heard before 2001 or will be heard: the clock was never set.',
      ),
    position: Position,
    wifiAccessPoints: HeardAccessPoints.nullish()
      .transform((sent) => readable(sent ?? []))
      .describe('One whose address cannot be read costs itself alone.'),
    cellTowers: z
      .array(ObservedCellTower.catch(undefined))
      .nullish()
      .transform((sent) => sent?.filter((cell) => cell !== undefined)),
  })
  .meta({ id: 'SubmittedObservation' })
export type SubmittedObservation = z.output<typeof SubmittedObservation>

/**
 * Reasons to learn nothing from an observation.
 * - `malformed`: it has no position, or is no observation.
 * - `nothing_fresh`: no access point and no cell that can be learned from, or none that was heard within 20 s.
 * - The others are those of `implausible` in `@bearing/positioning`.
 */
export const IGNORED = [
  'malformed',
  'nothing_fresh',
  'inaccurate_position',
  'too_fast',
  'null_island',
  'in_the_future',
  'clock_not_set',
  'impossible_jump',
] as const

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
    items: z
      .array(optionalPart(SubmittedObservation))
      .min(1)
      .max(MAX_OBSERVATIONS)
      .describe('1 to 1,000 observations. One that cannot be read costs itself alone.'),
  }),
  output: z
    .object({
      accepted: z.int().min(0).describe('Observations that are stored and will be learned from.'),
      ignored: z.int().min(0).describe('Observations that nothing can be learned from. They are not stored.'),
      reasons: z
        .partialRecord(z.enum(IGNORED), z.int().min(1))
        .optional()
        .describe('Why observations were ignored, and how many for each reason. Left out if none was.'),
      errors: z
        .array(z.object({ pointer: z.string(), detail: z.string() }))
        .optional()
        .describe(
          'What is wrong with the first of the malformed ones; `pointer` is its place in the request.',
        ),
    })
    .meta({ id: 'SubmittedObservations' }),
  errors: [],
  permission: 'observation:contribute',
  lenient: true,
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

/** Prefix of the subjects of submitted observations; organization and project follow. */
export const OBSERVATIONS_SUBJECT = 'location.v1.observations.submitted'
/** Prefix of the subjects of observations that could not be learned from. */
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
        height: ObservedHeight.optional(),
        readings: z.array(
          z.tuple([
            /** BSSID: 48 bits as an integer. */
            z.number(),
            /** Whole dBm. */
            z.int().min(-128).max(-1),
            /** Age at the scan, in milliseconds; null if the device did not say. */
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
              /** Age at the scan, in milliseconds; null if the device did not say. */
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
