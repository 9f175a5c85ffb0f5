import { bootstrapAdmin, createUser } from '@bearing/contracts/identity/people/user'
import { callAsOperator } from '@bearing/testing/call-as-operator'
import { connectTo } from '@bearing/testing/connect-to'
import { newUser } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { stackForSuite } from '@bearing/testing/for-suite'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { runBearing } from '../tools/bearing.js'
import { send } from '../tools/http.js'

const BOOTSTRAP = ['admin', 'bootstrap', '--json']

describe('the first user', () => {
  const stack = stackForSuite({ oneProcess: true })

  const query = async <Row extends object>(sql: string): Promise<Row[]> => {
    await using client = await connectTo(stack.databaseUrls.identity)
    const { rows } = await client.query<Row>(sql)
    return rows
  }
  const users = () => query<{ id: string; email: string }>('SELECT id, email FROM identity.users')

  beforeEach(async () => {
    await query('DELETE FROM identity.users')
  })

  it('is not made with a password in the arguments, without one, or with one that nobody should have', async () => {
    const natsUrl = { BEARING_NATS_URL: stack.natsUrl }
    const email = ['--email', 'ada@example.com']
    const inArguments = await runBearing([...BOOTSTRAP, ...email, '--password', 'a good password'], natsUrl)
    expect(inArguments).toMatchObject({ code: 2, stdout: '' })
    expect(inArguments.stderr).not.toContain('a good password')
    expect((await runBearing([...BOOTSTRAP, ...email], natsUrl)).code).toBe(2)
    expect((await runBearing(BOOTSTRAP, natsUrl, 'a good password\n')).code).toBe(2)
    expect((await runBearing([...BOOTSTRAP, ...email], {}, 'a good password\n')).code).toBe(2)
    const tooShort = await runBearing([...BOOTSTRAP, ...email], natsUrl, 'short\n')
    expect(tooShort.code).toBe(1)
    expect(tooShort.stderr).toContain('/password')
    expect(await users()).toEqual([])
  })

  it('of many who bootstrap at the same moment is one, who then creates an organization', async () => {
    const natsUrl = { BEARING_NATS_URL: stack.natsUrl }
    const password = 'correct horse battery'
    const runs = await Promise.all([
      runBearing([...BOOTSTRAP, '--email', 'Ada@Example.com'], natsUrl, `${password}\n`),
      runBearing([...BOOTSTRAP, '--email', 'ben@example.com', '--password', '-'], natsUrl, `${password}\n`),
      runBearing(BOOTSTRAP, { ...natsUrl, BEARING_EMAIL: 'cy@example.com', BEARING_PASSWORD: password }),
      // The same one twice is two all the same.
      runBearing([...BOOTSTRAP, '--email', 'ada@example.com'], natsUrl, `${password}\n`),
    ])
    for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toContain(password)
    const [first] = await users()
    expect(await users()).toEqual([first])
    const [won, ...alsoWon] = runs.filter(({ code }) => code === 0)
    expect(alsoWon).toEqual([])
    expect(JSON.parse(won?.stdout ?? '')).toEqual({ user_id: first?.id, email: first?.email })
    for (const lost of runs.filter((run) => run !== won)) {
      expect(lost.code).toBe(1)
      expect(JSON.parse(lost.stderr)).toMatchObject({ error: { code: 'already_bootstrapped' } })
    }
    expect(await query("SELECT * FROM identity.audit_log WHERE action LIKE 'user.%'")).toMatchObject([
      { action: 'user.bootstrapped', target: `user:${first?.id ?? ''}`, actor_service: 'operator' },
    ])

    const credential = { kind: 'user', email: first?.email ?? '', secret: password } as const
    const created = await send(stack.gatewayUrls[0] ?? '', 'POST', '/api/v0/organizations', {
      credential,
      body: { name: 'First' },
    })
    expect(created.status).toBe(201)
  })

  it('creates one admin, although calls follow each other closely and other users are created meanwhile', async () => {
    for (let round = 0; round < 5; round++) {
      await query('DELETE FROM identity.users')
      const account = (name: string) => ({ email: `${name}@example.com`, password: 'correct horse battery' })
      const outcomes = await Promise.allSettled([
        ...[1, 2, 3, 4].map((n) => callAsOperator(bootstrapAdmin, account(`first-${String(n)}`), stack)),
        callAsOperator(createUser, account('other'), stack),
      ])
      const made = outcomes.filter(({ status }) => status === 'fulfilled').length
      expect(await users()).toHaveLength(made)
      expect(outcomes.slice(0, 4).filter(({ status }) => status === 'fulfilled').length).toBeLessThan(2)
      expect(outcomes.at(-1)).toMatchObject({ status: 'fulfilled' })
    }
  })

  it('shows the next steps', async () => {
    const environment = { BEARING_NATS_URL: stack.natsUrl }
    const args = ['admin', 'bootstrap', '--email', 'ada@example.com']
    const { code, stdout, stderr } = await runBearing(args, environment, 'correct horse battery\n')
    expect(code).toBe(0)
    expect(stdout).toContain('ada@example.com')
    for (const next of ['bearing user-key create', 'bearing organizations create <name>'])
      expect(stderr).toContain(next)
  })

  it('is not made where there is a user already, however that one was made', async () => {
    await newUser()
    const environment = { BEARING_NATS_URL: testStack().natsUrl }
    const refused = await runBearing(
      ['admin', 'bootstrap', '--email', 'eve@example.com'],
      environment,
      'correct horse battery\n',
    )
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('Users exist already')
  })
})
