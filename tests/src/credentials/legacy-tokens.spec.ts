import { createHash, randomUUID } from 'node:crypto'
import { connectTo } from '@bearing/testing/connect-to'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newProject } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { auditedIn } from '../tools/audited.js'
import { send, type Reply } from '../tools/http.js'

const SUNSET = '2099-06-30T00:00:00.000Z'
const SCAN = {
  accessPoints: [
    { macAddress: '02:00:00:00:00:10', signalStrength: -50 },
    { macAddress: '02:00:00:00:02:00', signalStrength: -60 },
  ],
}

describe('a legacy location token', () => {
  const own = forSuite(() => newOrganization())
  const gateways = () => testStack().gatewayUrls

  const newText = () => `eyJ.${randomUUID()}.legacy`
  const sha256Of = (token: string) => createHash('sha256').update(token).digest('hex')
  const importOf = (token: string, organization = own, sunset_at = SUNSET) =>
    organization.admin.client.call('importLegacyTokens', {
      organization: organization.slug,
      sunset_at,
      tokens: [{ sha256: sha256Of(token), description: 'old tracker' }],
    })
  const idOf = async () => {
    const { data } = await own.admin.client.call('listLegacyTokens', { organization: own.slug, per_page: 1 })
    return data[0]?.id ?? ''
  }
  async function locate(token: string, { slug, project } = own, gateway = gateways()[0]): Promise<Reply> {
    const path = `/v1/organizations/${slug}/projects/${project.slug}/location/wifi`
    return send(gateway ?? '', 'POST', path, { credential: { kind: 'legacy_token', token }, body: SCAN })
  }
  /** The made-up scan has no known access points: an allowed caller receives that error. */
  const ALLOWED = { status: 404, json: { code: 'location_not_found' } }

  it('opens the locations of its organization, and every reply says that it is deprecated, when it ends and where to read on', async () => {
    const token = newText()
    expect(await importOf(token)).toEqual({ imported: 1, updated: 0 })
    const reply = await locate(token)
    expect(reply).toMatchObject(ALLOWED)
    expect(reply.headers.get('deprecation')).toMatch(/^@1\d{9}$/)
    expect(reply.headers.get('sunset')).toBe('Tue, 30 Jun 2099 00:00:00 GMT')
    const [, page = ''] = /^<([^>]+)>; rel="deprecation sunset"/.exec(reply.headers.get('link') ?? '') ?? []
    expect((await send(gateways()[0] ?? '', 'GET', page)).text).toContain('# Legacy location tokens')
  })

  it('imported with a project reaches only that project, also at the addresses without slugs', async () => {
    const organization = await newOrganization()
    const other = await newProject(organization)
    const token = newText()
    const { slug, admin, project } = organization
    const importInto = (project_id?: string) =>
      admin.client.call('importLegacyTokens', {
        organization: slug,
        sunset_at: SUNSET,
        tokens: [{ sha256: sha256Of(token), ...(project_id !== undefined && { project_id }) }],
      })
    expect(await importInto(project.id)).toEqual({ imported: 1, updated: 0 })
    const { data } = await admin.client.call('listLegacyTokens', { organization: slug })
    expect(data).toMatchObject([{ project_id: project.id }])
    const legacyPath = (gateway: string) =>
      send(gateway, 'POST', '/v1/location/wifi', { credential: { kind: 'legacy_token', token }, body: SCAN })
    for (const gateway of gateways()) {
      expect(await legacyPath(gateway)).toMatchObject(ALLOWED)
      expect(await locate(token, organization, gateway)).toMatchObject(ALLOWED)
      expect(await locate(token, { ...organization, project: other }, gateway)).toMatchObject({
        json: { code: 'project_not_found' },
      })
    }
    // Importing again moves it at every gateway.
    expect(await importInto(other.id)).toEqual({ imported: 0, updated: 1 })
    await eventually(async () => {
      for (const gateway of gateways())
        expect(await locate(token, organization, gateway)).toMatchObject({
          json: { code: 'project_not_found' },
        })
    })
    // Importing again without a project, for example to change the date, does not let it reach more.
    expect(await importInto()).toEqual({ imported: 0, updated: 1 })
    const again = await admin.client.call('listLegacyTokens', { organization: slug })
    expect(again.data).toMatchObject([{ project_id: other.id }])
    await expect(importInto(own.project.id)).rejects.toMatchObject({ code: 'project_not_found' })
  })

  it('opens nothing else, in whatever way it is sent', async () => {
    const token = newText()
    await importOf(token)
    const other = await newOrganization()
    expect(await locate(token, other)).toMatchObject({ json: { code: 'organization_not_found' } })
    for (const path of ['/auth/me', `/api/v0/organizations/${own.slug}/projects`]) {
      const reply = await send(gateways()[0] ?? '', 'GET', path, {
        credential: { kind: 'legacy_token', token },
      })
      expect(reply).toMatchObject({ status: 401, json: { code: 'credential_malformed' } })
    }
  })

  it('is refused after its sunset, with what to do', async () => {
    const token = newText()
    await importOf(token)
    await using client = await connectTo(testStack().databaseUrls.identity)
    await client.query(
      `UPDATE legacy_tokens SET sunset_at = now() - interval '1 second' WHERE hash = decode($1, 'hex')`,
      [sha256Of(token)],
    )
    const reply = await locate(token)
    expect(reply).toMatchObject({ status: 401, json: { code: 'legacy_token_retired' } })
    expect(reply.json?.['detail']).toContain('organization auth token')
    expect(reply.headers.get('link')).toContain('/docs/legacy-tokens')
    expect(reply.headers.get('www-authenticate')).toContain('Bearer')
  })

  it('stops at every gateway when it is deleted, or when its date is moved into the past by time', async () => {
    const token = newText()
    await importOf(token)
    for (const gateway of gateways()) expect(await locate(token, own, gateway)).toMatchObject(ALLOWED)
    const id = await idOf()
    await own.admin.client.call('deleteLegacyToken', { organization: own.slug, legacy_token_id: id })
    await eventually(async () => {
      for (const gateway of gateways())
        expect(await locate(token, own, gateway)).toMatchObject({ json: { code: 'credential_invalid' } })
    })
  })

  it('gets its new date when it is imported again, and belongs to one organization', async () => {
    const token = newText()
    await importOf(token)
    await locate(token)
    expect(await importOf(token, own, '2099-07-01T00:00:00.000Z')).toEqual({ imported: 0, updated: 1 })
    await eventually(async () => {
      expect((await locate(token)).headers.get('sunset')).toBe('Wed, 01 Jul 2099 00:00:00 GMT')
    })
    await expect(importOf(token, await newOrganization())).rejects.toMatchObject({
      code: 'invalid_input',
      mistakes: [{ pointer: '/tokens/0/sha256' }],
    })
    expect(await locate(token)).toMatchObject(ALLOWED)
  })

  it('is never one that begins like a token of Bearing', async () => {
    const token = `brgo_${'0'.repeat(71)}`
    await importOf(token)
    expect(await locate(token)).toMatchObject({ status: 401, json: { code: 'credential_malformed' } })
  })

  it('that nobody has imported is refused like any unknown credential', async () => {
    expect(await locate(newText())).toMatchObject({ status: 401, json: { code: 'credential_invalid' } })
  })

  it('is refused as a whole list where the date has passed or a hash is there twice', async () => {
    const tokens = [
      { sha256: sha256Of('a') },
      { sha256: sha256Of('A') },
      { sha256: sha256Of('a').toUpperCase() },
    ]
    const importing = own.admin.client.call('importLegacyTokens', {
      organization: own.slug,
      sunset_at: '2020-01-01T00:00:00Z',
      tokens,
    })
    await expect(importing).rejects.toMatchObject({
      code: 'invalid_input',
      mistakes: [{ pointer: '/sunset_at' }, { pointer: '/tokens/2/sha256' }],
    })
  })

  it('is in the audit log by number and date, never by hash', async () => {
    const rows = (await auditedIn('identity', own)).filter(
      ({ action }) => action === 'legacy_tokens.imported',
    )
    expect(rows[0]).toMatchObject({
      actor_user_id: own.admin.id,
      details: { tokens: 1, sunset_at: SUNSET },
    })
    expect(JSON.stringify(rows)).not.toMatch(/[0-9a-f]{64}/)
  })
})
