import { randomBytes } from 'node:crypto'
import type { PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { grantMembership } from '@bearing/contracts/identity/people/user'
import { callAsOperator } from '@bearing/testing/call-as-operator'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization, newUser, type TestOrganization } from '@bearing/testing/factories'
import { MailServer } from '@bearing/testing/mail-server'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { runBearing } from '../tools/bearing.js'
import { send, type Reply } from '../tools/http.js'

const PASSWORD = 'four words nobody guesses'

describe('accounts of people', () => {
  let mails: MailServer
  let stack: Stack
  let own: TestOrganization
  let database: pg.Client

  beforeAll(async () => {
    mails = await MailServer.start()
    const identity = { SMTP_URL: mails.url }
    stack = await startStack({ oneProcess: true, gateways: 2, environment: { identity } })
    own = await newOrganization(stack)
    database = new pg.Client(stack.databaseUrls.identity)
    await database.connect()
  })

  afterAll(async () => {
    await database.end()
    await stack.stop()
    await mails.stop()
  })

  const somebody = () => `somebody-${randomBytes(6).toString('hex')}@example.com`
  const post = (path: string, body: unknown, credential?: PresentedCredential) =>
    send(stack.gatewayUrls[0] ?? '', 'POST', path, { body, credential })
  const invitations = () => `/api/v0/organizations/${own.slug}/invitations`
  const invite = async (email: string, body: object = {}) => {
    const reply = await post(invitations(), { email, role: 'member', ...body }, own.admin.credential)
    expect(reply).toMatchObject({
      status: 201,
      json: { data: { email: email.toLowerCase(), state: 'pending' } },
    })
    return reply.json?.data as { id: string }
  }
  const change = (method: string, id: string, action = '') =>
    send(stack.gatewayUrls[0] ?? '', method, `${invitations()}/${id}${action}`, {
      credential: own.admin.credential,
    })
  const accept = (secret: string, password?: string) =>
    post('/auth/invitations/accept', { secret, ...(password !== undefined && { password }) })
  const whoAmI = (email: string, secret: string, gateway = 0) =>
    send(stack.gatewayUrls[gateway] ?? '', 'GET', '/auth/me', { credential: { kind: 'user', email, secret } })
  const askReset = (email: string) => post('/auth/password/reset-request', { email })
  const member = (reply: Reply) =>
    expect(reply.json).toMatchObject({ data: { grants: [{ organization_id: own.id, role: 'member' }] } })

  describe('invitations', () => {
    it('who is invited gets an account with the places that the admin has chosen, and nobody else sees the link', async () => {
      const email = somebody()
      const projects = [{ project_id: own.project.id, role: 'reader' }]
      const { id } = await invite(email.toUpperCase(), { projects })
      const secret = await mails.secretFor(email)
      expect(await post('/auth/invitations/show', { secret })).toMatchObject({
        status: 200,
        json: { data: { email, role: 'member', invited_by: own.admin.email, has_account: false } },
      })
      expect(await accept(secret, PASSWORD)).toMatchObject({
        status: 200,
        json: { data: { email, organization_id: own.id, account_created: true } },
      })
      const me = await whoAmI(email, PASSWORD)
      member(me)
      expect(me.json).toMatchObject({ data: { grants: [{ projects }] } })
      const list = await own.admin.client.call('listInvitations', { organization: own.slug })
      expect(list.data[0]).toMatchObject({ id, state: 'accepted', invited_by: own.admin.id })
      expect(JSON.stringify(list)).not.toContain(secret)
      expect(stack.output()).not.toContain(secret)
      const { rows } = await database.query<{ action: string; actor_kind: string }>(
        `SELECT action, actor_kind FROM audit_log WHERE target = $1 ORDER BY id`,
        [`invitation:${id}`],
      )
      expect(rows).toEqual([
        { action: 'invitation.created', actor_kind: 'user' },
        { action: 'invitation.accepted', actor_kind: 'anonymous' },
      ])
    })

    it('an invitation link works once, although several people open it at the same time', async () => {
      const email = somebody()
      await invite(email)
      const secret = await mails.secretFor(email)
      const replies = await Promise.all([1, 2, 3, 4].map((n) => accept(secret, `${PASSWORD} ${n}`)))
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
      for (const { status, json } of replies)
        if (status !== 200) expect(['invitation_ended', 'email_taken']).toContain(json?.code)
      const { rows } = await database.query('SELECT 1 FROM users WHERE email = $1', [email])
      expect(rows).toHaveLength(1)
      const winner = replies.findIndex(({ status }) => status === 200)
      expect((await whoAmI(email, `${PASSWORD} ${winner + 1}`)).status).toBe(200)
      expect(await accept(secret)).toMatchObject({ status: 410, json: { code: 'invitation_ended' } })
    })

    it('an invitation for one address cannot make an account with another', async () => {
      const [email, other] = [somebody(), somebody()]
      await invite(email)
      const secret = await mails.secretFor(email)
      const body = { secret, password: PASSWORD, email: other }
      expect(await post('/auth/invitations/accept', body)).toMatchObject({ status: 400 })
      expect(await accept(secret, PASSWORD)).toMatchObject({ json: { data: { email } } })
      expect((await whoAmI(other, PASSWORD)).status).toBe(401)
    })

    it('somebody who has an account joins as they are: an invitation never sets a password', async () => {
      const user = await newUser(stack)
      await invite(user.email)
      const secret = await mails.secretFor(user.email)
      expect(await accept(secret, 'a password of an attacker')).toMatchObject({
        status: 409,
        json: { code: 'email_taken' },
      })
      expect((await whoAmI(user.email, 'a password of an attacker')).status).toBe(401)
      expect(await accept(secret)).toMatchObject({
        json: { data: { account_created: false, user_id: user.id } },
      })
      await eventually(async () => member(await whoAmI(user.email, user.password)))
      await eventually(async () => member(await whoAmI(user.email, user.apiKey)))
    })

    it("a revoked invitation's link is dead", async () => {
      const email = somebody()
      const { id } = await invite(email)
      const secret = await mails.secretFor(email)
      expect(await change('DELETE', id)).toMatchObject({ json: { data: { state: 'revoked' } } })
      const reply = await accept(secret, PASSWORD)
      expect(reply).toMatchObject({ status: 410, json: { code: 'invitation_ended' } })
      expect(reply.json?.['detail']).toContain('revoked')
    })

    it('an expired link is dead, and comes back to life only as another one', async () => {
      const email = somebody()
      const { id } = await invite(email)
      const old = await mails.secretFor(email)
      await database.query(
        `UPDATE invitations SET expires_at = now() - interval '1 second', sent_at = sent_at - interval '3 days' WHERE id = $1`,
        [id],
      )
      expect(await accept(old, PASSWORD)).toMatchObject({ status: 410 })
      expect(await change('POST', id, '/resend')).toMatchObject({ json: { data: { state: 'pending' } } })
      const secret = await mails.secretFor(email, 2)
      expect(await accept(old, PASSWORD)).toMatchObject({
        status: 404,
        json: { code: 'invitation_not_found' },
      })
      expect(await accept(secret, PASSWORD)).toMatchObject({ status: 200 })
    })

    it('what an admin has sent lets nobody in once they are no admin any more', async () => {
      const leaving = await newMember(own, 'admin', [], stack)
      const email = somebody()
      const sent = await post(invitations(), { email, role: 'admin' }, leaving.credential)
      expect(sent.status).toBe(201)
      const secret = await mails.secretFor(email)
      await own.admin.client.call('removeMember', { organization: own.slug, user_id: leaving.id })
      expect(await accept(secret, PASSWORD)).toMatchObject({
        status: 410,
        json: { code: 'invitation_ended' },
      })
    })

    it('what an admin has sent lets nobody in once they are demoted', async () => {
      const demoted = await newMember(own, 'admin', [], stack)
      const email = somebody()
      expect((await post(invitations(), { email, role: 'admin' }, demoted.credential)).status).toBe(201)
      const secret = await mails.secretFor(email)
      const organization = own.slug
      await own.admin.client.call('setMemberRole', { organization, user_id: demoted.id, role: 'member' })
      expect(await accept(secret, PASSWORD)).toMatchObject({
        status: 410,
        json: { code: 'invitation_ended' },
      })
      expect((await whoAmI(email, PASSWORD)).status).toBe(401)
    })

    it('an invitation that is open when its person is removed does not let them in again', async () => {
      const user = await newUser(stack)
      await invite(user.email)
      const secret = await mails.secretFor(user.email)
      const organization = own.slug
      // They came in another way meanwhile, and were removed.
      await callAsOperator(
        grantMembership,
        { organization_id: own.id, user_id: user.id, role: 'member', projects: [] },
        stack,
      )
      await own.admin.client.call('removeMember', { organization, user_id: user.id })
      expect(await accept(secret)).toMatchObject({ status: 410, json: { code: 'invitation_ended' } })
      expect((await whoAmI(user.email, user.apiKey)).json).toMatchObject({ data: { grants: [] } })
      // An admin can invite them again later.
      await database.query("UPDATE invitations SET sent_at = '2020-01-01' WHERE email = $1", [user.email])
      await invite(user.email)
      expect((await accept(await mails.secretFor(user.email, 2))).status).toBe(200)
    })

    it('an address is invited once at a time, and a member not at all', async () => {
      const email = somebody()
      const replies = await Promise.all(
        [1, 2, 3].map(() => post(invitations(), { email, role: 'member' }, own.admin.credential)),
      )
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409])
      expect(
        await post(invitations(), { email: own.admin.email, role: 'member' }, own.admin.credential),
      ).toMatchObject({ json: { code: 'already_member' } })
    })

    it('a project of somebody else cannot be given away', async () => {
      const project_id = (await newOrganization(stack)).project.id
      const body = { email: somebody(), role: 'member', projects: [{ project_id, role: 'manager' }] }
      expect(await post(invitations(), body, own.admin.credential)).toMatchObject({
        json: { code: 'project_not_found' },
      })
    })
  })

  describe('passwords', () => {
    it('a password reset ends the sessions of the old password and the API key at every gateway, and works once', async () => {
      const user = await newUser(stack)
      for (const gateway of [0, 1])
        expect((await whoAmI(user.email, user.password, gateway)).status).toBe(200)
      expect((await askReset(user.email)).status).toBe(202)
      const secret = await mails.secretFor(user.email)
      const replies = await Promise.all(
        [1, 2, 3].map((n) => post('/auth/password/reset', { secret, password: `${PASSWORD} ${n}` })),
      )
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404])
      const password = `${PASSWORD} ${replies.findIndex(({ status }) => status === 200) + 1}`
      for (const gateway of [0, 1]) {
        await eventually(async () =>
          expect((await whoAmI(user.email, user.password, gateway)).status).toBe(401),
        )
        expect((await whoAmI(user.email, password, gateway)).status).toBe(200)
        expect((await whoAmI(user.email, user.apiKey, gateway)).status).toBe(401)
      }
      const { rows } = await database.query<{ action: string; address: string | null }>(
        'SELECT action, address FROM audit_log WHERE target = $1 ORDER BY id',
        [`user:${user.id}`],
      )
      expect(rows.slice(-2)).toEqual([
        { action: 'password.reset_requested', address: '127.0.0.1' },
        { action: 'password.reset', address: '127.0.0.1' },
      ])
      await eventually(
        () =>
          expect(
            mails
              .to(user.email)
              .map(({ text }) => text)
              .join(),
          ).toContain('was changed'),
        { withinMs: 30_000 },
      )
    })

    it('a changed password ends the old one at every gateway, and kills links to set one', async () => {
      const user = await newUser(stack)
      for (const gateway of [0, 1])
        expect((await whoAmI(user.email, user.password, gateway)).status).toBe(200)
      await askReset(user.email)
      const secret = await mails.secretFor(user.email)
      const body = { current_password: user.password, new_password: PASSWORD }
      const wrong = { ...body, current_password: user.apiKey }
      expect(await post('/auth/password/change', wrong, user.credential)).toMatchObject({
        status: 403,
        json: { code: 'password_incorrect' },
      })
      expect((await post('/auth/password/change', body, user.credential)).status).toBe(200)
      for (const gateway of [0, 1])
        await eventually(async () =>
          expect((await whoAmI(user.email, user.password, gateway)).status).toBe(401),
        )
      expect((await whoAmI(user.email, PASSWORD)).status).toBe(200)
      expect(await post('/auth/password/reset', { secret, password: `${PASSWORD}!` })).toMatchObject({
        json: { code: 'password_reset_not_found' },
      })
    })

    it('of two concurrent changes of one password, one succeeds', async () => {
      const user = await newUser(stack)
      const replies = await Promise.all(
        [1, 2].map((n) =>
          post(
            '/auth/password/change',
            { current_password: user.password, new_password: `${PASSWORD} ${n}` },
            user.credential,
          ),
        ),
      )
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 403])
    })

    it('asking for a link says nothing about who has an account, and mails nobody who has none', async () => {
      const user = await newUser(stack)
      const outsider = somebody()
      const comparable = ({ status, text, headers }: Reply) => ({
        status,
        text,
        headers: [...headers.keys()].sort(),
      })
      expect(comparable(await askReset(outsider))).toEqual(comparable(await askReset(user.email)))
      await mails.secretFor(user.email)
      expect(mails.to(outsider)).toEqual([])
      await eventually(async () => {
        const { rows } = await database.query('SELECT 1 FROM mails WHERE subject = $1', [outsider])
        expect(rows).toEqual([])
      })
    })

    // Not the notice about the API key of the user.
    const resetsTo = (email: string) =>
      mails.to(email).filter(({ text }) => text.includes('Set a new password for Bearing'))

    it('repeated requests cannot fill a mailbox', async () => {
      const user = await newUser(stack)
      await askReset(user.email)
      const secret = await mails.secretFor(user.email)
      for (let n = 0; n < 3; n++) await askReset(user.email)
      await eventually(
        async () => {
          const { rows } = await database.query('SELECT 1 FROM mails WHERE subject = $1', [user.email])
          expect(rows).toEqual([])
        },
        { withinMs: 30_000 },
      )
      expect(resetsTo(user.email)).toHaveLength(1)
      expect((await post('/auth/password/reset', { secret, password: PASSWORD })).status).toBe(200)
    })

    it('where every organization demands single sign-on, nobody gets a password by mail', async () => {
      const company = await newOrganization(stack)
      await database.query(
        `INSERT INTO organization_rules (organization_id, sso_required) VALUES ($1, true)
         ON CONFLICT (organization_id) DO UPDATE SET sso_required = true`,
        [company.id],
      )
      await askReset(company.admin.email)
      await eventually(
        async () => {
          const { rows } = await database.query('SELECT 1 FROM mails WHERE subject = $1', [
            company.admin.email,
          ])
          expect(rows).toEqual([])
        },
        { withinMs: 30_000 },
      )
      expect(resetsTo(company.admin.email)).toEqual([])
    })

    it.each([
      ['the breached list', '123456789987654321', 'stolen'],
      ['the email address', 'I am ada.lovelace.1843', 'email address'],
    ])('a password from %s is refused, and it says why', async (_, password, why) => {
      const email = `ada.lovelace.1843@${randomBytes(6).toString('hex')}.example.com`
      await invite(email)
      const reply = await accept(await mails.secretFor(email), password)
      expect(reply).toMatchObject({
        status: 400,
        json: { code: 'invalid_input', errors: [{ pointer: '/password' }] },
      })
      expect(reply.json?.['detail']).toContain(why)
    })
  })

  it('the mail server is down: the mail comes later, and nothing readable of the link is in the database', async () => {
    await mails.stop()
    const email = somebody()
    const { id } = await invite(email)
    await eventually(
      async () => {
        const { rows } = await database.query<{ attempts: number }>(
          'SELECT attempts FROM mails WHERE subject = $1',
          [id],
        )
        expect(rows[0]?.attempts).toBeGreaterThan(0)
      },
      { withinMs: 30_000 },
    )
    await mails.start()
    const secret = await mails.secretFor(email)
    const { rows } = await database.query<{ dump: string }>(
      `SELECT (SELECT json_agg(i)::text FROM invitations i) || coalesce((SELECT json_agg(m)::text FROM mails m), '') AS dump`,
    )
    const dump = rows[0]?.dump ?? ''
    expect(dump).toContain(id)
    expect(dump).not.toContain(secret)
    expect(dump).not.toContain(Buffer.from(secret, 'base64url').toString('hex'))
    expect((await accept(secret, PASSWORD)).status).toBe(200)
  })

  it('a whole life on the command line, with every secret from standard input', async () => {
    const email = somebody()
    const admin = {
      BEARING_URL: stack.gatewayUrls[0],
      BEARING_ORG: own.slug,
      BEARING_EMAIL: own.admin.email,
      BEARING_PASSWORD: own.admin.apiKey,
    }
    const open = { BEARING_URL: stack.gatewayUrls[0] }
    expect(await runBearing(['invitations', 'create', email], admin)).toMatchObject({ code: 0 })
    const secret = await mails.secretFor(email)
    const listed = await runBearing(['invitations', 'list', '--json'], admin)
    expect(listed.stdout).toContain(email)
    const accepted = await runBearing(['invitations', 'accept'], open, `${secret}\n${PASSWORD}\n`)
    expect(accepted).toMatchObject({ code: 0 })
    expect(accepted.stdout + accepted.stderr).not.toContain(secret)
    const self = { ...open, BEARING_EMAIL: email, BEARING_PASSWORD: PASSWORD }
    const changed = await runBearing(['password', 'set'], self, `${PASSWORD}\n${PASSWORD}, changed\n`)
    const asked = await runBearing(['password', 'request-link', email], open)
    const link = `${await mails.secretFor(email, 2)}\n${PASSWORD}, again\n`
    const reset = await runBearing(['password', 'set', '--link'], open, link)
    expect([changed.code, asked.code, reset.code]).toEqual([0, 0, 0])
    expect((await whoAmI(email, `${PASSWORD}, again`)).status).toBe(200)
  })
})
