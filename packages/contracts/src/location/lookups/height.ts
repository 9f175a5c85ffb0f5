import { z } from 'zod'

/** The longest name of a floor, in characters. */
export const MAX_FLOOR_NAME = 32

/** Meters above the sea that anything is believed to be: the deepest mine and the highest balloon are within. */
export const ALTITUDE = { least: -1e4, most: 1e5 } as const

/** Height of a position, if the organization's own surveys say so. Clients that do not know these fields ignore them. */
export const Height = {
  floor: z
    .object({
      name: z.string().describe('As it was called where it was surveyed.'),
      probability: z.number().min(0).max(1).describe('How likely it is the right one.'),
    })
    .meta({ id: 'Floor' })
    .optional()
    .describe('The likeliest floor. Missing where no survey names one, or none is likely.'),
  altitude: z.number().optional().describe('Meters above the sea. Missing where surveys do not say.'),
  altitudeAccuracy: z
    .number()
    .min(0)
    .optional()
    .describe('How far `altitude` may be off, in meters: in 68 % of cases it is not more.'),
}

/** @inheritdoc Height */
export type Height = z.output<z.ZodObject<typeof Height>>

/** Height in an observation, as services hand it on and store it. */
export const ObservedHeight = z.object({
  floor: z.string().optional(),
  altitude: z.object({ meters: z.number(), accuracyMeters: z.number().min(0) }).optional(),
})
