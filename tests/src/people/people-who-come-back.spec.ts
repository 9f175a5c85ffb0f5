import { randomUUID } from 'node:crypto'
import { deleteUser, grantMembership } from '@bearing/contracts/identity/people/user'
import { callAsOperator } from '@bearing/testing/call-as-operator'
import { newMember, newOrganization, newUser, type TestUser } from '@bearing/testing/factories'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { fillOrganizations, queryIdentity } from '../tools/audited.js'
import { FakeProvider } from '../tools/fake-provider.js'
import { beginLink, connect, expectProblem, expectRefused, gateway, link } from '../tools/single-sign-on.js'
import { SsoBrowser } from '../tools/sso-browser.js'

describe('where the provider of an organization lets people in automatically', () => {
  const provider = forSuite(() => FakeProvider.start())
  const organization = forSuite(() => newOrganization())
  let connectionId: string
  let member: TestUser

  beforeAll(async () => {
    connectionId = await connect(organization, provider, { just_in_time: true })
  })

  beforeEach(async () => {
    member = await newMember(organization, 'member')
    const { email } = member
    provider.person = { sub: randomUUID(), email, email_verified: true }
    await queryIdentity(
      `INSERT INTO sso_domains (organization_id, domain, token, verified_at) VALUES ($1, $2, 'x', now())
       ON CONFLICT DO NOTHING`,
      [organization.id, email.slice(email.indexOf('@') + 1)],
    )
  })

  const remove = () =>
    organization.admin.client.call('removeMember', { organization: organization.slug, user_id: member.id })
  const unlink = async () => {
    const { data } = await member.client.call('listSsoIdentities', {})
    await member.client.call('deleteSsoIdentity', { sso_identity_id: data[0]?.id ?? '' })
    expect((await member.client.call('listSsoIdentities', {})).data).toEqual([])
  }
  const linkAgain = async () => {
    const { browser, address } = await beginLink(member, connectionId)
    return browser.send('GET', await browser.atProvider(address))
  }
  const membersOf = () =>
    queryIdentity('SELECT 1 FROM memberships WHERE user_id = $1 AND organization_id = $2', [
      member.id,
      organization.id,
    ])

  it('who was removed does not come back by unlinking and linking again', async () => {
    await link(member, connectionId)
    await remove()
    await unlink()
    expectRefused(await linkAgain(), 'sso_access_denied')
    expectRefused(await new SsoBrowser(gateway()).signIn(connectionId), 'sso_access_denied')
    expect(await membersOf()).toEqual([])
  })

  it('who was removed does not come back by linking for the first time', async () => {
    await remove()
    expectRefused(await linkAgain(), 'sso_access_denied')
    expect(await membersOf()).toEqual([])
  })

  it('who has deleted their account does not come back as somebody new', async () => {
    await link(member, connectionId)
    await queryIdentity('DELETE FROM users WHERE id = $1', [member.id])
    expectRefused(await new SsoBrowser(gateway()).signIn(connectionId), 'sso_access_denied')
    expect(await queryIdentity('SELECT 1 FROM users WHERE email = $1', [member.email])).toEqual([])
  })

  it('of an account that is deleted while it signs in, nothing is left, and nobody waits for ever', async () => {
    for (let round = 0; round < 4; round++) {
      const user = await newMember(organization, 'member')
      provider.person = { sub: randomUUID(), email: user.email, email_verified: true }
      await link(user, connectionId)
      const browser = new SsoBrowser(gateway())
      const back = await browser.atProvider(await browser.begin(connectionId))
      const [signedIn] = await Promise.all([
        browser.send('GET', back),
        callAsOperator(deleteUser, { user_id: user.id }),
      ])
      expect([302, 403]).toContain(signedIn.status)
      expect(await queryIdentity('SELECT 1 FROM sessions WHERE user_id = $1', [user.id])).toEqual([])
    }
  })

  it('who is in as many organizations as a user may be does not come into one more, and links where they are a member', async () => {
    await fillOrganizations(member.id)
    expect((await linkAgain()).status).toBe(302)
    member = await newUser()
    await fillOrganizations(member.id)
    provider.person = { sub: randomUUID(), email: member.email, email_verified: true }
    expectProblem(await linkAgain(), 'too_many_organizations')
    expect(await membersOf()).toEqual([])
  })

  it('nobody becomes a member of a deleted organization, nor gets an account; members sign in, to restore it', async () => {
    const own = await newOrganization()
    const connection = await connect(own, provider, { just_in_time: true })
    const [known, newcomer] = [await newMember(own, 'member'), `${randomUUID()}@deleted.example`]
    for (const email of [known.email, newcomer])
      await queryIdentity(
        `INSERT INTO sso_domains (organization_id, domain, token, verified_at) VALUES ($1, $2, 'x', now())
         ON CONFLICT DO NOTHING`,
        [own.id, email.slice(email.indexOf('@') + 1)],
      )
    const person = { sub: randomUUID(), email: known.email, email_verified: true }
    provider.person = person
    await link(known, connection)
    await own.admin.client.call('deleteOrganization', { organization: own.slug })
    expect((await new SsoBrowser(gateway()).signIn(connection)).status).toBe(302)
    provider.person = { sub: randomUUID(), email: newcomer, email_verified: true }
    expectRefused(await new SsoBrowser(gateway()).signIn(connection), 'sso_access_denied')
    expect(await queryIdentity('SELECT 1 FROM users WHERE email = $1', [newcomer])).toEqual([])
    await own.admin.client.call('restoreOrganization', { organization: own.slug })
    expect((await new SsoBrowser(gateway()).signIn(connection)).status).toBe(302)
  })

  it('who is let in again by the organization links again, and signs in', async () => {
    await link(member, connectionId)
    await remove()
    await unlink()
    await callAsOperator(grantMembership, {
      organization_id: organization.id,
      user_id: member.id,
      role: 'member',
    })
    expect((await linkAgain()).status).toBe(302)
    expect((await new SsoBrowser(gateway()).signIn(connectionId)).status).toBe(302)
    expect((await member.client.call('listSsoIdentities', {})).data).toHaveLength(1)
  })
})
