import { randomUUID } from 'node:crypto'
import { newMember, newOrganization, newUser, type TestOrganization } from '@bearing/testing/factories'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { queryIdentity } from '../tools/audited.js'
import { FakeProvider } from '../tools/fake-provider.js'
import { newScimToken, scimClient } from '../tools/scim-client.js'
import { connect, gateway, link } from '../tools/single-sign-on.js'
import { SsoBrowser } from '../tools/sso-browser.js'

describe('the email address of an account', () => {
  const provider = forSuite(() => FakeProvider.start())
  let organization: TestOrganization
  let connectionId: string
  let domain: string

  beforeEach(async () => {
    organization = await newOrganization()
    domain = `d-${randomUUID()}.example`
    connectionId = await connect(organization, provider, { just_in_time: true })
    await queryIdentity(
      `INSERT INTO sso_domains (organization_id, domain, token, verified_at) VALUES ($1, $2, 'x', now())`,
      [organization.id, domain],
    )
    await follow(true)
    provider.person = { sub: randomUUID(), email: address(), email_verified: true }
  })

  const address = () => `${randomUUID()}@${domain}`
  const follow = (follows_email: boolean) =>
    organization.admin.client.call('changeSsoConnection', {
      organization: organization.slug,
      connection_id: connectionId,
      follows_email,
    })
  const signIn = async () => {
    const browser = new SsoBrowser(gateway())
    expect((await browser.signIn(connectionId)).status).toBe(302)
    return browser
  }
  const emails = async () => {
    const members = await organization.admin.client.listAll('listMembers', {
      organization: organization.slug,
    })
    return members.map(({ email }) => email).filter((email) => email !== organization.admin.email)
  }
  const rename = (email: string, verification: object = { email_verified: true }) => {
    const { sub } = provider.person
    provider.person = { sub, email, ...verification }
  }

  it('follows the provider at a sign-in, within verified domains, and its other sessions end', async () => {
    const before = String(provider.person.email)
    const first = await signIn()
    const after = address()
    rename(after.toUpperCase())
    const second = await signIn()
    expect(await emails()).toEqual([after])
    expect((await first.send('GET', '/auth/session')).status).toBe(401)
    expect((await second.send('GET', '/auth/session')).status).toBe(200)
    const audited = await queryIdentity(
      `SELECT details FROM audit_log WHERE action = 'user.email_changed' AND organization_id = $1`,
      [organization.id],
    )
    expect(audited).toEqual([{ details: { email_before: before, email: after } }])
    await signIn()
    expect(await emails()).toEqual([after])
  })

  it.each<[string, () => unknown]>([
    ['the connection does not say so', () => follow(false)],
    [
      'the new domain is not verified',
      () => {
        rename(`${randomUUID()}@elsewhere.example`)
      },
    ],
    [
      'the provider does not say that it is verified',
      () => {
        rename(address(), { email_verified: false })
      },
    ],
    [
      'it sends no email_verified and is not trusted',
      () => {
        rename(address(), {})
      },
    ],
  ])('stays if %s', async (_, hinder) => {
    const before = String(provider.person.email)
    await signIn()
    rename(address())
    await hinder()
    await signIn()
    expect(await emails()).toEqual([before])
  })

  it('stays if another account has the new one, and the user signs in', async () => {
    const before = String(provider.person.email)
    await signIn()
    const other = await newUser()
    const taken = address()
    await queryIdentity('UPDATE users SET email = $1 WHERE id = $2', [taken, other.id])
    rename(taken)
    await signIn()
    expect(await emails()).toEqual([before])
  })

  it('stays if it is outside of the verified domains: a provider cannot take over a private account', async () => {
    const member = await newMember(organization, 'member')
    await link(member, connectionId)
    rename(address())
    await signIn()
    expect(await emails()).toEqual([member.email])
  })

  it('follows a record that the provider renames by SCIM, and the leaver is found by either', async () => {
    const before = String(provider.person.email)
    await signIn()
    const send = scimClient(gateway(), organization, connectionId, await newScimToken(organization))
    const scim = async (method: string, path: string, body: object) => {
      const { status, json } = await send(method, path, body)
      expect(status).toBeLessThan(300)
      return json
    }
    const { id } = await scim('POST', '/Users', { userName: before, active: true })
    // At a sign-in first, with the record under the old address.
    const second = address()
    rename(second)
    await signIn()
    expect(await emails()).toEqual([second])
    const third = address()
    await scim('PUT', `/Users/${String(id)}`, { userName: third, active: true })
    expect(await emails()).toEqual([third])
    await scim('PUT', `/Users/${String(id)}`, { userName: third, active: false })
    expect(await emails()).toEqual([])
  })
})
