import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto'
import type { DeviceIdentity } from '@bearing/contracts/identity/credentials/project-settings'
import { newProject, type TestOrganization, type TestProject } from '@bearing/testing/factories'
import { SignJWT } from 'jose'

/** A device with a registered key, which signs tokens. */
export interface DeviceSigner {
  readonly serial: string
  readonly keyId: string
  readonly thumbprint: string
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
  /** Signs a token of an hour, unless `claims` say otherwise; undefined leaves a claim out. */
  readonly sign: (
    claims?: Readonly<Record<string, unknown>>,
    header?: Readonly<Record<string, unknown>>,
  ) => Promise<string>
}

/** Returns the current time, in seconds since 1970. */
export function seconds(): number {
  return Math.floor(Date.now() / 1_000)
}

/** Creates a project that accepts tokens of devices. */
export async function newIdentityProject(
  of: TestOrganization,
  device_identity: DeviceIdentity = 'optional',
  more: { readonly device_tokens_without_expiry?: boolean } = {},
): Promise<TestProject> {
  const project = await newProject(of)
  await of.admin.client.call('changeProjectSettings', {
    ...{ organization: of.slug, project: project.slug, project_key_may_locate: false, device_identity },
    ...more,
  })
  return project
}

/** Registers a key pair for a device. */
export async function newDeviceSigner(
  of: TestOrganization,
  project: Pick<TestProject, 'slug'>,
  serial = `DEVICE-${randomUUID()}`,
  alg: 'ES256' | 'ES384' | 'EdDSA' = 'ES256',
): Promise<DeviceSigner> {
  const { publicKey, privateKey } =
    alg === 'EdDSA'
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('ec', { namedCurve: alg === 'ES256' ? 'P-256' : 'P-384' })
  const { id, thumbprint } = await of.token.client.call('createDeviceKey', {
    ...{ organization: of.slug, project: project.slug, device_serial: serial },
    public_key: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  })
  const sign: DeviceSigner['sign'] = (claims = {}, header = {}) => {
    // JSON leaves out what is undefined.
    const all = { sub: serial, iat: seconds(), exp: seconds() + 3_600, jti: randomUUID(), ...claims }
    return new SignJWT(JSON.parse(JSON.stringify(all)) as typeof all)
      .setProtectedHeader({ alg, kid: thumbprint, ...header })
      .sign(privateKey)
  }
  return { serial, keyId: id, thumbprint, publicKey, privateKey, sign }
}
