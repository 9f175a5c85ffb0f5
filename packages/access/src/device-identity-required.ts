/** The refusal of a project key alone, where its project requires device identity. */
export const deviceIdentityRequired = {
  code: 'device_identity_required',
  message:
    'The project accepts only devices that prove who they are. Register a public key of the device, and send a token that it signs (/docs/device-identity).',
} as const
