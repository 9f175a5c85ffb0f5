import { isDeviceToken } from '@bearing/access/device-tokens'
import type { PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import type { BearingRequest } from './request.js'

/** Returns the signed claims of a request, which a gateway or another service has passed on. */
export function claimsIn({ headers }: BearingRequest): string | undefined {
  return text(headers['bearing-identity'])
}

/** Returns the credential of a request: a bearer token, of a device too, email address and secret, or a project key. */
export function credentialIn({ headers }: BearingRequest): PresentedCredential | undefined {
  const [scheme = '', value = ''] = text(headers['authorization'])?.split(/ +(.*)/, 2) ?? []
  const key = text(headers['service-project-key'])
  if (scheme.toLowerCase() === 'bearer' && value)
    return isDeviceToken(value)
      ? { kind: 'device_token', token: value, ...(key !== undefined && { project_key: key }) }
      : { kind: ORGANIZATION_TOKEN, token: value }
  if (scheme.toLowerCase() === 'basic') return userIn(value)
  return key === undefined ? undefined : { kind: 'project_key', key }
}

function userIn(encoded: string): PresentedCredential | undefined {
  const pair = Buffer.from(encoded, 'base64').toString()
  const colon = pair.indexOf(':')
  const [email, secret] = [pair.slice(0, colon), pair.slice(colon + 1)]
  return colon > 0 && secret !== '' ? { kind: 'user', email, secret } : undefined
}

function text(header: string | string[] | undefined): string | undefined {
  const [first] = [header].flat()
  return first === '' ? undefined : first
}
