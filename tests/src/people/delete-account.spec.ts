import { callAsOperator } from '@bearing/testing/call-as-operator'
import { createUser } from '@bearing/contracts/identity/people/user'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization, newUser, type TestUser } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { describe, expect, it } from '@jest/globals'
import { queryIdentity } from '../tools/audited.js'
import { runBearing } from '../tools/bearing.js'
import { Browser, enroll } from '../tools/browser.js'
import { send } from '../tools/http.js'

describe('deleting an account', () => {
  const gateways = () => testStack().gatewayUrls
  const me = (url: string, { credential }: Pick<TestUser, 'credential'>) =>
    send(url, 'GET', '/auth/me', { credential })
  const deleteSelf = ({ credential }: Pick<TestUser, 'credential'>, body?: object) =>
    send(gateways()[0] ?? '', 'POST', '/auth/me/delete', { credential, body: body ?? {} })
  const operator = () => ({
    BEARING_NATS_URL: testStack().natsUrl,
    BEARING_NATS_NKEY_SEED: testStack().nkeySeeds.operator,
  })

  it('makes every gateway reject each credential of the user before its cache entry expires', async () => {
    const own = await newOrganization()
    const user = await newMember(own, 'member')
    const byPassword = { credential: { kind: 'user', email: user.email, secret: user.password } as const }
    for (const url of gateways())
      for (const by of [user, byPassword]) expect((await me(url, by)).status).toBe(200)

    const deleted = await deleteSelf(user, { password: user.password })
    expect(deleted).toMatchObject({ status: 200, json: { data: { user_id: user.id, email: user.email } } })
    await eventually(async () => {
      for (const url of gateways())
        for (const by of [user, byPassword])
          expect((await me(url, by)).json).toMatchObject({ code: 'credential_invalid' })
    })
    const members = await own.admin.client.call('listMembers', { organization: own.slug })
    expect(members.data.map(({ user_id }) => user_id)).toEqual([own.admin.id])
  })

  it('is refused to the last admin, with the organizations that would be without', async () => {
    const own = await newOrganization()
    const { password } = own.admin
    const refused = await deleteSelf(own.admin, { password })
    expect(refused).toMatchObject({
      status: 409,
      json: { code: 'last_admin', detail: expect.stringContaining(own.id) },
    })
    await newMember(own, 'admin')
    expect((await deleteSelf(own.admin, { password })).status).toBe(200)
    expect((await send(gateways()[0] ?? '', 'GET', '/auth/me', own.token)).status).toBe(200)
  })

  it('takes the password, or a sign-in of just before: an API key alone is not enough', async () => {
    const user = await newUser()
    for (const [body, code] of [
      [undefined, 'recent_sign_in_required'],
      [{}, 'recent_sign_in_required'],
      [{ password: user.apiKey }, 'password_incorrect'],
      [{ password: 'somebody guesses it' }, 'password_incorrect'],
    ] as const)
      expect(await deleteSelf(user, body)).toMatchObject({ status: 403, json: { code } })
    const browser = await Browser.signIn(gateways()[0] ?? '', user)
    const ageBy = (minutes: number) =>
      queryIdentity(`UPDATE sessions SET created_at = created_at - make_interval(mins => $2) WHERE id = $1`, [
        browser.sessionId,
        minutes,
      ])
    const remove = () => browser.send(gateways()[0] ?? '', 'POST', '/auth/me/delete')
    await ageBy(11)
    expect(await remove()).toMatchObject({ status: 403, json: { code: 'recent_sign_in_required' } })
    await ageBy(-11)
    expect(await remove()).toMatchObject({ status: 200, json: { data: { user_id: user.id } } })
  })

  it('takes a code of the second factor beside the password, from a user who has one', async () => {
    const user = await newUser()
    const phone = await enroll(gateways()[0] ?? '', user)
    const { password } = user
    expect((await deleteSelf(user, { password })).json).toMatchObject({ code: 'invalid_input' })
    const wrong = await deleteSelf(user, { password, totp_code: phone.wrong() })
    expect(wrong).toMatchObject({ status: 403, json: { code: 'second_factor_invalid' } })
    expect(await queryIdentity('SELECT failures FROM totps WHERE user_id = $1', [user.id])).toEqual([
      { failures: 1 },
    ])
    const environment = {
      BEARING_URL: gateways()[0],
      BEARING_EMAIL: user.email,
      BEARING_PASSWORD: user.apiKey,
    }
    const args = ['account', 'delete', '--confirm', user.email]
    const { code, stderr } = await runBearing(args, environment, `${password}\n${phone.code()}\n`)
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect((await me(gateways()[0] ?? '', user)).status).toBe(401)
  })

  it('leaves the e-mail address to somebody else, who gets nothing of the one before', async () => {
    const own = await newOrganization()
    const { email, password } = await newMember(own, 'admin')
    const byPassword = { credential: { kind: 'user', email, secret: password } as const }
    expect((await deleteSelf(byPassword)).status).toBe(200)
    await callAsOperator(createUser, { email, password })
    const again = await eventually(
      async () => {
        const reply = await me(gateways()[0] ?? '', byPassword)
        expect(reply.status).toBe(200)
        return reply
      },
      { withinMs: 20_000 },
    ) // a rejection is cached for a second
    expect(again.json?.data).toMatchObject({ email, grants: [] })
  })

  it('on the command line needs the address once more, and by an operator the address or the id', async () => {
    const { email, apiKey, password } = await newUser()
    const asUser = {
      BEARING_URL: gateways()[0],
      BEARING_EMAIL: email,
      BEARING_PASSWORD: apiKey,
    }
    expect((await runBearing(['account', 'delete'], asUser)).code).toBe(2)
    expect((await runBearing(['account', 'delete', '--confirm', 'x@example.com'], asUser)).code).toBe(2)
    const deleted = await runBearing(
      ['account', 'delete', '--json', '--confirm', email.toUpperCase()],
      asUser,
      `${password}\n`,
    )
    expect(JSON.parse(deleted.stdout)).toMatchObject({ email })

    const [one, other] = [await newUser(), await newUser()]
    for (const [name, user] of [
      [one.email, one],
      [other.id, other],
    ] as const) {
      const run = () => runBearing(['admin', 'users', 'delete', name, '--json'], operator())
      expect(JSON.parse((await run()).stdout)).toEqual({ user_id: user.id, email: user.email })
      const again = await run()
      expect(again.code).toBe(1)
      expect(JSON.parse(again.stderr)).toMatchObject({ error: { code: 'user_not_found' } })
    }
  })
})
