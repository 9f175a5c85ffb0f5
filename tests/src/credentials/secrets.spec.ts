import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newUser } from '@bearing/testing/factories'
import { stackForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { basic, send } from '../tools/http.js'
import { FakeProvider } from '../tools/fake-provider.js'
import { SsoBrowser } from '../tools/sso-browser.js'

/** Marks of what we plant; each is looked for in everything that any process prints. */
const PLANTED = {
  bearer: 'brgo_PlantedBearerToken0123456789',
  password: 'planted:password/with+signs',
  query: 'brgo_PlantedQueryToken9876543210',
  path: 'planted-path-secret',
  body: 'planted-body-secret',
  cookie: 'planted-cookie-secret',
  key: 'ca11ab1ecafe0000ca11ab1ecafe0000',
}

describe('secrets', () => {
  const stack = stackForSuite()

  it('are in no log, error or reply, whatever way they were sent and whatever happened to the request', async () => {
    const url = stack.gatewayUrls[0] ?? ''
    const own = await newOrganization(stack)
    const user = await newUser(stack)
    const secrets = [
      ...Object.values(PLANTED),
      own.token.token,
      own.admin.apiKey,
      own.admin.password,
      user.apiKey,
      user.password,
      ...Object.values(stack.nkeySeeds),
    ]
    const paths = [
      '/auth/me',
      `/api/v0/organizations/${own.slug}/projects`,
      `/${PLANTED.path}`,
      '/auth/api_key',
    ]
    const headers = [
      { authorization: `Bearer ${PLANTED.bearer}` },
      { authorization: `Basic ${PLANTED.bearer}` },
      { authorization: basic(own.admin.email, PLANTED.password) },
      { authorization: basic('', PLANTED.password) },
      { authorization: `Bearer ${own.token.token}`, 'service-project-key': PLANTED.key },
      { 'service-project-key': PLANTED.key },
      { cookie: `session=${PLANTED.cookie}` },
      { authorization: `Bearer ${own.token.token}` },
      { authorization: basic(own.admin.email, own.admin.password) },
    ]
    const replies: string[] = []
    const sendAll = async () => {
      for (const path of paths)
        for (const header of headers)
          for (const query of ['', `?access_token=${PLANTED.query}`]) {
            replies.push((await send(url, 'GET', path + query, { headers: header })).text)
            const body = `{"password":"${PLANTED.body}"`
            replies.push((await send(url, 'PUT', path + query, { headers: header, body })).text)
          }
    }
    await sendAll()
    await stack.part('identity').kill()
    await sendAll()
    await stack.part('identity').start()
    await eventually(
      async () => {
        expect((await send(url, 'GET', '/auth/me', { credential: own.token.credential })).status).toBe(200)
      },
      { withinMs: 30_000 },
    )

    const output = stack.output()
    expect(output).toContain('credential_id')
    for (const secret of secrets) {
      expect(output).not.toContain(secret)
      expect(output).not.toContain(Buffer.from(secret).toString('base64').slice(0, 16))
      for (const reply of replies) expect(reply).not.toContain(secret)
    }
  })

  it('of a sign-on are in no log of any service: codes, states, tokens and the client secret, whether it succeeds or not', async () => {
    const provider = await FakeProvider.start()
    try {
      const organization = await newOrganization(stack)
      const { id } = await organization.admin.client.call('createSsoConnection', {
        organization: organization.slug,
        name: 'Ours',
        issuer: provider.issuer,
        client_id: provider.clientId,
        client_secret: provider.clientSecret,
        just_in_time: true,
      })
      const domain = 'd.secrets.example'
      const database = new pg.Client(stack.databaseUrls.identity)
      await database.connect()
      await database.query(
        `INSERT INTO sso_domains (organization_id, domain, token, verified_at) VALUES ($1, $2, 'x', now())`,
        [organization.id, domain],
      )
      await database.end()
      const secrets = [provider.clientSecret]
      /** Goes the whole way, and once more with what was used. */
      const signIn = async (gateway: string) => {
        const browser = new SsoBrowser(gateway)
        const back = await browser.atProvider(await browser.begin(id))
        const asked = new URL(back, gateway).searchParams
        secrets.push(asked.get('code') ?? '', asked.get('state') ?? '')
        const reply = await browser.send('GET', back)
        expect((await browser.send('GET', back)).status).toBe(403)
        if (browser.cookie !== undefined) secrets.push(browser.cookie.split('=')[1] ?? '')
        return reply.status
      }
      const [one = '', other = ''] = stack.gatewayUrls
      provider.person = { sub: 'ada', email: `ada@${domain}`, email_verified: true }
      expect(await signIn(one)).toBe(302)
      provider.person = { sub: 'eve', email: `eve@elsewhere.example`, email_verified: true }
      expect(await signIn(other)).toBe(403)
      provider.lies = { claims: { aud: 'somebody else' } }
      expect(await signIn(one)).toBe(403)
      secrets.push(...provider.secrets)
      // The last request is in the logs: what came before it is too.
      const mark = `sign-on-${organization.slug}`
      await send(one, 'GET', '/auth/me', { headers: { 'x-request-id': mark } })
      await eventually(() => {
        expect(stack.part('gateway-1').output()).toContain(mark)
      })
      for (const part of ['gateway-1', 'gateway-2', 'identity', 'management', 'location', 'nats']) {
        const output = stack.part(part).output()
        expect(output).not.toBe('')
        for (const secret of secrets) {
          expect(secret.length).toBeGreaterThan(20)
          expect(output.includes(secret)).toBe(false)
        }
      }
      await eventually(() =>
        expect(stack.part('identity').output()).toContain('identity.v1.sign-on.complete'),
      )
    } finally {
      await provider.stop()
    }
  })

  it('are not in the database: neither tokens, keys nor passwords', async () => {
    const own = await newOrganization(stack)
    const client = new pg.Client(stack.adminDatabaseUrl)
    await client.connect()
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
       WHERE table_schema IN ('identity', 'management', 'location') AND table_type = 'BASE TABLE'`,
    )
    const dump: string[] = []
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} AS t`)
      dump.push(...rows.map(({ row }) => row))
    }
    await client.end()
    const everything = dump.join('\n')
    expect(everything).toContain(own.slug)
    expect(everything).toContain(own.project.key) // not a secret: its members read it
    for (const secret of [own.token.token, own.admin.apiKey, own.admin.password]) {
      expect(everything).not.toContain(secret)
      expect(everything).not.toContain(secret.slice(-20))
    }
  })
})
