import { z } from 'zod'
import type { Mistake } from '../../errors.js'
import { readNumber } from '../scans/any-number.js'
import { MAC_ADDRESS_EXAMPLE, NOT_A_MAC_ADDRESS, parseMacAddress } from './mac-address.js'
import { sentEntry } from '../scans/sent-entry.js'

/** A number as it is sent: whatever it is, it costs nothing else. */
export function sentNumber() {
  return z
    .custom<number | null>()
    .meta({ anyOf: [{ type: 'number' }, { type: 'null' }] })
    .optional()
}

/** Returns a number that counts as not given where it is out of range: one wrong field must not cost the position. */
export function inRange(min: number, max: number) {
  return sentNumber().transform(within(min, max))
}

/** Returns a number that counts as the nearest in range where it is out of it: of what is too old it must not be thought that it is new. */
export function atMost(min: number, max: number) {
  return sentNumber().transform(clamped(min, max))
}

function clamped(min: number, max: number) {
  return (sent: unknown): number | undefined => {
    if (sent === undefined) return undefined
    const value = readNumber(sent)
    return value === undefined || value === null ? undefined : Math.max(min, Math.min(max, value))
  }
}

function within(min: number, max: number) {
  return (sent: unknown): number | undefined => {
    if (sent === undefined) return undefined
    const value = readNumber(sent)
    return value === undefined || value === null || value < min || value > max ? undefined : value
  }
}

const HOUR_MS = 3_600_000
/** Reads a signal strength in dBm; undefined for what is none. */
export const SIGNAL_STRENGTH = within(-128, -Number.MIN_VALUE)
const CHANNEL = within(1, 253)
const FREQUENCY = within(2_400, 7_125)
/** Reads an age in milliseconds. */
export const AGE = clamped(-HOUR_MS, HOUR_MS)
const SIGNAL_TO_NOISE_RATIO = within(1, 100)
const DISTANCE = within(-10, 1_000)
const DISTANCE_STANDARD_DEVIATION = within(0, 1_000)

/** The fields of an access point beside its address, which may be anything. */
interface SentFields {
  readonly signalStrength?: unknown
  readonly ssid?: unknown
  readonly channel?: unknown
  readonly frequency?: unknown
  readonly age?: unknown
  readonly signalToNoiseRatio?: unknown
  readonly distance?: unknown
  readonly distanceStandardDeviation?: unknown
}

/**
 * One access point as a device heard it; undefined where its address cannot be read, which costs no other. What is out of
 * range, or not of its type, counts as not given.
 */
export const HeardAccessPoint = sentEntry(
  'HeardAccessPoint',
  z.object({
    macAddress: z.string().meta({ example: MAC_ADDRESS_EXAMPLE }).describe('In any common notation.'),
    signalStrength: z
      .number()
      .nullish()
      .describe('Received signal strength in dBm, −128 to −1. Without it the position is less certain.'),
    ssid: z
      .string()
      .nullish()
      .describe(
        'Name of the network. One that ends in `_nomap` or has `_optout` in it is not used; it is never stored.',
      ),
    channel: z.number().nullish().describe('Channel, 1 to 253. Read for the sake of clients that send it.'),
    frequency: z
      .number()
      .nullish()
      .describe(
        'Frequency in MHz, in the bands of 2.4, 5 and 6 GHz: 2400 to 7125. Read for the sake of clients that send it.',
      ),
    age: z
      .number()
      .nullish()
      .describe(
        'How long ago it was heard, in milliseconds; more than an hour counts as one. What is 20 s older than the latest is not used.',
      ),
    signalToNoiseRatio: z
      .number()
      .nullish()
      .describe('Signal-to-noise ratio in dB, 1 to 100. Read for the sake of clients that send it.'),
    distance: z
      .number()
      .nullish()
      .describe(
        'Distance in meters, measured by round-trip times (IEEE 802.11mc or az): −10 to 1000. Less than 0 occurs close to an access point. Used if your organization has declared where the access point is.',
      ),
    distanceStandardDeviation: z
      .number()
      .nullish()
      .describe('Standard deviation of the measurements of `distance`, in meters: 0 to 1000.'),
  }),
  (sent) => {
    const macAddress = typeof sent.macAddress === 'string' ? parseMacAddress(sent.macAddress) : undefined
    if (macAddress === undefined) return undefined
    return heardAt(macAddress, sent)
  },
)
export type HeardAccessPoint = NonNullable<z.output<typeof HeardAccessPoint>>

/** Returns an access point whose address was read, with its other fields as they were sent. */
export function heardAt(macAddress: number, sent: SentFields) {
  return {
    macAddress,
    signalStrength: SIGNAL_STRENGTH(sent.signalStrength),
    ssid: typeof sent.ssid === 'string' || sent.ssid === null ? sent.ssid : undefined,
    channel: CHANNEL(sent.channel),
    frequency: FREQUENCY(sent.frequency),
    age: AGE(sent.age),
    signalToNoiseRatio: SIGNAL_TO_NOISE_RATIO(sent.signalToNoiseRatio),
    distance: DISTANCE(sent.distance),
    distanceStandardDeviation: DISTANCE_STANDARD_DEVIATION(sent.distanceStandardDeviation),
  }
}

/** Access points in the order in which they were sent; undefined stands for what could not be read. */
export type SentAccessPoints = readonly (HeardAccessPoint | undefined)[]

/** Access points of one scan that count: the strongest. Clients send 3 to 40; 8 to 10 carry nearly all of the accuracy. */
export const MAX_ACCESS_POINTS = 256

/** A scan as it is sent: of any length that the body may have. */
export const HeardAccessPoints = z.array(HeardAccessPoint)

/** Returns those that could be read. */
export function readable(sent: SentAccessPoints): HeardAccessPoint[] {
  return sent.filter((accessPoint) => accessPoint !== undefined)
}

/**
 * Returns the mistakes of a scan: what could not be read.
 *
 * @param pointer where the scan stands in the request (RFC 6901)
 */
export function mistakesOf(sent: SentAccessPoints, pointer: string): Mistake[] {
  return sent.flatMap((accessPoint, index) =>
    accessPoint ? [] : [{ pointer: `${pointer}/${String(index)}/macAddress`, detail: NOT_A_MAC_ADDRESS }],
  )
}
