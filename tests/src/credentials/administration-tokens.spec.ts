import { randomUUID } from 'node:crypto'
import type { CallInput } from '@bearing/client/call-types'
import { DAY_MS } from '@bearing/contracts/durations'
import { ADMIN_GRANT, TOKEN_PRESETS } from '@bearing/contracts/identity/tokens/token-presets'
import { eventually } from '@bearing/testing/eventually'
import { clientFor, newMember, newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { MailServer } from '@bearing/testing/mail-server'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'

type Wanted = Partial<CallInput<'createOrganizationToken'>>

const DENIED = { code: 'permission_denied' }

describe('an organization token that administers', () => {
  let mails: MailServer
  let stack: Stack
  let own: TestOrganization
  let organization: string

  beforeAll(async () => {
    mails = await MailServer.start()
    const identity = { SMTP_URL: mails.url }
    stack = await startStack({ oneProcess: true, gateways: 2, environment: { identity } })
    own = await newOrganization(stack)
    organization = own.slug
  })

  afterAll(async () => {
    await stack.stop()
    await mails.stop()
  })

  const create = async (wanted: Wanted, of: TestOrganization = own) => {
    const input = { organization: of.slug, description: `token ${randomUUID()}`, ...wanted }
    const created = await of.admin.client.call('createOrganizationToken', input)
    const credential = { kind: 'organization_token', token: created.token } as const
    return { ...created, client: clientFor(credential, stack), other: clientFor(credential, stack, 1) }
  }
  const somebody = (role: 'admin' | 'member' = 'member') => newMember(own, role, [], stack)
  const address = () => `somebody-${randomUUID()}@example.com`

  it('creates and deletes projects, manages members, reads usage, tokens and the audit log, and changes settings', async () => {
    const { id, client } = await create({ preset: 'administration' })
    const slug = `made-${randomUUID()}`
    const project = await client.call('createProject', { organization, name: 'Made by a token', slug })
    expect(await client.call('showProjectKey', { organization, project: slug })).toBeDefined()
    await client.call('deleteProject', { organization, project_slug: slug })
    await client.call('restoreProject', { organization, project_slug: slug })
    const member = await somebody()
    const { data: members } = await client.call('listMembers', { organization })
    expect(members.map(({ user_id }) => user_id)).toContain(member.id)
    await client.call('removeMember', { organization, user_id: member.id })
    await client.call('renameOrganization', { organization, name: 'Renamed by a token' })
    await client.call('changeLocationSettings', {
      organization,
      share_observations: false,
      observation_retention_days: 365,
    })
    await client.call('showOrganizationUsage', { organization })
    expect(await client.call('listOrganizationTokens', { organization })).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ id, administers: true })]),
    })
    await eventually(async () => {
      const { data } = await client.call('listAuditEntries', { organization, actor: id })
      expect(data.map(({ action, target }) => [action, target])).toEqual(
        expect.arrayContaining([
          ['project.created', `project:${project.id}`],
          ['membership.removed', `user:${member.id}`],
        ]),
      )
    })
  })

  it('neither gives nor takes the role admin, unless it was created with admin:grant', async () => {
    const [member, admin] = [await somebody(), await somebody('admin')]
    const { client } = await create({ preset: 'administration' })
    const promotion = { organization, user_id: member.id, role: 'admin' } as const
    const invitation = { organization, email: address(), role: 'admin' } as const
    await expect(client.call('setMemberRole', promotion)).rejects.toMatchObject(DENIED)
    await expect(
      client.call('setMemberRole', { organization, user_id: admin.id, role: 'member' }),
    ).rejects.toMatchObject(DENIED)
    await expect(client.call('removeMember', { organization, user_id: admin.id })).rejects.toMatchObject(
      DENIED,
    )
    await expect(client.call('createInvitation', invitation)).rejects.toMatchObject(DENIED)
    const { id } = await own.admin.client.call('createInvitation', invitation)
    await expect(client.call('resendInvitation', { organization, invitation_id: id })).rejects.toMatchObject(
      DENIED,
    )
    const granting = await create({ preset: 'administration', permissions: [ADMIN_GRANT] })
    expect(await granting.client.call('setMemberRole', promotion)).toMatchObject({ role: 'admin' })
    for (const { permissions } of Object.values(TOKEN_PRESETS)) expect(permissions).not.toContain(ADMIN_GRANT)
  })

  it('creates and rotates no tokens, and changes neither rules of signing in nor the token policy', async () => {
    const { id, client } = await create({ preset: 'administration', permissions: [ADMIN_GRANT] })
    await expect(
      client.call('createOrganizationToken', { organization, description: 'more' }),
    ).rejects.toMatchObject(DENIED)
    await expect(
      client.call('rotateOrganizationToken', { organization, organization_token_id: id }),
    ).rejects.toMatchObject(DENIED)
    await expect(
      client.call('changeOrganizationTokenPolicy', { organization, max_lifetime_days: null }),
    ).rejects.toMatchObject(DENIED)
    await expect(
      client.call('changeSignInPolicy', { organization, second_factor_required: false }),
    ).rejects.toMatchObject(DENIED)
    await expect(client.call('deleteOrganization', { organization })).rejects.toMatchObject(DENIED)
    await expect(create({ permissions: ['organization-token:create'] })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })

  it('sends invitations that are void as soon as it is deleted', async () => {
    const { id, client } = await create({ preset: 'administration' })
    const email = address()
    await client.call('createInvitation', { organization, email, role: 'member' })
    const secret = await mails.secretFor(email)
    expect(await client.call('showInvitation', { secret })).toMatchObject({ email })
    await own.admin.client.call('deleteOrganizationToken', { organization, organization_token_id: id })
    await expect(own.admin.client.call('showInvitation', { secret })).rejects.toMatchObject({
      code: 'invitation_ended',
    })
  })

  it('always expires, after 90 days or as the policy says, and is announced to every admin', async () => {
    const of = await newOrganization(stack)
    const second = await newMember(of, 'admin', [], stack)
    const days = ({ expires_at, created_at }: { expires_at: string | null; created_at: string }) =>
      (Date.parse(expires_at ?? '') - Date.parse(created_at)) / DAY_MS
    const { id, ...first } = await create({ preset: 'administration', description: 'announced' }, of)
    expect(days(first)).toBe(90)
    const expires_at = new Date(Date.now() + 300 * DAY_MS).toISOString()
    expect(days(await create({ permissions: ['project:create'], expires_at }, of))).toBe(90)
    await of.admin.client.call('changeOrganizationTokenPolicy', {
      organization: of.slug,
      max_lifetime_days: null,
      administration_max_lifetime_days: 7,
    })
    expect(days(await create({ preset: 'administration' }, of))).toBe(7)
    expect(days(await create({}, of))).toBe(365)
    await eventually(
      () => {
        for (const { email } of [of.admin, second])
          expect(
            mails.to(email).filter(({ text }) => text.includes(id) && text.includes('announced')),
          ).toHaveLength(1)
      },
      { withinMs: 60_000 },
    )
  })

  it('loses its administration at every gateway as soon as the policy forbids it, and keeps the rest', async () => {
    const of = await newOrganization(stack)
    const { client, other } = await create({ preset: 'administration' }, of)
    const usage = { organization: of.slug }
    for (const each of [client, other]) await each.call('showOrganizationUsage', usage)
    await of.admin.client.call('changeOrganizationTokenPolicy', {
      ...{ organization: of.slug, max_lifetime_days: null, administration: 'forbid' },
    })
    for (const each of [client, other]) {
      await expect(each.call('showOrganizationUsage', usage)).rejects.toMatchObject(DENIED)
      await each.call('listProjects', usage)
    }
    await expect(create({ preset: 'administration' }, of)).rejects.toMatchObject({
      code: 'administration_forbidden',
    })
    expect(await create({}, of)).toMatchObject({ administers: false })
  })

  it('is what nobody gets without asking: the default is the preset project-manager', async () => {
    const { permissions } = await create({})
    expect(new Set(permissions)).toEqual(new Set(TOKEN_PRESETS['project-manager'].permissions))
    const bound = await create({ project_ids: [own.project.id] })
    expect(bound.permissions).not.toContain('access-point:import')
    await expect(create({ preset: 'administration', project_ids: [own.project.id] })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })
})
