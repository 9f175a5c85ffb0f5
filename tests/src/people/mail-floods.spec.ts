import { randomBytes } from 'node:crypto'
import type { PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newUser, type TestOrganization } from '@bearing/testing/factories'
import { MailServer } from '@bearing/testing/mail-server'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { send, type Reply } from '../tools/http.js'

describe('a flood of mails', () => {
  let mails: MailServer
  let stack: Stack
  let own: TestOrganization
  let database: pg.Client

  beforeAll(async () => {
    mails = await MailServer.start()
    const identity = { SMTP_URL: mails.url }
    stack = await startStack({ oneProcess: true, environment: { identity } })
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
  const invite = async (email: string) => {
    const reply = await post(invitations(), { email, role: 'member' }, own.admin.credential)
    expect(reply.status).toBe(201)
    return reply.json?.data as { id: string }
  }
  const change = (method: string, id: string, action = '') =>
    send(stack.gatewayUrls[0] ?? '', method, `${invitations()}/${id}${action}`, {
      credential: own.admin.credential,
    })

  const expectTooSoon = (reply: Reply, withinS: number) => {
    expect(reply).toMatchObject({ status: 429, json: { code: 'rate_limited' } })
    const wait = Number(reply.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(withinS)
  }

  it('is what no admin can send: an address is mailed once a minute at most, then less and less often, however the admin goes about it', async () => {
    const email = somebody()
    const { id } = await invite(email)
    const age = (seconds: number) =>
      database.query(
        `UPDATE invitations SET sent_at = sent_at - make_interval(secs => $2) WHERE email = $1`,
        [email, seconds],
      )
    expectTooSoon(await change('POST', id, '/resend'), 60)
    await age(60)
    expect((await change('POST', id, '/resend')).status).toBe(200)
    await age(60)
    expectTooSoon(await change('POST', id, '/resend'), 60)
    expect((await change('DELETE', id)).status).toBe(200)
    const again = () => post(invitations(), { email, role: 'member' }, own.admin.credential)
    expectTooSoon(await again(), 60)
    await age(60)
    expect((await again()).status).toBe(201)
  })

  it('is what many organizations together cannot send: after twenty mails in a day there is one in ten minutes, of one that has sent none for an hour', async () => {
    const others = await Promise.all([newOrganization(stack), newOrganization(stack)])
    for (const email of [somebody(), others[0].admin.email]) {
      // From organizations of others.
      await database.query(
        `INSERT INTO invitations (id, organization_id, email, role, projects, sent_at, expires_at, invited_by)
         SELECT gen_random_uuid(), gen_random_uuid(), $1, 'member', '[]', now(), now() + interval '3 days', $2
         FROM generate_series(1, 19)`,
        [email, own.admin.id],
      )
      const organizations = [own, ...others.filter(({ admin }) => admin.email !== email)]
      const inviteBy = ({ slug, admin }: TestOrganization) =>
        post(`/api/v0/organizations/${slug}/invitations`, { email, role: 'member' }, admin.credential)
      const age = (minutes: number) =>
        database.query(
          `UPDATE invitations SET sent_at = sent_at - make_interval(mins => $2) WHERE email = $1`,
          [email, minutes],
        )
      const replies = await Promise.all(organizations.map(inviteBy))
      const taken = replies.findIndex(({ status }) => status === 201)
      for (const [index, reply] of replies.entries()) if (index !== taken) expectTooSoon(reply, 600)
      await age(10)
      const { id } = replies[taken]?.json?.data as { id: string }
      const first = organizations[taken] ?? own
      const again = `/api/v0/organizations/${first.slug}/invitations/${id}/resend`
      expectTooSoon(await post(again, {}, first.admin.credential), 3_000)
      const next = organizations.find((_, index) => index !== taken) ?? own
      expect((await inviteBy(next)).status).toBe(201)
      await age(50)
      expect((await post(again, {}, first.admin.credential)).status).toBe(200)
    }
  })

  it('of outsiders who ask for many links to set a password keeps no invitation waiting, nor fills the table', async () => {
    const domain = `${randomBytes(6).toString('hex')}.example.org`
    const queue = (count: number, due: string, name: string) =>
      database.query(
        `INSERT INTO mails (id, kind, subject, created_at, next_attempt_at, request_id)
         SELECT gen_random_uuid(), 'password_reset', $2 || n || '@' || $3, now(), ${due}, '' FROM generate_series(1, $1) n`,
        [count, name, domain],
      )
    const waiting = async (name: string) =>
      (await database.query(`SELECT 1 FROM mails WHERE subject LIKE $1`, [`${name}%@${domain}`])).rows.length
    await database.query(
      `INSERT INTO users (id, email, created_at)
       SELECT gen_random_uuid(), 'known' || n || '@' || $1, now() FROM generate_series(1, 1000) n`,
      [domain],
    )
    try {
      await queue(1_000, `now() - interval '1 day'`, 'known')
      await queue(5_000, `now() - interval '2 days'`, 'nobody')
      const email = somebody()
      await invite(email)
      await mails.secretFor(email)
      expect(await waiting('known')).toBeGreaterThan(0)
      await eventually(async () => expect(await waiting('nobody')).toBe(0))
      await queue(20_000, `now() + interval '1 day'`, 'later')
      const user = await newUser(stack)
      expect((await post('/auth/password/reset-request', { email: user.email })).status).toBe(202)
      const { rows } = await database.query(`SELECT 1 FROM mails WHERE subject = $1`, [user.email])
      expect(rows).toEqual([])
      const resets = mails
        .to(user.email)
        .filter(({ text }) => text.includes('Set a new password for Bearing'))
      expect(resets).toEqual([])
    } finally {
      await database.query(`DELETE FROM mails WHERE subject LIKE $1`, [`%@${domain}`])
    }
  })
})
