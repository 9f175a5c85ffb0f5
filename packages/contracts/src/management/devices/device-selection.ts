import { z } from 'zod'
import { Timestamp } from '../../primitives.js'

/** Name of a declared attribute: 1–64 of a–z, 0–9 and "_", starting with a letter. */
export const AttributeName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be 1 to 64 of a–z, 0–9 and "_", starting with a letter')
  .meta({ id: 'AttributeName', example: 'customer' })

/** A value of an attribute in a query or a CSV file: text that is read by the declared type. */
const AttributeText = z.string().min(1).max(256)

/** Postgres stores no NUL. */
const Version = z
  .string()
  .min(1)
  .max(128)
  .refine((text) => !text.includes('\0'), 'must not contain NUL')

/**
 * Selects devices of a project. Each combination has an index; others are refused. Without any field it selects all.
 *
 * - `q`, alone or with `attribute` and `attribute_is`;
 * - `last_seen_after`, `last_seen_before`, `silent_for` and `seen`, alone or with one of `software_version` and
 *   `hardware_version`;
 * - `attribute` with `attribute_is`, or with `attribute_above` and `attribute_below`.
 */
export const DeviceFilter = {
  q: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,128}$/, 'must be 1 to 128 letters, digits, "_" and "-"')
    .optional()
    .describe('The beginning of serial numbers: 1–128 of A–Z, a–z, 0–9, "_" and "-", case-sensitive.'),
  last_seen_after: Timestamp.optional().describe('Only devices that were last seen in this minute or later.'),
  last_seen_before: Timestamp.optional().describe(
    'Only devices that were last seen before this minute. Devices that were never seen are not among them.',
  ),
  silent_for: z
    .string()
    .regex(/^[1-9]\d{0,4}[mhd]$/, 'must be a number from 1 to 99999 and "m", "h" or "d", such as "7d"')
    .optional()
    .describe(
      'Only devices that were seen, and not within this time: a number and "m", "h" or "d", at most 99999.',
    ),
  seen: z
    .enum(['ever', 'never'])
    .optional()
    .describe('`never`: only devices that have sent nothing yet. `ever`: only the others.'),
  software_version: Version.optional().describe('Exactly this version.'),
  hardware_version: Version.optional().describe('Exactly this version.'),
  attribute: AttributeName.optional().describe(
    'Only devices with a value of this declared attribute. Requires one of the next three fields.',
  ),
  attribute_is: AttributeText.optional().describe('The value.'),
  attribute_above: AttributeText.optional().describe('Only greater values of a number or time.'),
  attribute_below: AttributeText.optional().describe('Only smaller values of a number or time.'),
}

export type DeviceFilter = z.output<z.ZodObject<typeof DeviceFilter>>

/** Orders of devices. `-` is descending. Devices that were never seen count as the ones not seen for longest. */
export const DEVICE_ORDERS = ['serial', '-serial', 'last_seen', '-last_seen'] as const
export type DeviceOrder = (typeof DEVICE_ORDERS)[number]
