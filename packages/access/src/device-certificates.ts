import type { DEVICE_CERTIFICATE_REFUSALS } from '@bearing/contracts/identity/credentials/credential'

/** Reasons for which the certificate of a device is refused, for its developers. */
export const DEVICE_CERTIFICATE_MESSAGES = {
  malformed:
    'The client certificate cannot be read: it is cut off or too large, or its key is not P-256, P-384 or Ed25519.',
  unknown:
    'The client certificate is neither registered for a device, nor does it lead to a registered CA by a valid path. Check the chain that the device sends, key usage (digitalSignature), extended key usage (clientAuth), and the serial number in it.',
  expired: 'The client certificate, or one that leads to its CA, has expired or is not valid yet.',
  device_identity_off:
    'The project does not accept certificates of devices. Send its project key, or let a manager change device_identity in its settings.',
  device_certificate_not_registered:
    'The CA of the client certificate is registered, but the key is not: just_in_time of the CA is off, a key of this device was revoked, or it has two other keys. A manager can register the key.',
  device_certificate_for_other:
    'The key of the client certificate is registered for another serial number than the certificate contains.',
} as const satisfies Readonly<
  Record<
    | 'malformed'
    | 'unknown'
    | 'expired'
    | 'device_identity_off'
    | (typeof DEVICE_CERTIFICATE_REFUSALS)[number],
    string
  >
>
