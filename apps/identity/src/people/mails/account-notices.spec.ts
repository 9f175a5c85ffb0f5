import { allowLogin, exchangeLogin, requestLogin } from '@bearing/contracts/identity/people/login'
import { addPasskey, challengePasskey } from '@bearing/contracts/identity/people/passkey'
import { startSession } from '@bearing/contracts/identity/people/session'
import { cycleUserKey } from '@bearing/contracts/identity/people/user-key'
import { eventually } from '@bearing/testing/eventually'
import { MailServer } from '@bearing/testing/mail-server'
import { SoftwarePasskey } from '@bearing/testing/software-passkey'
import { startStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { TestIdentity, type TestUser } from '../../testing/test-identity.js'

const MOST_A_DAY = 5

describe('mails about an account', () => {
  const mails = forSuite(() => MailServer.start())
  const stack = forSuite(() =>
    startStack({
      services: ['identity'],
      gateways: 0,
      environment: {
        identity: {
          SMTP_URL: mails.url,
          PUBLIC_URL: 'https://bearing.example.com',
        },
      },
    }),
  )
  const identity = forSuite(() => TestIdentity.connect(stack))

  const comeFrom = async ({ email, password }: TestUser, clientAddress: string) => {
    const answer = await identity.introspect(
      { kind: 'user', email, secret: password },
      { clientAddress, fresh: true },
    )
    expect(answer.active).toBe(true)
  }
  const textsTo = ({ email }: TestUser) => mails.to(email).map(({ text }) => text)
  const allSent = () =>
    eventually(async () => {
      expect(await identity.database.mail.count()).toBe(0)
    })

  it('notify of a new API key, without its secret', async () => {
    const user = await identity.newUser()
    const created = await identity.client.call(
      cycleUserKey,
      {},
      { claims: user.claims, clientAddress: '203.0.113.77' },
    )
    await allSent()
    const [text = '', ...more] = textsTo(user)
    expect(more).toEqual([])
    expect(text).toContain('A new API key for your Bearing account')
    expect(text).toContain('203.0.113.77')
    expect(text).toContain('bearing user-key delete')
    for (const secret of [created.api_key, user.password]) expect(text).not.toContain(secret)
  })

  it('notify of a passkey that was added, and of one whose counter went back', async () => {
    const user = await identity.newUser()
    const passkey = new SoftwarePasskey()
    const challenge = async () => (await identity.call(challengePasskey, {})).challenge
    await identity.call(addPasskey, { name: 'Phone', ...passkey.create(await challenge()) }, user.claims)
    const signIn = async () => identity.call(startSession, { passkey: passkey.assert(await challenge()) })
    await signIn()
    passkey.counter = 0
    await expect(signIn()).rejects.toMatchObject({ code: 'credential_invalid' })
    await allSent()
    expect(textsTo(user).toSorted()).toEqual([
      expect.stringContaining('A new passkey for your Bearing account'),
      expect.stringContaining('A passkey of your Bearing account was refused'),
    ])
  })

  it('notify of a password that was right from a new network, but not from the first one, nor from the same one again', async () => {
    const user = await identity.newUser()
    for (const address of ['203.0.113.7', '203.0.113.7', '203.0.113.7']) await comeFrom(user, address)
    await allSent()
    expect(textsTo(user)).toEqual([])
    for (const address of ['2001:db8:1:2::3', '2001:db8:1:2::4', '203.0.113.7']) await comeFrom(user, address)
    await allSent()
    const [text = '', ...more] = textsTo(user)
    expect(more).toEqual([])
    expect(text).toContain('Sign-in to Bearing from a new network')
    expect(text).toContain('2001:db8:1:2::/64')
    expect(text).not.toContain(user.password)
    const audited = await identity.database.auditEntry.findMany({
      where: { actorUserId: user.id, action: 'sign_in_network.added' },
      orderBy: { id: 'asc' },
    })
    expect(audited.map(({ details }) => details)).toEqual([
      { network: '203.0.113.7' },
      { network: '2001:db8:1:2::/64' },
    ])
  })

  it('notify of a command line that signs in from a new network, although no password came from there', async () => {
    const user = await identity.newUser()
    await comeFrom(user, '203.0.113.7')
    const { email, password } = user
    const { session_token = '' } = await identity.client.call(
      startSession,
      { email, password },
      { clientAddress: '203.0.113.7' },
    )
    const browser = await identity.claimsOf({ kind: 'session', token: session_token })
    const { device_code, user_code } = await identity.call(requestLogin, { host: 'elsewhere' })
    await identity.call(allowLogin, { user_code }, browser)
    await identity.client.call(exchangeLogin, { device_code }, { clientAddress: '198.51.100.9' })
    await allSent()
    const [text = '', ...more] = textsTo(user)
    expect(more).toEqual([])
    expect(text).toContain('Somebody signed in to your account')
    expect(text).toContain('198.51.100.9')
  })

  it('do not notify of a wrong password', async () => {
    const user = await identity.newUser()
    await comeFrom(user, '203.0.113.7')
    await identity.introspect(
      { kind: 'user', email: user.email, secret: 'not the password' },
      { clientAddress: '198.51.100.1' },
    )
    await allSent()
    expect(textsTo(user)).toEqual([])
  })

  it('are at most five a day of each kind, and the networks that are kept at most 20', async () => {
    const user = await identity.newUser()
    for (let network = 1; network <= 22; network++) {
      await comeFrom(user, `198.51.100.${String(network)}`)
      await allSent()
    }
    for (let key = 0; key < MOST_A_DAY + 2; key++) {
      await identity.call(cycleUserKey, {}, user.claims)
      await allSent()
    }
    const about = (words: string) => textsTo(user).filter((text) => text.includes(words))
    expect(about('Sign-in to Bearing from a new network')).toHaveLength(MOST_A_DAY)
    expect(about('A new API key for your Bearing account')).toHaveLength(MOST_A_DAY)
    expect(await identity.database.signInNetwork.count({ where: { userId: user.id } })).toBe(20)
  })

  it('notify of a new network also if the first sign-in from there failed while the network was recorded', async () => {
    const user = await identity.newUser()
    await comeFrom(user, '203.0.113.7')
    const owner = new pg.Client(stack.adminDatabaseUrl)
    await owner.connect()
    await owner.query('ALTER TABLE identity.sign_in_networks RENAME TO away')
    try {
      await expect(comeFrom(user, '198.51.100.77')).rejects.toThrow()
    } finally {
      await owner.query('ALTER TABLE identity.away RENAME TO sign_in_networks')
      await owner.end()
    }
    await comeFrom(user, '198.51.100.77')
    await allSent()
    expect(textsTo(user)).toEqual([expect.stringContaining('198.51.100.77')])
  })
})
