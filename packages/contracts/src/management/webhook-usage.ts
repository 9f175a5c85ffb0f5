import { z } from 'zod'
import { Timestamp } from '../primitives.js'
import { Step } from '../counts/usage.js'

/** Attempts to deliver to a webhook. */
export const WebhookUsage = z
  .object({
    step: Step.describe('The length of a point. Days are in UTC.'),
    points: z
      .array(
        z.object({
          at: Timestamp.describe('Its start.'),
          delivered: z.int().min(0).describe('Attempts that the receiver accepted.'),
          failed: z.int().min(0).describe('Attempts that it did not accept.'),
          median_duration_ms: z
            .number()
            .nullable()
            .describe('Median duration of accepted attempts, at most 12 % away. Null: none was accepted.'),
          items_stored: z
            .int()
            .min(0)
            .describe(
              'What devices sent in this time and Bearing stored, as far as the webhook receives it. 0 if it does not receive what devices send.',
            ),
          items_delivered: z.int().min(0).describe('Those of it that the receiver has accepted by now.'),
          items_refused: z
            .int()
            .min(0)
            .describe('Those of it that the other service has refused permanently (`device_api` alone).'),
        }),
      )
      .describe('Every point of the period, oldest first. The last one is in progress.'),
    lag: z
      .object({
        items: z.int().min(0).describe('What waits to be delivered, counted up to 10,000.'),
        seconds: z.number().min(0).describe('How long the oldest of it has waited.'),
      })
      .nullable()
      .describe('How far it is behind. Null: it does not receive what devices send.'),
  })
  .meta({ id: 'WebhookUsage' })
