import { connectTo } from '@bearing/testing/connect-to'
import { newUser, type TestUser } from '@bearing/testing/factories'
import { stackForSuite } from '@bearing/testing/for-suite'
import { beforeAll, expect, it } from '@jest/globals'
import { describeInBrowser } from './describe-in-browser.js'
import { expectSound } from './expect-sound.js'

describeInBrowser('a passkey', (visit) => {
  const stack = stackForSuite({
    services: ['identity', 'management'],
    gateways: 1,
    environment: { gateway: { PUBLIC_URL: '' } },
  })
  let user: TestUser
  /** Passkeys are bound to a host name, never to an IP address. */
  let gateway: string

  beforeAll(async () => {
    gateway = (stack.gatewayUrls[0] ?? '').replace('127.0.0.1', 'localhost')
    await stack.replace('identity', { PUBLIC_URL: gateway })
    user = await newUser(stack)
  })

  it('is added and renamed on the page Account, signs in from the email field, alone and beside the password, confirms a session, and is removed', async () => {
    const { visitor, page } = await visit(user, '/app/account', { gateway })
    const devTools = await visitor.context.newCDPSession(page)
    await devTools.send('WebAuthn.enable')
    await devTools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
        ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
      },
    })
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Laptop')
    await expectSound(visitor, 'Add a passkey')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    expect((await page.locator('[data-secret]').innerText()).split('\n')).toHaveLength(10)
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByText('not used yet').waitFor()
    await page.getByRole('button', { name: 'Rename the passkey Laptop' }).click()
    await dialog.getByLabel('Name').fill('Work laptop')
    await expectSound(visitor, 'Rename the passkey')
    await dialog.getByRole('button', { name: 'Rename' }).click()
    await page.getByText('Work laptop', { exact: true }).waitFor()

    // The authenticator takes the offer in the email field immediately.
    const signedIn = page.waitForResponse(
      (response) => response.url().endsWith('/auth/session') && response.status() === 201,
    )
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signedIn
    await page.addInitScript(
      'PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)',
    )
    await page.goto('/app/account')
    await page.getByText(/added .*, last used/).waitFor()

    await page.getByRole('button', { name: 'Sign out' }).click()
    await visitor.sees('Sign in')
    await page.goto('/sign-in?return_to=/app/account')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await visitor.sees('Account')
    await page.getByText(/added .*, last used/).waitFor()

    await page.getByRole('button', { name: 'Sign out' }).click()
    await visitor.sees('Sign in')
    await visitor.signIn(user, '/app/account')
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await visitor.sees('Account')
    await page.getByText('password and passkey', { exact: true }).first().waitFor()

    await using client = await connectTo(stack.databaseUrls.identity)
    await client.query("UPDATE sessions SET created_at = created_at - interval '1 hour'")
    await page.getByRole('button', { name: 'Remove the passkey Work laptop' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('button', { name: 'Remove the passkey Work laptop' }).waitFor({ state: 'detached' })
  })
})
