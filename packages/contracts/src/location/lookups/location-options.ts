import { z } from 'zod'
import { DeviceSerial } from '../../management/devices/device.js'
import { given, optionalPart, type LeftOut } from '../access-points/left-out.js'

const CONFIDENCE = 68
const HIGH_CONFIDENCE = 95

/** Options if none are sent. */
export const DEFAULT_OPTIONS = { confidence: CONFIDENCE, reply: true }

/**
 * Options of a request for a position, beside the scan. Null and unreadable values count as not given; the response names the latter.
 */
export const LocationOptions = {
  confidence: optionalPart(
    z
      .number()
      .min(50)
      .max(99)
      .nullable()
      .default(CONFIDENCE)
      .transform((confidence) => confidence ?? CONFIDENCE),
  ).describe('How often the circle of the answer should hold the true position, in percent: 50 to 99.'),
  reply: optionalPart(
    z
      .boolean()
      .nullable()
      .default(true)
      .transform((reply) => reply ?? true),
  ).describe(
    'Whether the response contains the position. Otherwise it is 204, once the position was determined.',
  ),
  device_id: optionalPart(DeviceSerial.nullish())
    .optional()
    .describe(
      'Serial number of the device. Where the project wants that, the position is stored for it before the answer.',
    ),
  config: z
    .object({ hiConf: z.boolean().nullish().catch(null), doReply: z.boolean().nullish().catch(null) })
    .nullish()
    .catch(null)
    .describe(
      'The same options as modems send them. `hiConf`: a confidence of 95 %. `doReply` false: no reply. They replace the fields above.',
    ),
}

/** True if the position came from the organization's fallback. */
export const Fallback = {
  fallback: z
    .literal(true)
    .optional()
    .describe(
      "`true` where Bearing did not know, and the organization's fallback said it. Left out everywhere else.",
    ),
}

/** True if the position is stored, for the device that the request has named. */
export const Stored = {
  stored: z
    .boolean()
    .optional()
    .describe(
      'Left out where the request has no `device_id`. `false`: the project does not store positions.',
    ),
}

/** The values that {@link LocationOptions} are read as. */
interface Asked {
  readonly confidence: number | LeftOut
  readonly reply: boolean | LeftOut
  readonly config?:
    | { readonly hiConf?: boolean | null | undefined; readonly doReply?: boolean | null | undefined }
    | null
    | undefined
}

/** Returns the confidence that is asked for, in percent. */
export function confidenceOf({ confidence, config }: Asked): number {
  return config?.hiConf ? HIGH_CONFIDENCE : (given(confidence) ?? CONFIDENCE)
}

/** Returns whether the position is returned. */
export function wantsReply({ reply, config }: Asked): boolean {
  return given(reply) !== false && config?.doReply !== false
}
