import { issue, newCa, verificationFor } from '@bearing/testing/certificates'
import type { StackAddresses } from '@bearing/testing/addresses'
import { clientFor, type TestOrganization } from '@bearing/testing/factories'
import { newDeviceSigner, seconds } from '../tools/device-signer.js'
import { headersOf } from '../tools/http.js'

type Headers = Readonly<Record<string, string>>

/** A device, and the headers that prove which project or device sends. */
export interface Device {
  readonly serial: string
  readonly headers: Headers
}

/** Credentials of each kind that version N knows. */
export interface Principals {
  /** An organization token, and a token derived from it. */
  readonly readers: readonly Headers[]
  /** With the project key, with a token that the device signed, and with a certificate of a registered CA. */
  readonly devices: readonly Device[]
  /** Its key was revoked: no version may accept its token. */
  readonly revoked: Device
}

const DAY_S = 86_400
/** Few, so that every gateway has cached each kind of credential before something fails. */
const WITH_PROJECT_KEY = 2

/** Makes principals of an organization. Their credentials outlive a campaign. */
export async function newPrincipals(stack: StackAddresses, own: TestOrganization): Promise<Principals> {
  const { slug, project, admin, token } = own
  const at = { organization: slug, project: project.slug }
  await admin.client.call('changeProjectSettings', {
    ...{ ...at, project_key_may_locate: false, device_identity: 'optional' },
  })
  const parent = await admin.client.call('createOrganizationToken', {
    ...{ organization: slug, description: 'parent' },
    permissions: ['project:list', 'organization-token:derive'],
  })
  const byParent = clientFor({ kind: 'organization_token', token: parent.token }, stack)
  const derived = await byParent.call('deriveOrganizationToken', { organization: slug, expires_in: DAY_S })
  const ca = await newCa()
  const verification_certificate = await verificationFor(ca, project.id)
  await token.client.call('createDeviceCa', {
    ...{ ...at, certificate: ca.pem, verification_certificate, just_in_time: true },
  })
  const signed = async (serial: string) => {
    const { sign, keyId } = await newDeviceSigner(own, project, serial)
    const credential = { kind: 'device_token', token: await sign({ exp: seconds() + DAY_S }) } as const
    return { serial, keyId, headers: headersOf(credential) }
  }
  const certificate = await issue(ca, 'CN=certified', { notAfter: new Date(Date.now() + DAY_S * 1_000) })
  const { keyId, ...revoked } = await signed('revoked')
  await token.client.call('revokeDeviceKey', { ...at, device_serial: revoked.serial, device_key_id: keyId })
  return {
    readers: [headersOf(token.credential), headersOf({ kind: 'organization_token', token: derived.token })],
    devices: [
      ...Array.from({ length: WITH_PROJECT_KEY }, (_, index) => ({
        serial: `device-${String(index)}`,
        headers: headersOf({ kind: 'project_key', key: project.key }),
      })),
      await signed('signed'),
      { serial: 'certified', headers: { 'client-cert': `:${certificate.der.toString('base64')}:` } },
    ],
    revoked,
  }
}
