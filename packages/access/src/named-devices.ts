import { Buffer } from 'node:buffer'
import { OperationError } from '@bearing/contracts/errors'
import type { DevicePrincipal } from '@bearing/contracts/principal'

type Fields = Readonly<Record<string, unknown>>

/**
 * Returns the serial numbers that an input names, as they were sent: of chunks, configuration and uploads, of look-ups and batches of
 * them, and of observations.
 */
export function devicesNamedIn(input: unknown): unknown[] {
  const { device, device_serial, device_id, scans, items } = fieldsOf(input)
  const others = [scans, items].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))
  return [
    fieldsOf(device)['device_serial'],
    device_serial,
    device_id,
    ...others.map((item) => fieldsOf(item)['device_id']),
  ].filter((serial) => serial !== undefined && serial !== null)
}

/** Returns whether a text of JSON can name a device. Most look-ups do not, and need not be read. */
export function mayNameDevices({ buffer, byteOffset, length }: Uint8Array): boolean {
  const text = Buffer.from(buffer, byteOffset, length)
  // A name can be escaped: "device\u005fid".
  return text.includes('"device') || text.includes('\\')
}

/** Returns the error for a request of a device that names another one. */
export function otherDevice({ device_serial: own }: DevicePrincipal): OperationError {
  return new OperationError(
    'permission_denied',
    `The token proves the device ${own}, and the request names another device.`,
  )
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}
