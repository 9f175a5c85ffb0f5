import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization, newProject, type TestOrganization } from '@bearing/testing/factories'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'

const pem = (curve: 'P-256' | 'P-384' | 'P-521' = 'P-256') =>
  generateKeyPairSync('ec', { namedCurve: curve })
    .publicKey.export({ type: 'spki', format: 'pem' })
    .toString()

describe('the keys of a device', () => {
  const own = forSuite(() => newOrganization())
  const device = (device_serial = `D-${randomUUID()}`) => ({
    ...{ organization: own.slug, project: own.project.slug, device_serial },
  })
  const list = async (of: ReturnType<typeof device>) =>
    (await own.admin.client.call('listDeviceKeys', of)).data

  it.each([
    ['P-256', 'ES256', () => pem('P-256')],
    ['P-384', 'ES384', () => pem('P-384')],
    [
      'Ed25519',
      'EdDSA',
      () => generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    ],
    [
      'a JWK',
      'ES256',
      () =>
        generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }) as {
          kty: 'EC'
        },
    ],
  ] as const)('can be registered as %s, listed and revoked', async (_, algorithm, key) => {
    const at = device()
    const created = await own.token.client.call('createDeviceKey', { ...at, public_key: key() })
    expect(created).toMatchObject({ algorithm, device_serial: at.device_serial, expires_at: null })
    expect(await list(at)).toEqual([created])
    await own.token.client.call('revokeDeviceKey', { ...at, device_key_id: created.id })
    expect(await list(at)).toEqual([])
    await expect(
      own.token.client.call('revokeDeviceKey', { ...at, device_key_id: created.id }),
    ).rejects.toMatchObject({ code: 'device_key_not_found' })
  })

  it.each([
    [
      'a private key',
      () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }),
    ],
    ['another curve', () => pem('P-521')],
    [
      'an RSA key',
      () =>
        generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' }),
    ],
    ['no key', () => 'none'],
  ])('refuse %s with 400', async (_, key) => {
    const public_key = key().toString()
    await expect(own.token.client.call('createDeviceKey', { ...device(), public_key })).rejects.toMatchObject(
      { code: 'invalid_input' },
    )
  })

  it('are at most two, and the one before expires after the grace period of a rotation', async () => {
    const at = device()
    const create = (grace_seconds?: number) =>
      own.token.client.call('createDeviceKey', {
        ...{ ...at, public_key: pem() },
        ...(grace_seconds !== undefined && { grace_seconds }),
      })
    const first = await create()
    const second = await create(3_600)
    const [, before] = await list(at)
    expect(before).toMatchObject({ id: first.id, expires_at: expect.any(String) })
    await expect(create()).rejects.toMatchObject({ code: 'quota_exceeded' })
    await own.token.client.call('revokeDeviceKey', { ...at, device_key_id: first.id })
    const third = await create(0)
    expect((await list(at)).map(({ id }) => id)).toEqual([third.id, second.id])
    // The second has expired, so there is room again.
    await create()
  })

  it('are registered once in the installation, and the refusal says nothing about the other owner', async () => {
    const other = await newOrganization()
    const public_key = pem()
    await own.token.client.call('createDeviceKey', { ...device(), public_key })
    const again = (of: TestOrganization) =>
      of.token.client
        .call('createDeviceKey', { ...device(), organization: of.slug, project: of.project.slug, public_key })
        .catch((error: unknown) => error as { message: string })
    const [ofOther, ofOwn] = [await again(other), await again(own)]
    expect(ofOther).toMatchObject({ code: 'device_key_taken' })
    expect(ofOwn).toMatchObject({ code: 'device_key_taken' })
    expect(ofOther).toMatchObject({ message: (ofOwn as { message: string }).message })
  })

  it('are registered once if two projects register the same key at the same time', async () => {
    const second = await newProject(own)
    const public_key = pem()
    const outcomes = await Promise.allSettled(
      [own.project.slug, second.slug].map((project) =>
        own.token.client.call('createDeviceKey', { ...device(), project, public_key }),
      ),
    )
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('are listed in the audit log, and go with their device', async () => {
    const at = device()
    const { id } = await own.token.client.call('createDeviceKey', { ...at, public_key: pem() })
    await own.token.client.call('deleteDevice', at)
    expect(await list(at)).toEqual([])
    await eventually(async () => {
      const { data } = await own.admin.client.call('listAuditEntries', {
        ...{ organization: own.slug, target: `device:${at.device_serial}` },
      })
      const created = data.find(({ action }) => action === 'device_key.created')
      expect(created?.details).toMatchObject({ device_key_id: id })
    })
  })

  it('are registered by managers of the project and by no other role', async () => {
    const { project } = own
    const member = await newMember(own, 'member', [{ project, role: 'member' }])
    await expect(
      member.client.call('createDeviceKey', { ...device(), public_key: pem() }),
    ).rejects.toMatchObject({ code: 'permission_denied' })
  })
})
