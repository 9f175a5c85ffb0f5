import { X509Certificate } from 'node:crypto'
import { OperationError } from '@bearing/contracts/errors'
import type { DeviceCa } from '@bearing/contracts/identity/devices/device-ca'
import type { z } from 'zod'
import type { DeviceCa as Row } from '../../generated/prisma/client.js'

type Ca = z.output<typeof DeviceCa>

/** Returns a CA as the contract has it. */
export function toDeviceCa(row: Row): Ca {
  const certificate = new X509Certificate(row.certificate)
  return {
    id: row.id,
    subject: certificate.subject.replaceAll('\n', ', '),
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    serial_from: row.serialFrom as Ca['serial_from'], // written from the contract
    serial_pattern: row.serialPattern,
    just_in_time: row.justInTime,
    certificate: certificate.toString(),
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
  }
}

export function deviceCaNotFound(): OperationError {
  return new OperationError('device_ca_not_found', 'The project has no such CA certificate.')
}
