import { z } from 'zod'
import { AnyNumber } from './any-number.js'
import { MacAddressText, readMacAddress } from './mac-address.js'

/** A number that counts as not given where it is out of range: one wrong field must not cost the position. */
export function inRange(min: number, max: number) {
  return z.number().nullish().transform(within(min, max))
}

/** A number that counts as the nearest in range where it is out of it: of what is too old it must not be thought that it is new. */
export function atMost(min: number, max: number) {
  return z.number().nullish().transform(clamped(min, max))
}

function clamped(min: number, max: number) {
  return (value: number | null | undefined): number | undefined =>
    value === undefined || value === null ? undefined : Math.max(min, Math.min(max, value))
}

function within(min: number, max: number) {
  return (value: number | null | undefined): number | undefined =>
    value === undefined || value === null || value < min || value > max ? undefined : value
}

const HOUR_MS = 3_600_000
const SIGNAL_STRENGTH = within(-128, -Number.MIN_VALUE)
const CHANNEL = within(1, 253)
const FREQUENCY = within(2_400, 7_125)
const AGE = clamped(-HOUR_MS, HOUR_MS)
const SIGNAL_TO_NOISE_RATIO = within(1, 100)

/**
 * One access point as a device heard it. What is out of range counts as not given.
 *
 * Read in one step: a step for each field of each access point took ten times as long, and there are twenty in a scan.
 */
export const HeardAccessPoint = z
  .object({
    macAddress: MacAddressText,
    /** Received signal strength in dBm, −128 to −1. Without it the position is less certain. */
    signalStrength: AnyNumber,
    /** Name of the network. One that ends in `_nomap` or has `_optout` in it is not used; it is never stored. */
    ssid: z.string().nullish(),
    /** Channel, 1 to 253. Read for the sake of clients that send it. */
    channel: AnyNumber,
    /** Frequency in MHz, in the bands of 2.4, 5 and 6 GHz: 2400 to 7125. Read for the sake of clients that send it. */
    frequency: AnyNumber,
    /** How long ago it was heard, in milliseconds; more than an hour counts as one. What is 20 s older than the latest is not used. */
    age: AnyNumber,
    /** Signal-to-noise ratio in dB, 1 to 100. Read for the sake of clients that send it. */
    signalToNoiseRatio: AnyNumber,
  })
  .transform((sent, context) => {
    const macAddress = readMacAddress(sent.macAddress, context, ['macAddress'])
    if (macAddress === undefined) return z.NEVER
    return {
      macAddress,
      signalStrength: SIGNAL_STRENGTH(sent.signalStrength),
      ssid: sent.ssid,
      channel: CHANNEL(sent.channel),
      frequency: FREQUENCY(sent.frequency),
      age: AGE(sent.age),
      signalToNoiseRatio: SIGNAL_TO_NOISE_RATIO(sent.signalToNoiseRatio),
    }
  })
  .meta({ id: 'HeardAccessPoint' })
export type HeardAccessPoint = z.output<typeof HeardAccessPoint>

/** The most access points in one scan. Clients send 3 to 40; the strongest 8 to 10 carry nearly all of the accuracy. */
export const MAX_ACCESS_POINTS = 256
