import { z } from 'zod'
import { operation } from '../../operation.js'
import { Id, Nothing, PageRequest, ProjectScope, Timestamp, pageOf } from '../../primitives.js'
import { MAX_PEM } from './device-key.js'

/** The most CA certificates of a project. */
export const MAX_DEVICE_CAS = 10
/** The part of a pattern that is the serial number. */
export const SERIAL_PLACEHOLDER = '{serial}'
export const SERIAL_SOURCES = ['subject_cn', 'subject_serial_number', 'san_dns', 'san_uri'] as const

/** Returns the common name of the certificate that proves possession of a CA key, for one project. */
export function deviceCaCode(projectId: string): string {
  return `bearing-ca-${projectId}`
}

const Rule = {
  serial_from: z
    .enum(SERIAL_SOURCES)
    .describe('Which name in the certificate of a device contains its serial number.'),
  serial_pattern: z
    .string()
    .max(200)
    .refine((text) => text.split(SERIAL_PLACEHOLDER).length === 2, 'must contain {serial} once')
    .describe('The form of that name, such as `urn:device:{serial}` or `{serial}.devices.example.com`.'),
  just_in_time: z
    .boolean()
    .describe('Whether the first request of a device registers its key. False: managers register keys.'),
}

/** A certificate authority whose certificates devices of a project prove themselves with. */
export const DeviceCa = z
  .object({
    id: Id,
    subject: z.string().describe('Name of the authority, as in the certificate.'),
    fingerprint: z.string().describe('SHA-256 of the certificate in hexadecimal.'),
    ...Rule,
    certificate: z.string().describe('PEM.'),
    created_at: Timestamp,
    expires_at: Timestamp.describe('The end of the certificate. From then on its devices are refused.'),
  })
  .meta({ id: 'DeviceCa' })

const CaScope = { ...ProjectScope, device_ca_id: Id }

export const listDeviceCas = operation({
  subject: 'identity.v1.device-ca.list',
  summary: 'List the CA certificates of a project',
  input: z.object({ ...ProjectScope, ...PageRequest }),
  output: pageOf(DeviceCa),
  errors: ['project_not_found'],
  permission: 'device:read',
})

export const createDeviceCa = operation({
  subject: 'identity.v1.device-ca.create',
  summary: 'Register a CA certificate for devices of a project',
  description:
    'Devices with certificates of this CA can prove themselves. `verification_certificate` proves possession of the CA key: the CA signs it, and its common name is `bearing-ca-` and the id of the project. A root or an intermediate CA can be registered, each key once in an installation. A project has at most 10.',
  input: z.object({
    ...ProjectScope,
    certificate: z.string().max(MAX_PEM).describe('PEM of the CA certificate.'),
    verification_certificate: z.string().max(MAX_PEM).describe('PEM.'),
    serial_from: Rule.serial_from.default('subject_cn'),
    serial_pattern: Rule.serial_pattern.default(SERIAL_PLACEHOLDER),
    just_in_time: Rule.just_in_time.default(false),
  }),
  output: DeviceCa,
  errors: ['project_not_found', 'permission_denied', 'device_ca_taken', 'quota_exceeded'],
  permission: 'device-key:manage',
})

export const changeDeviceCa = operation({
  subject: 'identity.v1.device-ca.change',
  summary: 'Change how devices with certificates of a CA are registered',
  input: z.object({
    ...CaScope,
    serial_from: Rule.serial_from.optional(),
    serial_pattern: Rule.serial_pattern.optional(),
    just_in_time: Rule.just_in_time.optional(),
  }),
  output: DeviceCa,
  errors: ['project_not_found', 'permission_denied', 'device_ca_not_found'],
  permission: 'device-key:manage',
})

export const deleteDeviceCa = operation({
  subject: 'identity.v1.device-ca.delete',
  summary: 'Delete a CA certificate, and revoke the keys that it registered',
  description:
    'Every gateway rejects devices with certificates of this CA immediately. Keys that managers registered continue to work.',
  input: z.object(CaScope),
  output: Nothing,
  errors: ['project_not_found', 'permission_denied', 'device_ca_not_found'],
  permission: 'device-key:manage',
  timeoutMs: 20_000,
})
