import { USER_PERMISSIONS } from '@bearing/access/roles'
import { audienceOf, needsClaims } from '@bearing/contracts/operation'
import { ROUTES, type Route, type RouteName } from '@bearing/contracts/routes'
import { newMember } from '@bearing/testing/factories'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { queryIdentity } from '../tools/audited.js'
import { Browser, enroll } from '../tools/browser.js'
import { send, type Reply } from '../tools/http.js'
import { expectProblem, gateway } from '../tools/single-sign-on.js'
import { Matrix } from './authorization-matrix.js'

const NAMES = Object.keys(ROUTES) as RouteName[] // its own keys
const routeOf = (name: RouteName): Route => ROUTES[name]

/** Operations that change something and need no proof in a session, with reasons. All others that change something declare a proof. */
const HARMLESS: readonly (readonly [why: string, names: readonly RouteName[]])[] = [
  [
    'ends, deletes or refuses, and gives nobody anything',
    [
      ...(['deleteUserKey', 'signOut', 'denyLogin', 'deleteSsoIdentity', 'deleteOrganizationToken'] as const),
      ...(['deleteLegacyToken', 'deleteSsoConnection', 'deleteSsoDomain', 'refusePartnerLink'] as const),
      ...([
        'deleteWorkloadTrust',
        'revokeDeviceKey',
        'rejectDeviceClaim',
        'deleteOnboardingToken',
        'deleteDeviceCa',
      ] as const),
      ...(['removeMember', 'revokeInvitation', 'removeProjectMember', 'endKeyGraces'] as const),
      'cancelKeyImport',
    ],
  ],
  [
    'proves devices, which send data as every holder of the project key can',
    [
      ...(['createDeviceKey', 'importDeviceKeys', 'claimDevice', 'approveDeviceClaim'] as const),
      ...(['createOnboardingToken', 'createDeviceCa', 'changeDeviceCa'] as const),
    ],
  ],
  ['names a passkey, and changes nothing else of it', ['renamePasskey']],
  ['is for tokens alone, and gives no more than they have', ['deriveOrganizationToken']],
  [
    'is for tokens alone: users do not have the permission',
    ['createScim', 'replaceScim', 'patchScim', 'deleteScim'],
  ],
  ['shows to a browser what it is about to decide', ['showLogin']],
  ['a command line ends no later than the browser session that allowed it', ['allowLogin']],
  ['has an effect only through a connection, which takes a proof', ['addSsoDomain', 'verifySsoDomain']],
  [
    'every device knows the key, and everyone in the project may read it',
    ['cycleProjectKey', 'requestKeyImport', 'changeProjectSettings'],
  ],
  [
    'the new organization has nothing yet, and an admin of a linked one confirms with a proof',
    ['createPartnerOrganization', 'requestPartnerLink', 'createOrganization'],
  ],
]
/** Management and location create no credential and no access: a webhook sends events, is listed and is audited. */
const SERVICES_WITHOUT_CREDENTIALS: readonly string[] = ['management', 'location']

const changing = NAMES.filter((name) => {
  const { method, operation } = routeOf(name)
  return method !== 'GET' && needsClaims(operation.permission)
})
const withProof = (...proofs: readonly string[]) =>
  NAMES.filter((name) => proofs.includes(routeOf(name).operation.proof ?? ''))
const recent = withProof('recent')

describe('operations that outlive a session', () => {
  it('declare a proof, unless a reason is listed here', () => {
    const listed = HARMLESS.flatMap(([, names]) => names)
    const undeclared = changing.filter((name) => {
      const { operation } = routeOf(name)
      return operation.proof === undefined && !SERVICES_WITHOUT_CREDENTIALS.includes(audienceOf(operation))
    })
    expect(undeclared.filter((name) => !listed.includes(name))).toEqual([])
    for (const name of listed) expect([name, routeOf(name).operation.proof]).toEqual([name, undefined])
  })

  it('are all of identity, which checks the proof, and say that they may be refused', () => {
    for (const name of withProof('recent', 'recent-on-command-line')) {
      const { operation } = routeOf(name)
      expect([name, audienceOf(operation)]).toEqual([name, 'identity'])
      expect([name, operation.errors]).toEqual([name, expect.arrayContaining(['recent_sign_in_required'])])
    }
    expect(USER_PERMISSIONS.has('session:confirm')).toBe(true)
  })
})

describe('a session', () => {
  const matrix = forSuite(() => Matrix.create())
  const admin = forSuite(() => newMember(matrix.own, 'admin'))
  const browser = forSuite(() => Browser.signIn(gateway(), admin))
  let commandLine: string

  beforeAll(async () => {
    commandLine = await signInCommandLine(browser)
    await age(browser.sessionId)
  })

  const byBrowser = () => ({ headers: { ...browser.headers, origin: gateway() } })
  const byCommandLine = () => ({ headers: { authorization: `Bearer ${commandLine}` } })

  it.each(recent)('of a browser that signed in more than ten minutes ago does not get %s', async (name) => {
    expectProblem(await matrix.askWith(name, byBrowser()), 'recent_sign_in_required')
  })

  it.each(recent.filter((name) => name !== 'beginLink'))(
    'of a command line does not get %s',
    async (name) => {
      expectProblem(await matrix.askWith(name, byCommandLine()), 'recent_sign_in_required')
    },
  )

  it('of a command line does not end others, and does not create an API key', async () => {
    for (const name of withProof('recent-on-command-line')) {
      expectProblem(await matrix.askWith(name, byCommandLine()), 'recent_sign_in_required')
      expect((await matrix.askWith(name, byBrowser())).json).not.toMatchObject({
        code: 'recent_sign_in_required',
      })
    }
    commandLine = await signInCommandLine(browser)
    for (const sent of [byBrowser(), byCommandLine()])
      expectProblem(await matrix.askWith('cycleUserKey', sent), 'recent_sign_in_required')
  })

  it('gets everything for ten minutes after its user has confirmed it with the password', async () => {
    const confirm = (sent: object, password: string) =>
      send(gateway(), 'POST', '/auth/session/confirm', { ...sent, body: { password } })
    expectProblem(await confirm(byCommandLine(), 'not the password'), 'password_incorrect')
    expectProblem(await matrix.askWith('createOrganizationToken', byCommandLine()), 'recent_sign_in_required')
    for (const sent of [byBrowser(), byCommandLine()]) {
      expect(await confirm(sent, admin.password)).toMatchObject({ status: 200 })
      for (const name of recent.filter((name) => name !== 'beginLink'))
        expect((await matrix.askWith(name, sent)).json).not.toMatchObject({ code: 'recent_sign_in_required' })
    }
    await queryIdentity(
      `UPDATE sessions SET confirmed_at = now() - interval '11 minutes' WHERE user_id = $1`,
      [admin.id],
    )
    expectProblem(await matrix.askWith('createOrganizationToken', byCommandLine()), 'recent_sign_in_required')
  })

  it('is confirmed with the second factor, if its user has one', async () => {
    const user = await newMember(matrix.own, 'admin')
    const phone = await enroll(gateway(), user)
    const own = await Browser.signIn(gateway(), user, { recovery_code: phone.recoveryCodes[0] ?? '' })
    await age(own.sessionId)
    const confirm = (code: object) =>
      own.send(gateway(), 'POST', '/auth/session/confirm', { body: { password: user.password, ...code } })
    const create = () =>
      matrix.askWith('createOrganizationToken', { headers: { ...own.headers, origin: gateway() } })
    expectProblem(await confirm({}), 'invalid_input')
    expectProblem(await confirm({ totp_code: phone.wrong() }), 'second_factor_invalid')
    expectProblem(await create(), 'recent_sign_in_required')
    expect(await confirm({ recovery_code: phone.recoveryCodes[1] ?? '' })).toMatchObject({ status: 200 })
    expect(await create()).toMatchObject({ status: 201 })
  })

  it('is not confirmed where there is none', async () => {
    expectProblem(
      await send(gateway(), 'POST', '/auth/session/confirm', {
        credential: admin.credential,
        body: { password: admin.password },
      }),
      'session_not_found',
    )
  })
})

/** Signs in a command line, as the user of a browser session. @returns its token */
async function signInCommandLine(browser: Browser): Promise<string> {
  const asked = dataOf(await send(gateway(), 'POST', '/auth/login', { body: { host: 'laptop' } }))
  const body = { user_code: asked['user_code'] }
  expect(await browser.send(gateway(), 'POST', '/auth/login/allow', { body })).toMatchObject({ status: 200 })
  const device_code = asked['device_code']
  const exchanged = dataOf(await send(gateway(), 'POST', '/auth/login/token', { body: { device_code } }))
  return String(exchanged['access_token'])
}

/** A session that was started so long ago that it is no proof. */
async function age(sessionId: string): Promise<void> {
  await queryIdentity(`UPDATE sessions SET created_at = now() - interval '11 minutes' WHERE id = $1`, [
    sessionId,
  ])
}

function dataOf({ json }: Reply): Readonly<Record<string, unknown>> {
  return json?.data as Record<string, unknown>
}
