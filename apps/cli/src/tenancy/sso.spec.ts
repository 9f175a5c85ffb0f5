import { page } from '@bearing/contracts/primitives'
import { describe, expect, it } from '@jest/globals'
import { CREATED_AT, id, type Answers } from '../testing/fake-gateway.js'
import { AS_USER, runAgainst } from '../testing/run-against.js'

const CLIENT_SECRET = 'Zx9-plAnted_secret'
const connection = {
  ...{
    id: id(6),
    name: 'Ours',
    issuer: 'https://id.acme.example',
    client_id: 'bearing',
    has_client_secret: true,
  },
  ...{
    scopes: ['openid', 'email'],
    just_in_time: false,
    email_trusted: false,
    follows_email: false,
    client_authentication: 'client_secret' as const,
    jwks_path: null,
    enabled: true,
    created_at: CREATED_AT,
  },
  ...{ callback_path: `/auth/sso/${id(6)}/callback`, sign_in_path: `/auth/sso/${id(6)}/start` },
}
const link = {
  ...{ id: id(7), team_name: 'Blue', partner: 'Console' },
  ...{ requested_by: 'ann@acme.example', requested_at: CREATED_AT },
}
const domain = { domain: 'acme.example', txt_record: 'bearing-domain=x1', verified_at: null }
const NEW = ['--name', 'Ours', '--issuer', connection.issuer, '--client-id', 'bearing']
const options = { environment: AS_USER, stdin: `${CLIENT_SECRET}\n` }

describe('bearing sso connections', () => {
  it('create reads the client secret from standard input, repeats it nowhere, and prints what to register', async () => {
    let asked: unknown
    const createSsoConnection: Answers['createSsoConnection'] = (input) => {
      asked = input
      return connection
    }
    const args = [
      'sso',
      'connections',
      'create',
      ...NEW,
      '--scope',
      'openid',
      'email',
      '--just-in-time',
      '--verbose',
    ]
    const { code, stdout, stderr } = await runAgainst({ createSsoConnection }, args, options)
    expect(code).toBe(0)
    expect(asked).toMatchObject({
      ...{ name: 'Ours', issuer: connection.issuer, client_id: 'bearing', client_secret: CLIENT_SECRET },
      ...{ scopes: ['openid', 'email'], just_in_time: true },
    })
    expect(stdout).toContain(connection.callback_path)
    expect(stdout + stderr).not.toContain(CLIENT_SECRET)
  })

  it('create of a public client asks for no secret and sends none', async () => {
    let asked: object = {}
    const createSsoConnection: Answers['createSsoConnection'] = (input) => {
      asked = input
      return { ...connection, has_client_secret: false }
    }
    const args = ['sso', 'connections', 'create', ...NEW, '--public-client']
    const { code, stdout } = await runAgainst({ createSsoConnection }, args, { environment: AS_USER })
    expect(code).toBe(0)
    expect(asked).not.toHaveProperty('client_secret')
    expect(stdout).toContain('a public client')
  })

  it('change sends what is to change and nothing else', async () => {
    const asked: object[] = []
    const changeSsoConnection: Answers['changeSsoConnection'] = ({ organization_id: _, ...input }) => {
      asked.push(input)
      return connection
    }
    const change = (...more: string[]) =>
      runAgainst({ changeSsoConnection }, ['sso', 'connections', 'set', id(6), ...more], options)
    expect((await change('--enabled', 'no')).code).toBe(0)
    expect((await change('--just-in-time', 'yes', '--name', 'New')).code).toBe(0)
    expect((await change('--new-secret')).code).toBe(0)
    expect(asked).toEqual([
      { connection_id: id(6), enabled: false },
      { connection_id: id(6), just_in_time: true, name: 'New' },
      { connection_id: id(6), client_secret: CLIENT_SECRET },
    ])
    for (const unclear of [[], ['--enabled', 'maybe']])
      expect(await change(...unclear)).toMatchObject({ code: 2, requests: [] })
  })

  it('list, show and delete name the connection by its id', async () => {
    const answers: Answers = {
      listSsoConnections: (input) => page([connection], 1, input),
      showSsoConnection: () => connection,
      deleteSsoConnection: () => ({}),
    }
    const run = (...args: string[]) => runAgainst(answers, ['sso', 'connections', ...args], options)
    expect((await run('list')).stdout).toMatch(new RegExp(`Ours +https://id\\.acme\\.example +yes +${id(6)}`))
    expect(JSON.parse((await run('show', id(6), '--json')).stdout)).toEqual(connection)
    expect(await run('delete', id(6))).toMatchObject({
      code: 0,
      requests: [`DELETE /api/v0/organizations/acme/sso_connections/${id(6)}`],
    })
  })
})

describe('bearing sso domains', () => {
  it('add prints the TXT record, verify says that it was found, list and delete name the domain', async () => {
    const answers: Answers = {
      addSsoDomain: () => domain,
      verifySsoDomain: () => ({ ...domain, verified_at: CREATED_AT }),
      listSsoDomains: (input) => page([domain], 1, input),
      deleteSsoDomain: () => ({}),
    }
    const run = (...args: string[]) => runAgainst(answers, ['sso', 'domains', ...args], options)
    expect((await run('add', 'acme.example')).stdout).toContain(domain.txt_record)
    const verified = await run('verify', 'acme.example')
    expect(verified.stderr).toContain('Domain verified.')
    expect(verified.stdout).toMatch(/Verified +2026-01-31 09:00 UTC/)
    expect((await run('list')).stdout).toMatch(/acme\.example +no +bearing-domain=x1/)
    const deleted = await run('delete', 'acme.example')
    expect(deleted).toMatchObject({ code: 0, requests: [expect.stringMatching(/^DELETE .*acme\.example$/)] })
  })
})

describe('bearing sso partner-links', () => {
  it('list shows who asks for which team, confirm and refuse name the request', async () => {
    const answers: Answers = {
      listPartnerLinks: (input) => page([link], 1, input),
      confirmPartnerLink: () => ({}),
      refusePartnerLink: () => ({}),
    }
    const run = (...args: string[]) => runAgainst(answers, ['sso', 'partner-links', ...args], options)
    expect((await run('list')).stdout).toMatch(new RegExp(`Blue +Console +ann@acme\\.example .*${id(7)}`))
    const path = `/api/v0/organizations/acme/partner_links/${id(7)}`
    expect(await run('confirm', id(7))).toMatchObject({ code: 0, requests: [`POST ${path}/confirm`] })
    expect(await run('refuse', id(7))).toMatchObject({ code: 0, requests: [`DELETE ${path}`] })
  })
})
