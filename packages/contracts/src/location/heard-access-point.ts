import { z } from 'zod'
import { MacAddress } from './mac-address.js'

/** A number that counts as not given where it is out of range: one wrong field must not cost the position. */
export function inRange(min: number, max: number) {
  return z
    .number()
    .nullish()
    .transform((value) =>
      value === undefined || value === null || value < min || value > max ? undefined : value,
    )
}

const HOUR_MS = 3_600_000

/** One access point as a device heard it. What is out of range counts as not given. */
export const HeardAccessPoint = z
  .object({
    macAddress: MacAddress,
    /** Received signal strength in dBm, −128 to −1. Without it the position is less certain. */
    signalStrength: inRange(-128, -Number.MIN_VALUE),
    /** Name of the network. One that ends in `_nomap` or has `_optout` in it is not used; it is never stored. */
    ssid: z.string().nullish(),
    /** Channel, 1 to 253. Read for the sake of clients that send it. */
    channel: inRange(1, 253),
    /** Frequency in MHz, in the bands of 2.4, 5 and 6 GHz: 2400 to 7125. Read for the sake of clients that send it. */
    frequency: inRange(2_400, 7_125),
    /** How long ago it was heard, in milliseconds, up to an hour either way. What is 20 s older than the latest is not used. */
    age: inRange(-HOUR_MS, HOUR_MS),
    /** Signal-to-noise ratio in dB, 1 to 100. Read for the sake of clients that send it. */
    signalToNoiseRatio: inRange(1, 100),
  })
  .meta({ id: 'HeardAccessPoint' })
export type HeardAccessPoint = z.output<typeof HeardAccessPoint>

/** The most access points in one scan. Clients send 3 to 40; the strongest 8 to 10 carry nearly all of the accuracy. */
export const MAX_ACCESS_POINTS = 256
