import { z } from 'zod'

/** Amounts that a device can send of one aspect. */
export const SAMPLING_LEVELS = ['off', 'low', 'normal', 'high'] as const
export const SamplingLevel = z.enum(SAMPLING_LEVELS).meta({ id: 'SamplingLevel' })

/** Aspects that agents of devices sample: coredumps and traces, logs, metrics. */
export const SAMPLING_ASPECTS = ['debugging', 'logging', 'monitoring'] as const

/** Sampling of all devices of a project. */
export const Sampling = z
  .strictObject({
    debugging: SamplingLevel.default('normal').describe('Coredumps, traces and recordings.'),
    logging: SamplingLevel.default('normal'),
    monitoring: SamplingLevel.default('normal').describe('Metrics and attributes.'),
  })
  .meta({ id: 'Sampling' })

/** Sampling of one device, if it differs from its project. */
export const DeviceSampling = z
  .strictObject({ debugging: SamplingLevel, logging: SamplingLevel, monitoring: SamplingLevel })
  .partial()
  .meta({ id: 'DeviceSampling' })

/** The default. */
export const NORMAL_SAMPLING: z.output<typeof Sampling> = {
  debugging: 'normal',
  logging: 'normal',
  monitoring: 'normal',
}
