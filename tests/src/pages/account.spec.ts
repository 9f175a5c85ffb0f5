import { newMember, newOrganization, newUser } from '@bearing/testing/factories'
import { expect, it } from '@jest/globals'
import { queryIdentity } from '../tools/audited.js'
import { Browser as Session, enroll } from '../tools/browser.js'
import { send } from '../tools/http.js'
import { RealProvider } from '../tools/real-provider.js'
import { connect, gateway } from '../tools/single-sign-on.js'
import { describeInBrowser } from './describe-in-browser.js'
import { expectGone } from './expect-gone.js'
import { pressByKey, typeByKey } from './keyboard.js'

const PASSWORD = 'four words nobody guesses'

describeInBrowser('the page Account', (visit) => {
  it('ends the other sessions, and changes the password, which ends all', async () => {
    const user = await newUser()
    const elsewhere = await Session.signIn(gateway(), user)
    const { visitor, page } = await visit(user, '/app/account')
    await page.getByRole('button', { name: 'End all other sessions' }).click()
    await page.getByRole('button', { name: 'End all other sessions' }).waitFor({ state: 'detached' })
    expect((await elsewhere.send(gateway(), 'GET', '/auth/session')).status).toBe(401)
    await page.getByLabel('Current password').fill(user.password)
    await page.getByLabel('New password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('Your new password is set, and all sessions have ended.').waitFor()
    await visitor.signIn({ email: user.email, password: PASSWORD }, '/app/account')
    await visitor.sees('Account')
  })

  it('replaces the API key with password and code, by keyboard alone', async () => {
    const user = await newUser()
    const { code, recoveryCodes } = await enroll(gateway(), user)
    const { visitor, page } = await visit(user, '/app/account')
    await typeByKey(page, page.getByLabel('Code of your authenticator'), code())
    await page.keyboard.press('Enter')
    await visitor.sees('Account')
    await pressByKey(page, page.getByRole('button', { name: 'Replace the key' }))
    const dialog = page.getByRole('dialog')
    await typeByKey(page, dialog.getByLabel('Your password'), user.password)
    await typeByKey(page, dialog.getByLabel(/^Code of your authenticator/), recoveryCodes[0] ?? '')
    await page.keyboard.press('Enter')
    const secret = await page.locator('[data-secret]').innerText()
    await pressByKey(page, page.getByRole('button', { name: 'I have saved it' }))
    await page.getByText('created with the second factor').waitFor()
    const me = (key: string) =>
      send(gateway(), 'GET', '/auth/me', { credential: { kind: 'user', email: user.email, secret: key } })
    expect([(await me(secret)).status, (await me(user.apiKey)).status]).toEqual([200, 401])
    await expectGone(visitor, secret, user.password)
  })

  it('links the account with a real provider of its domain, and unlinks it', async () => {
    await using provider = await RealProvider.start('localhost')
    const organization = await newOrganization()
    const user = await newMember(organization, 'member')
    const id = await connect(organization, provider)
    provider.allow(`${gateway()}/auth/sso/${id}/callback`)
    const email = `${user.id}@${provider.domain}`
    await queryIdentity('UPDATE users SET email = $2 WHERE id = $1', [user.id, email])
    await queryIdentity(
      `INSERT INTO sso_domains (organization_id, domain, token, verified_at) VALUES ($1, $2, 'x', now())`,
      [organization.id, provider.domain],
    )
    const { visitor, page } = await visit({ email, password: user.password }, '/app/account')
    await page.getByRole('button', { name: 'Link Ours' }).click()
    // The session is one of single sign-on now, which cannot change the account.
    await page.getByText('single sign-on', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Delete my account' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await visitor.sees('Sign in')
    await visitor.signIn({ email, password: user.password }, '/app/account')
    await page.getByRole('button', { name: 'Unlink' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink' }).click()
    await page.getByRole('button', { name: 'Link Ours' }).waitFor()
  })

  it('deletes the account with the password', async () => {
    const user = await newUser()
    const { visitor, page } = await visit(user, '/app/account')
    await page.getByRole('button', { name: 'Delete my account' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByLabel('Your password').fill('not the password')
    await dialog.getByRole('button', { name: 'Delete my account' }).click()
    await dialog.getByText('password_incorrect').waitFor()
    await dialog.getByLabel('Your password').fill(user.password)
    await dialog.getByRole('button', { name: 'Delete my account' }).click()
    await visitor.sees('Sign in')
    const credential = { kind: 'user', email: user.email, secret: user.password } as const
    expect((await send(gateway(), 'GET', '/auth/me', { credential })).status).toBe(401)
  })
})
