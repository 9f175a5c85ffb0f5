import { z } from 'zod'
import { operation } from '../../operation.js'
import { Id, ProjectScope } from '../../primitives.js'

const PREFIX = 'bearing:'

/** Returns the name that an observation is exported with. */
export function exportedName(id: string): string {
  return `${PREFIX}${id}`
}

/** Returns the observation that a name was exported for; undefined where it is another name. */
export function exportedFrom(name: string): string | undefined {
  return name.startsWith(PREFIX) ? Id.safeParse(name.slice(PREFIX.length)).data : undefined
}

/** Data learned from an observation, in the shape of geosubmit: it can be submitted and imported again. */
export const ExportedObservation = z
  .object({
    id: z.string().describe('By this it counts once, wherever it is submitted again.'),
    timestamp: z.number().describe('When it was heard, in milliseconds since 1970.'),
    position: z.object({
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
      accuracy: z.number().min(0).describe('In meters, with how far the device may have gone since.'),
      speed: z.number().min(0).optional().describe('Meters a second; left out where the device did not say.'),
      floor: z.string().optional().describe('What the floor is called in its building.'),
      altitude: z.number().optional().describe('Meters above the sea.'),
      altitudeAccuracy: z.number().min(0).optional().describe('How far the altitude may be off, in meters.'),
    }),
    wifiAccessPoints: z.array(
      z.object({
        macAddress: z.string().describe('Lower-case hexadecimal with colons.'),
        signalStrength: z.int().min(-128).max(-1).describe('Whole dBm.'),
        age: z
          .number()
          .min(0)
          .optional()
          .describe('How long before it was heard, in milliseconds; left out where the device did not say.'),
      }),
    ),
    cellTowers: z
      .array(
        z.object({
          radioType: z.enum(['gsm', 'wcdma', 'lte', 'nr']),
          mobileCountryCode: z.int(),
          mobileNetworkCode: z.int(),
          locationAreaCode: z.int(),
          cellId: z.int(),
          signalStrength: z
            .int()
            .min(-156)
            .max(-1)
            .optional()
            .describe('Whole dBm; left out where the device did not say.'),
        }),
      )
      .optional(),
  })
  .meta({ id: 'ExportedObservation' })
export type ExportedObservation = z.infer<typeof ExportedObservation>

export const exportObservations = operation({
  subject: 'location.v1.observations.export',
  summary: "Export the observations that a project's access points and cells were learned from",
  description:
    'The stored observations in the order in which they were received, with the readings that were learned: no repeated readings, nothing implausible, no networks that opted out, nothing that was erased. Names of devices and networks are not stored. Each export is recorded in the audit log. A connection that ends before the last chunk is an export that is not whole.',
  input: z.object({
    ...ProjectScope,
    cursor: z
      .string()
      .max(128)
      .optional()
      .describe('The `next` of the previous reply; without it the export starts.'),
  }),
  output: z.object({ data: z.array(ExportedObservation), next: z.string().nullable() }),
  errors: [],
  permission: 'device-data:read',
  timeoutMs: 15_000,
})
