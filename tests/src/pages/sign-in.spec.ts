import { newOrganization, newUser } from '@bearing/testing/factories'
import { expect, it } from '@jest/globals'
import { queryIdentity } from '../tools/audited.js'
import { totp } from '../tools/authenticator.js'
import { enroll } from '../tools/browser.js'
import { RealProvider } from '../tools/real-provider.js'
import { connect, gateway } from '../tools/single-sign-on.js'
import { describeInBrowser } from './describe-in-browser.js'
import { expectGone } from './expect-gone.js'
import { expectSound } from './expect-sound.js'
import { pressByKey, signInByKey, typeByKey } from './keyboard.js'

describeInBrowser('signing in', (visit) => {
  it('with an authenticator that was set up on the page asks for its code, and takes a recovery code instead', async () => {
    const user = await newUser()
    const { visitor, page } = await visit(user, '/app/account')
    await page.getByRole('button', { name: 'Set up an authenticator' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Your password').fill(user.password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    await expectSound(visitor, 'QR code')
    await dialog.getByText('It cannot scan').click()
    const secret = await dialog.locator('details code').innerText()
    await dialog.getByLabel('The code that it shows now').fill(totp(secret, Date.now()))
    await dialog.getByRole('button', { name: 'Continue' }).click()
    const codes = (await page.locator('[data-secret]').innerText()).split('\n')
    expect(codes).toHaveLength(10)
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByText('10 recovery codes left').waitFor()
    await expectGone(visitor, secret, user.password, ...codes)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await visitor.sees('Sign in')

    await visitor.signIn(user, '/app/account')
    await page.getByLabel('Code of your authenticator').fill('000000')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('second_factor_invalid').waitFor()
    await page.getByLabel('Code of your authenticator').fill(totp(secret, Date.now(), 1))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await visitor.sees('Account')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await visitor.sees('Sign in')

    await visitor.signIn(user, '/app/account')
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(codes[0] ?? '')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await visitor.sees('Account')
    await page.getByText('9 recovery codes left').waitFor()
  })

  it('with password and code works by keyboard alone', async () => {
    const user = await newUser()
    const authenticator = await enroll(gateway(), user)
    const { visitor, page } = await visit()
    await page.goto('/sign-in?return_to=/app/account')
    await signInByKey(page, user)
    await pressByKey(page, page.getByRole('button', { name: 'Use a recovery code' }))
    await typeByKey(page, page.getByLabel('Recovery code'), authenticator.recoveryCodes[0] ?? '')
    await page.keyboard.press('Enter')
    await visitor.sees('Account')
  })

  it('through a real provider works from the email address and from the slug of the organization', async () => {
    await using provider = await RealProvider.start('localhost')
    const organization = await newOrganization()
    const id = await connect(organization, provider, { just_in_time: true })
    provider.allow(`${gateway()}/auth/sso/${id}/callback`)
    await queryIdentity(
      `INSERT INTO sso_domains (organization_id, domain, token, verified_at) VALUES ($1, $2, 'x', now())`,
      [organization.id, provider.domain],
    )
    const { visitor: byAddress } = await visit()
    await byAddress.page.goto('/sign-in?return_to=/app/account')
    await byAddress.page.getByLabel('Email address').fill(`grace@${provider.domain}`)
    await byAddress.page.getByRole('button', { name: 'Continue', exact: true }).click()
    await byAddress.page.getByRole('link', { name: 'Continue with Ours' }).click()
    await byAddress.sees('Account')
    await byAddress.page.getByText('single sign-on', { exact: true }).waitFor()
    await byAddress.leave()

    const { visitor: bySlug, page } = await visit()
    await page.goto('/sign-in?return_to=/app/account')
    await pressByKey(page, page.getByRole('button', { name: 'Continue with your organization' }))
    await typeByKey(page, page.getByLabel('Organization Slug'), organization.slug)
    await page.keyboard.press('Enter')
    await bySlug.sees('Account')
    await page.getByText(`grace@${provider.domain}`, { exact: true }).waitFor()
    expect([...byAddress.complaints, ...bySlug.complaints]).toEqual([])
  })
})
