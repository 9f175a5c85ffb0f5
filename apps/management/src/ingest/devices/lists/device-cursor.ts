import { createHash } from 'node:crypto'
import { invalidInput } from '@bearing/contracts/errors'
import { AttributeValue } from '@bearing/contracts/management/devices/device-attribute'
import type { DeviceFilter, DeviceOrder } from '@bearing/contracts/management/devices/device-selection'
import { isText } from '@bearing/contracts/management/devices/attribute-text'
import { DeviceSerial } from '@bearing/contracts/management/devices/device'
import { z } from 'zod'

/** Device behind which a list continues. */
export interface DeviceCursor {
  readonly serial: string
  /** Of the device; 0 in lists by serial number. */
  readonly minute: number
  /** Of the attribute, in lists by value. Null in others. */
  readonly value: AttributeValue | null
  /** Devices of the whole list, as the first page counted them. */
  readonly total: number
}

const Encoded = z.tuple([
  z.string(),
  DeviceSerial,
  z.int32().min(0),
  AttributeValue.refine((value) => typeof value !== 'string' || isText(value)).nullable(),
  z.int().min(0),
])

/** @param list see {@link listDigest} */
export function writeCursor(list: string, { serial, minute, value, total }: DeviceCursor): string {
  return Buffer.from(JSON.stringify([list, serial, minute, value, total])).toString('base64url')
}

/** @throws OperationError `invalid_input` if it is not a cursor of this list */
export function readCursor(list: string, text: string): DeviceCursor {
  let decoded: unknown
  try {
    decoded = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    decoded = undefined
  }
  const read = Encoded.safeParse(decoded)
  if (!read.success || read.data[0] !== list)
    throw invalidInput('/cursor', 'is not a cursor of this list: send "next" with the same filter and order')
  const [, serial, minute, value, total] = read.data
  return { serial, minute, value, total }
}

/** Identifies a list: a cursor is valid only with the filter and order that it came with. */
export function listDigest(projectId: string, filter: DeviceFilter, sort: DeviceOrder | undefined): string {
  const members = Object.entries(filter).filter(([, value]) => value !== undefined)
  const text = JSON.stringify([projectId, members.sort(([a], [b]) => (a < b ? -1 : 1)), sort ?? null])
  return createHash('sha256').update(text).digest('base64url').slice(0, 12)
}
