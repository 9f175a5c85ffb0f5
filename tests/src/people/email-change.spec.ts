import { randomBytes } from 'node:crypto'
import { changeUserEmail } from '@bearing/contracts/identity/people/email-change'
import { callAsOperator } from '@bearing/testing/call-as-operator'
import { eventually } from '@bearing/testing/eventually'
import {
  newMember,
  newOrganization,
  newUser,
  type TestOrganization,
  type TestUser,
} from '@bearing/testing/factories'
import { MailServer } from '@bearing/testing/mail-server'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { Browser } from '../tools/browser.js'
import { send, type Reply } from '../tools/http.js'

const PASSWORD = 'four words nobody guesses'

describe('a change of the email address', () => {
  let mails: MailServer
  let stack: Stack
  let organization: TestOrganization
  let database: pg.Client

  beforeAll(async () => {
    mails = await MailServer.start()
    const identity = { SMTP_URL: mails.url }
    stack = await startStack({ services: ['identity', 'management'], environment: { identity } })
    organization = await newOrganization(stack)
    database = new pg.Client(stack.databaseUrls.identity)
    await database.connect()
  })

  afterAll(async () => {
    await database.end()
    await stack.stop()
    await mails.stop()
  })

  const gateway = () => stack.gatewayUrls[0] ?? ''
  const somewhere = (domain = 'example.com') => `somebody-${randomBytes(6).toString('hex')}@${domain}`
  const post = (path: string, body: unknown) => send(gateway(), 'POST', path, { body })
  const request = (user: TestUser, email: string) =>
    send(gateway(), 'POST', '/auth/email/change', { body: { email }, credential: user.credential })
  const confirm = (secret: string) => post('/auth/email/confirm', { secret })
  const whoAmI = (email: string, secret: string, at = 0) =>
    send(stack.gatewayUrls[at] ?? '', 'GET', '/auth/me', { credential: { kind: 'user', email, secret } })
  const allSent = () =>
    eventually(async () => {
      const { rows } = await database.query('SELECT 1 FROM mails')
      expect(rows).toEqual([])
    })
  /** Requests a change. @returns the secrets of both links */
  const links = async (user: TestUser, email: string) => {
    expect((await request(user, email)).status).toBe(202)
    return { old: await mails.secretFor(user.email), fresh: await mails.secretFor(email) }
  }
  const change = async (user: TestUser, email: string) => {
    const { old, fresh } = await links(user, email)
    expect((await confirm(old)).json).toMatchObject({ data: { changed: false } })
    expect((await confirm(fresh)).json).toMatchObject({ data: { changed: true } })
  }
  const code = ({ json }: Reply) => json?.code

  it('takes both links; then the old address is refused at every gateway, sessions end, and everything else stays', async () => {
    const user = await newMember(organization, 'member', [], stack)
    const email = somewhere()
    const browser = await Browser.signIn(gateway(), user)
    for (const at of [0, 1]) {
      expect((await whoAmI(user.email, user.password, at)).status).toBe(200)
      expect((await whoAmI(user.email, user.apiKey, at)).status).toBe(200)
    }
    const { old, fresh } = await links(user, email)
    expect((await confirm(fresh)).json).toMatchObject({ data: { changed: false } })
    expect((await whoAmI(user.email, user.password)).status).toBe(200)
    expect(code(await confirm(fresh))).toBe('email_change_not_found')
    expect((await confirm(old)).json).toMatchObject({ data: { changed: true } })
    expect(code(await confirm(old))).toBe('email_change_not_found')
    for (const at of [0, 1])
      await eventually(async () => {
        expect((await whoAmI(user.email, user.password, at)).status).toBe(401)
        expect((await whoAmI(user.email, user.apiKey, at)).status).toBe(401)
        for (const secret of [user.password, user.apiKey])
          expect((await whoAmI(email, secret, at)).json).toMatchObject({
            data: { email, user_id: user.id, grants: [{ organization_id: organization.id }] },
          })
      })
    await eventually(async () => {
      expect((await browser.send(gateway(), 'GET', '/auth/session')).status).toBe(401)
    })
    await allSent()
    expect(mails.to(user.email).at(-1)?.text).toContain('was changed')
    const { rows } = await database.query<{ action: string; actor_kind: string; details: object }>(
      `SELECT action, actor_kind, details FROM audit_log WHERE target = $1 AND action LIKE 'user.email%' ORDER BY id`,
      [`user:${user.id}`],
    )
    expect(rows).toEqual([
      { action: 'user.email_change_requested', actor_kind: 'user', details: { email } },
      {
        action: 'user.email_changed',
        actor_kind: 'anonymous',
        details: { email_before: user.email, email },
      },
    ])
    expect(stack.output()).not.toContain(old)
    const stored = await database.query('SELECT 1 FROM email_changes WHERE user_id = $1', [user.id])
    expect(stored.rows).toEqual([])
  })

  it('to an address with an account is answered like any other, and mails nothing to it', async () => {
    const [user, other] = [await newUser(stack), await newUser(stack)]
    const [taken, free] = [await request(user, other.email), await request(user, somewhere())]
    expect(taken.status).toBe(free.status)
    expect(taken.json?.data).toEqual(free.json?.data)
    expect((await request(user, other.email)).status).toBe(202)
    await allSent()
    const links = mails.to(other.email).filter(({ text }) => text.includes('/email-change#'))
    expect(links).toEqual([])
    expect(mails.to(user.email).length).toBeGreaterThan(0)
  })

  it('to an address that gets an account meanwhile is refused to the holder of both links', async () => {
    const [user, email] = [await newUser(stack), somewhere()]
    const { old, fresh } = await links(user, email)
    await confirm(fresh)
    await organization.admin.client.call('createInvitation', {
      organization: organization.slug,
      email,
      role: 'member',
    })
    const secret = await mails.secretFor(email, 2)
    expect((await post('/auth/invitations/accept', { secret, password: PASSWORD })).status).toBe(200)
    expect(code(await confirm(old))).toBe('email_taken')
    expect((await whoAmI(user.email, user.password)).status).toBe(200)
  })

  it('happens once, although both links are used at the same time and several times', async () => {
    const [user, email] = [await newUser(stack), somewhere()]
    const { old, fresh } = await links(user, email)
    const replies = await Promise.all([old, fresh, old, fresh].map((secret) => confirm(secret)))
    const changed = replies.map(({ json }) => json?.data).filter((data) => data !== undefined)
    expect(changed).toHaveLength(2)
    expect(changed).toContainEqual({ changed: true })
    expect((await whoAmI(email, user.password)).status).toBe(200)
  })

  it('is canceled by a newer one, by another password, and after 24 hours', async () => {
    const user = await newUser(stack)
    const first = await links(user, somewhere())
    const email = somewhere()
    expect((await request(user, email)).status).toBe(202)
    const second = await mails.secretFor(email)
    for (const secret of [first.old, first.fresh])
      expect(code(await confirm(secret))).toBe('email_change_not_found')
    await database.query(`UPDATE email_changes SET expires_at = now() WHERE user_id = $1`, [user.id])
    expect(code(await confirm(second))).toBe('email_change_not_found')

    const other = await newUser(stack)
    const { old, fresh } = await links(other, somewhere())
    await other.client.call('changePassword', { current_password: other.password, new_password: PASSWORD })
    for (const secret of [old, fresh]) expect(code(await confirm(secret))).toBe('email_change_not_found')
  })

  it('needs the proof of a recent sign-in in a session, and is allowed five times a day', async () => {
    const user = await newUser(stack)
    const browser = await Browser.signIn(gateway(), user)
    await database.query(
      `UPDATE sessions SET created_at = created_at - interval '1 hour' WHERE user_id = $1`,
      [user.id],
    )
    const body = { email: somewhere() }
    expect(code(await browser.send(gateway(), 'POST', '/auth/email/change', { body }))).toBe(
      'recent_sign_in_required',
    )
    for (let n = 0; n < 5; n++) expect((await request(user, somewhere())).status).toBe(202)
    expect(code(await request(user, somewhere()))).toBe('rate_limited')
  })

  it('leaves invitations to the old address to anyone who reads its mail, and ends a link for its password', async () => {
    const user = await newUser(stack)
    await organization.admin.client.call('createInvitation', {
      organization: organization.slug,
      email: user.email,
      role: 'member',
    })
    const invitation = await mails.secretFor(user.email)
    expect((await post('/auth/password/reset-request', { email: user.email })).status).toBe(202)
    const reset = await mails.secretFor(user.email, 2)
    const email = somewhere()
    expect((await request(user, email)).status).toBe(202)
    await confirm(await mails.secretFor(user.email, 3))
    await confirm(await mails.secretFor(email))
    expect(code(await post('/auth/password/reset', { secret: reset, password: PASSWORD }))).toBe(
      'password_reset_not_found',
    )
    const accepted = await post('/auth/invitations/accept', { secret: invitation, password: PASSWORD })
    expect(accepted.json).toMatchObject({ data: { account_created: true, email: user.email } })
    expect((await whoAmI(email, user.password)).json).toMatchObject({ data: { grants: [] } })
  })

  it('of an address that a provider pushes by SCIM is refused, to its user and to operators', async () => {
    const user = await newMember(organization, 'member', [], stack)
    const connection = await database.query<{ id: string }>(
      `INSERT INTO sso_connections (id, organization_id, name, issuer, client_id, scopes, metadata, created_at)
       VALUES (gen_random_uuid(), $1, 'Ours', 'https://provider.example', 'x', '{}', '{}', now()) RETURNING id`,
      [organization.id],
    )
    await database.query(
      `INSERT INTO scim_resources (id, organization_id, connection_id, type, name, email, attributes, created_at, updated_at)
       VALUES (gen_random_uuid(), $1, $2, 'User', $3, $3, '{}', now(), now())`,
      [organization.id, connection.rows[0]?.id, user.email],
    )
    expect(code(await request(user, somewhere()))).toBe('permission_denied')
    const input = { email: user.email, new_email: somewhere() }
    await expect(callAsOperator(changeUserEmail, input, stack)).rejects.toMatchObject({
      code: 'permission_denied',
    })
  })

  it('of a user who has lost the mailbox is made by an operator', async () => {
    const [user, other, email] = [await newUser(stack), await newUser(stack), somewhere()]
    const to = (new_email: string) => callAsOperator(changeUserEmail, { email: user.email, new_email }, stack)
    await expect(to(other.email)).rejects.toMatchObject({ code: 'email_taken' })
    await to(email)
    await eventually(async () => {
      expect((await whoAmI(user.email, user.password)).status).toBe(401)
    })
    expect((await whoAmI(email, user.password)).status).toBe(200)
    await allSent()
    expect(mails.to(user.email).at(-1)?.text).toContain('was changed')
  })

  it('takes an internationalized domain in both forms, and signs in with both', async () => {
    const user = await newUser(stack)
    const ascii = somewhere('xn--bcher-kva.example')
    const unicode = ascii.replace('xn--bcher-kva', 'Bücher')
    expect((await request(user, unicode)).status).toBe(202)
    await confirm(await mails.secretFor(user.email))
    expect((await confirm(await mails.secretFor(unicode.toLowerCase()))).json).toMatchObject({
      data: { changed: true },
    })
    for (const written of [ascii, unicode])
      for (const secret of [user.password, user.apiKey])
        expect((await whoAmI(written, secret)).json).toMatchObject({ data: { email: ascii } })
    const session = await post('/auth/session', { email: unicode, password: user.password })
    expect(session.status).toBe(201)
    const back = await newUser(stack)
    expect((await request(back, unicode)).status).toBe(202)
    await allSent()
    // The mail server of the test shows domains in Unicode form.
    const sent = mails.to(unicode.toLowerCase()).filter(({ text }) => text.includes('/email-change#'))
    expect(sent).toHaveLength(1)
  })

  it('can be made several times', async () => {
    const user = await newUser(stack)
    const [first, second] = [somewhere(), somewhere()]
    await change(user, first)
    const moved = {
      ...user,
      email: first,
      credential: { kind: 'user' as const, email: first, secret: user.apiKey },
    }
    expect((await request(moved, second)).status).toBe(202)
    await confirm(await mails.secretFor(second))
    expect((await confirm(await mails.secretFor(first, 2))).json).toMatchObject({ data: { changed: true } })
  })
})
