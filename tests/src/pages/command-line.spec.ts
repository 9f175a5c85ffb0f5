import { newUser } from '@bearing/testing/factories'
import { expect, it } from '@jest/globals'
import { send } from '../tools/http.js'
import { gateway } from '../tools/single-sign-on.js'
import { describeInBrowser } from './describe-in-browser.js'
import { expectNarrow, expectSoundInBoth } from './expect-sound.js'
import { pressByKey, signInByKey, tabTo, typeByKey } from './keyboard.js'

interface Login {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri_complete: string
}

describeInBrowser('the page that signs in a command line', (visit) => {
  async function login(): Promise<Login> {
    const { json } = await send(gateway(), 'POST', '/auth/login', { body: { host: 'ann-laptop' } })
    return json?.data as Login
  }
  const exchange = ({ device_code }: Login) =>
    send(gateway(), 'POST', '/auth/login/token', { body: { device_code } })

  it('asks to sign in first, shows what asks, and signs it in, by keyboard alone', async () => {
    const user = await newUser()
    const requested = await login()
    const { visitor, page } = await visit()
    await page.goto(requested.verification_uri_complete)
    await visitor.sees('Sign in')
    await signInByKey(page, user)
    await visitor.sees('Sign in a command line')
    const field = page.getByLabel('Code')
    await field.waitFor()
    expect(await field.inputValue()).toBe(requested.user_code)
    await expectSoundInBoth(visitor, 'code')
    await expectNarrow(visitor, 'code')
    await tabTo(page, field)
    await page.keyboard.press('Enter')
    for (const shown of [requested.user_code, 'ann-laptop', user.email])
      await page.getByText(shown, { exact: true }).waitFor()
    // The addresses of the machine and of the browser.
    expect(await page.getByText('127.0.0.1', { exact: true }).count()).toBe(2)
    expect(await page.getByText('is in another network').count()).toBe(0)
    await page.getByText('Allow this only if you started it yourself').waitFor()
    await expectSoundInBoth(visitor, 'decision')
    await expectNarrow(visitor, 'decision')
    await pressByKey(page, page.getByRole('button', { name: 'Allow' }))
    await visitor.sees('The command line is signed in')
    await expectSoundInBoth(visitor, 'allowed')
    expect((await exchange(requested)).status).toBe(200)
    await pressByKey(page, page.getByRole('link', { name: 'your account' }))
    await visitor.sees('Account')
    await page.getByText('Command line on ann-laptop').waitFor()
  })

  it('denies by keyboard, after a mistyped code', async () => {
    const user = await newUser()
    const requested = await login()
    const { visitor, page } = await visit(user, '/command-line')
    await visitor.sees('Sign in a command line')
    const field = page.getByLabel('Code')
    await typeByKey(page, field, 'BBBB-BBBB')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('login_not_found').waitFor()
    await expectSoundInBoth(visitor, 'wrong code')
    await tabTo(page, field)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(requested.user_code.toLowerCase())
    await page.keyboard.press('Enter')
    await pressByKey(page, page.getByRole('button', { name: 'Deny' }))
    await visitor.sees('Denied')
    expect((await exchange(requested)).json).toMatchObject({ code: 'access_denied' })
  })
})
