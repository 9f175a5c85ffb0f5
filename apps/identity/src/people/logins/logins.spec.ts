import { randomUUID } from 'node:crypto'
import { OperationError } from '@bearing/contracts/errors'
import {
  LOGIN_INTERVAL_S,
  allowLogin,
  denyLogin,
  exchangeLogin,
  requestLogin,
  showLogin,
} from '@bearing/contracts/identity/people/login'
import { endSession, listSessions, startSession } from '@bearing/contracts/identity/people/session'
import { deleteOwnAccount } from '@bearing/contracts/identity/people/user'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { TestIdentity, type TestUser } from '../../testing/test-identity.js'

describe('the login of a command line', () => {
  const identity = forSuite(() => TestIdentity.connect())
  let user: TestUser
  /** Claims of a browser session of the user. */
  let browser: string
  let browserId: string
  beforeEach(async () => {
    user = await identity.newUser()
    ;({ claims: browser, id: browserId } = await signIn(user))
  })

  async function signIn({ email, password }: TestUser) {
    const { session, session_token = '' } = await identity.call(startSession, { email, password })
    return { id: session.id, claims: await claimsOf(session_token) }
  }
  const claimsOf = (token: string) => identity.claimsOf({ kind: 'session', token })
  const request = () => identity.call(requestLogin, { host: 'ann-laptop' })
  const exchange = ({ device_code }: { device_code: string }) => identity.call(exchangeLogin, { device_code })
  const code = (call: Promise<unknown>) =>
    call.then(
      () => 'ok',
      (error: unknown) => (error instanceof OperationError ? error.code : String(error)),
    )
  const rowOf = (user_code: string) =>
    identity.database.loginRequest.findUnique({ where: { userCode: user_code.replace('-', '') } })
  /** Logs a command line in. */
  async function login() {
    const requested = await request()
    await identity.call(allowLogin, { user_code: requested.user_code }, browser)
    return exchange(requested)
  }

  it('that a browser session allows gets one session of its own, which ends no later', async () => {
    const requested = await request()
    const shown = await identity.call(showLogin, { user_code: requested.user_code.toLowerCase() }, browser)
    expect(shown).toMatchObject({ user_code: requested.user_code, host: 'ann-laptop' })
    await identity.call(allowLogin, { user_code: requested.user_code }, browser)
    const { access_token, session, ...rest } = await exchange(requested)
    expect(rest).toEqual({ token_type: 'Bearer', user_id: user.id, email: user.email })
    expect(session).toMatchObject({ host: 'ann-laptop', methods: ['pwd'] })
    const introspected = await identity.introspect({ kind: 'session', token: access_token })
    expect(introspected).toMatchObject({
      principal: { kind: 'user', user_id: user.id, proof: 'session', credential_id: session.id },
    })
    const rows = await identity.database.session.findMany({ where: { userId: user.id } })
    expect(new Set(rows.map(({ endsAt }) => endsAt.toISOString()))).toEqual(new Set([shown.session_ends_at]))
    expect(await code(exchange(requested))).toBe('expired_token')
    const { data } = await identity.call(listSessions, {}, browser)
    expect(data.map(({ id, host }) => [id, host])).toEqual([
      [session.id, 'ann-laptop'],
      [browserId, null],
    ])
    await identity.call(endSession, { session_id: session.id }, browser)
    expect(await identity.introspect({ kind: 'session', token: access_token })).toMatchObject({
      active: false,
    })
  })

  it.each([
    ['203.0.113.7', '203.0.113.7', true],
    ['203.0.113.7', '203.0.113.8', false],
    ['2001:db8:1:2::3', '2001:db8:1:2::4', true],
    ['2001:db8:1:2::3', '2001:db8:1:3::3', false],
  ])(
    'shows the address %s of the machine and %s of the browser, and whether they are of one network',
    async (from, own, same) => {
      const { user_code } = await identity.client.call(requestLogin, { host: 'x' }, { clientAddress: from })
      const options = { clientAddress: own, claims: browser }
      expect(await identity.client.call(showLogin, { user_code }, options)).toMatchObject({
        ...{ address: from, own_address: own, same_network: same },
      })
    },
  )

  it.each([
    ['203.0.113.7', '203.0.113.7', true],
    ['203.0.113.7', '203.0.113.8', false],
    ['2001:db8:1:2::3', '2001:db8:1:2::4', true],
    ['2001:db8:1:2::3', '2001:db8:1:3::3', false],
    [undefined, undefined, false],
  ])(
    'that asked from %s and was allowed from %s starts a session that says so',
    async (from, own, same_network) => {
      const { client } = identity
      const requested = await client.call(requestLogin, { host: 'x' }, { clientAddress: from })
      const by = { clientAddress: own, claims: browser }
      await client.call(allowLogin, { user_code: requested.user_code }, by)
      const { access_token: token } = await exchange(requested)
      expect(await identity.introspect({ kind: 'session', token })).toMatchObject({
        principal: { proof: 'session', device_login: { same_network } },
      })
    },
  )

  it('is distinguished from the session of a browser', async () => {
    const { session_token: token = '' } = await identity.call(startSession, {
      email: user.email,
      password: user.password,
    })
    expect(await identity.introspect({ kind: 'session', token })).toMatchObject({
      principal: { proof: 'session', device_login: null },
    })
  })

  it('keeps nothing of the device code but its hash', async () => {
    const { device_code, user_code } = await request()
    const row = await rowOf(user_code)
    expect(row?.codeHash).toHaveLength(32)
    expect(JSON.stringify(row)).not.toContain(device_code)
  })

  it('that is polled too often has to wait longer each time', async () => {
    const requested = await request()
    const answers: unknown[] = []
    for (let poll = 0; poll < 3; poll++)
      answers.push(
        await exchange(requested).catch((error: unknown) =>
          error instanceof OperationError ? [error.code, error.details.retry_after] : error,
        ),
      )
    expect(answers).toEqual([
      ['authorization_pending', LOGIN_INTERVAL_S],
      ['slow_down', 2 * LOGIN_INTERVAL_S],
      ['slow_down', 3 * LOGIN_INTERVAL_S],
    ])
    await identity.call(allowLogin, { user_code: requested.user_code }, browser)
    expect(await code(exchange(requested))).toBe('ok')
  })

  it('is decided once, and audited with the machine that asked', async () => {
    const [denied, allowed] = [await request(), await request()]
    await identity.call(denyLogin, { user_code: denied.user_code }, browser)
    await identity.call(allowLogin, { user_code: allowed.user_code }, browser)
    for (const { user_code } of [denied, allowed])
      for (const operation of [showLogin, allowLogin, denyLogin])
        expect(await code(identity.call(operation, { user_code }, browser))).toBe('login_not_found')
    expect([await code(exchange(denied)), await code(exchange(allowed))]).toEqual(['access_denied', 'ok'])
    const audited = await identity.database.auditEntry.findMany({
      where: { actorUserId: user.id, action: { startsWith: 'login.' } },
      orderBy: { id: 'asc' },
    })
    expect(audited.map(({ action, details }) => [action, details])).toEqual([
      ['login.denied', expect.objectContaining({ host: 'ann-laptop' })],
      ['login.allowed', expect.objectContaining({ host: 'ann-laptop' })],
    ])
  })

  it('of two calls with one device code signs in one', async () => {
    const requested = await request()
    await identity.call(allowLogin, { user_code: requested.user_code }, browser)
    const codes = await Promise.all([code(exchange(requested)), code(exchange(requested))])
    expect(codes.sort()).toEqual(['expired_token', 'ok'])
    expect(await identity.database.session.count({ where: { userId: user.id } })).toBe(2)
  })

  it('is decided in browser sessions only, not with a password and not by another command line', async () => {
    const { access_token } = await login()
    const { user_code } = await request()
    for (const claims of [user.claims, await claimsOf(access_token)])
      for (const operation of [showLogin, allowLogin, denyLogin])
        expect(await code(identity.call(operation, { user_code }, claims))).toBe('session_not_found')
    expect(await code(identity.call(allowLogin, { user_code }, browser))).toBe('ok')
  })

  it('does not count as a recent sign-in, which the browser session may not have been', async () => {
    const { access_token } = await login()
    const claims = await claimsOf(access_token)
    expect(await code(identity.call(deleteOwnAccount, {}, claims))).toBe('recent_sign_in_required')
    expect(await code(identity.call(deleteOwnAccount, {}, browser))).toBe('ok')
  })

  it('reaches no more than the session of single sign-on that allowed it', async () => {
    const admin = await identity.newAdmin()
    const { id: connectionId } = await identity.database.ssoConnection.create({
      data: {
        ...{ id: randomUUID(), organizationId: admin.organizationId, name: 'Ours', clientId: 'x' },
        ...{ issuer: 'https://id.example.com', scopes: [], metadata: {}, createdAt: new Date() },
      },
    })
    const { session, session_token = '' } = await identity.call(startSession, {
      email: admin.email,
      password: admin.password,
    })
    await identity.database.session.update({
      where: { id: session.id },
      data: { methods: ['sso'], connectionId },
    })
    const requested = await request()
    await identity.call(allowLogin, { user_code: requested.user_code }, await claimsOf(session_token))
    const { access_token } = await exchange(requested)
    expect(await identity.introspect({ kind: 'session', token: access_token })).toMatchObject({
      principal: {
        methods: ['sso'],
        sso: { connection_id: connectionId, organization_id: admin.organizationId },
      },
    })
  })

  it('fails if the browser session that allowed it ends before the command line has its own', async () => {
    const requested = await request()
    await identity.call(allowLogin, { user_code: requested.user_code }, browser)
    await identity.call(endSession, { session_id: browserId }, user.claims)
    expect(await code(exchange(requested))).toBe('expired_token')
  })

  it('that has expired is neither found nor exchanged', async () => {
    const [pending, allowed] = [await request(), await request()]
    await identity.call(allowLogin, { user_code: allowed.user_code }, browser)
    await identity.database.loginRequest.updateMany({
      where: { userCode: { in: [pending, allowed].map(({ user_code }) => user_code.replace('-', '')) } },
      data: { expiresAt: new Date() },
    })
    expect(await code(identity.call(showLogin, { user_code: pending.user_code }, browser))).toBe(
      'login_not_found',
    )
    expect([await code(exchange(pending)), await code(exchange(allowed))]).toEqual([
      'expired_token',
      'expired_token',
    ])
  })

  it('cannot be found by guessing: after ten wrong codes the right one is refused too', async () => {
    const { user_code } = await request()
    const show = (guess: string) => code(identity.call(showLogin, { user_code: guess }, browser))
    for (let times = 0; times < 12; times++) expect(await show(user_code)).toBe('ok')
    const guesses = await Promise.all(Array.from({ length: 15 }, () => show('BBBB-BBBB')))
    expect(guesses.filter((answer) => answer === 'rate_limited')).toHaveLength(5)
    expect(await show(user_code)).toBe('rate_limited')
    const other = await identity.newUser()
    expect(await code(identity.call(showLogin, { user_code }, (await signIn(other)).claims))).toBe('ok')
  })
})
