import { newMember, newOrganization } from '@bearing/testing/factories'
import { forSuite } from '@bearing/testing/for-suite'
import { expect, it } from '@jest/globals'
import { queryIdentity } from '../tools/audited.js'
import { describeInBrowser } from './describe-in-browser.js'
import { expectGone } from './expect-gone.js'
import { expectSound } from './expect-sound.js'
import { goBack } from './in-page.js'
import { loseNextReply } from './lost-reply.js'

describeInBrowser('the page of organization auth tokens', (visit) => {
  const organization = forSuite(() => newOrganization())
  const tokens = () => `/app/o/${organization.slug}/admin/tokens`

  it('creates a token whose secret cannot be lost by accident, and is nowhere after its dialog has closed', async () => {
    const { visitor, page } = await visit(organization.admin, tokens())
    await visitor.sees('Organization Auth Tokens')
    await page.getByRole('button', { name: 'Create Token' }).click()
    await page.getByRole('textbox', { name: 'Description' }).fill('Nightly')
    await page.getByRole('dialog').getByRole('button', { name: 'Create Token' }).click()
    const secret = await page.locator('[data-secret]').innerText()
    expect(secret).toMatch(/^brgo_/)
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    const question = page.waitForEvent('dialog')
    void page.evaluate(goBack)
    await (await question).dismiss()
    expect(await page.locator('[data-secret]').innerText()).toBe(secret)
    await page.getByRole('button', { name: 'Copy the token', exact: true }).click()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByRole('rowheader', { name: /Nightly/ }).waitFor()
    await expectGone(visitor, secret)
    const used = await fetch(
      `${visitor.gateway}/v1/organizations/${organization.slug}/projects/${organization.project.slug}/location/wifi`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: '{"accessPoints":[]}',
      },
    )
    expect(used.status).not.toBe(401)
  })

  it('creates a token with permissions that were chosen one by one, for some networks only', async () => {
    const { visitor, page } = await visit(organization.admin, tokens())
    await visitor.sees('Organization Auth Tokens')
    await page.getByRole('button', { name: 'Create Token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Description' }).fill('Narrow')
    await dialog.getByText('Choose permissions').click()
    const create = dialog.getByRole('button', { name: 'Create Token' })
    expect(await create.isDisabled()).toBe(true)
    await dialog.getByLabel('device: read').check()
    await dialog.getByLabel('location: resolve').check()
    await dialog.getByLabel('Networks that it works from').fill('192.0.2.0/24 2001:db8::7')
    await expectSound(visitor, 'permissions one by one')
    await dialog.getByText('As a command').click()
    await dialog.getByText('--allow-from 192.0.2.0/24').waitFor()
    await create.click()
    await page.locator('[data-secret]').waitFor()
    const { data } = await organization.admin.client.call('listOrganizationTokens', {
      organization: organization.slug,
    })
    expect(data.find(({ description }) => description === 'Narrow')).toMatchObject({
      permissions: ['device:read', 'location:resolve'],
      allowed_addresses: ['192.0.2.0/24', '2001:db8::7/128'],
    })
    await page.getByRole('button', { name: 'I have saved it' }).click()
  })

  it('asks for the password before it creates a token in an older session, and loses nothing that was typed', async () => {
    const { visitor, page } = await visit(organization.admin, tokens())
    await visitor.sees('Organization Auth Tokens')
    await queryIdentity(`UPDATE sessions SET created_at = now() - interval '11 minutes' WHERE user_id = $1`, [
      organization.admin.id,
    ])
    await page.getByRole('button', { name: 'Create Token' }).click()
    await page.getByRole('textbox', { name: 'Description' }).fill('Deployment')
    await page.getByRole('dialog').getByRole('button', { name: 'Create Token' }).click()
    const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await confirm.getByRole('textbox', { name: 'Your password' }).fill('not the password')
    await confirm.getByRole('button', { name: 'Confirm' }).click()
    await confirm.getByText('This is not the password of your account.').waitFor()
    await confirm.getByRole('textbox', { name: 'Your password' }).fill(organization.admin.password)
    await confirm.getByRole('button', { name: 'Confirm' }).click()
    expect(await page.locator('[data-secret]').innerText()).toMatch(/^brgo_/)
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByRole('rowheader', { name: /Deployment/ }).waitFor()
  })

  it('rotates a token by keyboard alone, and shows both with a countdown until the old one has ended', async () => {
    const { visitor, page } = await visit()
    const { description } = await organization.admin.client.call('createOrganizationToken', {
      organization: organization.slug,
      description: 'Backend',
    })
    await visitor.signIn(organization.admin, `${tokens()}?q=${description}`)
    await page.getByRole('button', { name: 'Rotate Backend' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText('Works for 1 more day').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).focus()
    await page.keyboard.press('Enter')
    const secret = await page.locator('[data-secret]').innerText()
    await page.getByRole('button', { name: 'I have saved it' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText(/^in 23:\d\d:\d\d$|^in 1 d 00:00:00$/).waitFor()
    expect(await page.locator('tr.successor').count()).toBe(1)
    await expectGone(visitor, secret)
    await page.getByRole('button', { name: 'End now: Backend' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).last().click()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await page.locator('tr.successor').waitFor({ state: 'detached' })
  })

  it('says which token exists without a known secret when the reply to a creation or a rotation was lost', async () => {
    const { visitor, page } = await visit()
    const api = `/api/v0/organizations/${organization.slug}/auth_tokens`
    await visitor.signIn(organization.admin, tokens())
    await visitor.sees('Organization Auth Tokens')
    await page.getByRole('button', { name: 'Create Token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Description' }).fill('Lost')
    await loseNextReply(visitor, api)
    await dialog.getByRole('button', { name: 'Create Token' }).click()
    await dialog.getByText('The server did not answer.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Lost was created, but the connection broke before its secret arrived.').waitFor()
    await page.getByRole('button', { name: 'Understood' }).click()
    await page.getByRole('button', { name: 'Rotate Lost' }).click()
    await loseNextReply(visitor, `${api}/*/rotate`)
    await dialog.getByRole('button', { name: 'Rotate', exact: true }).click()
    await dialog.getByText('The server did not answer.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Lost was created, but the connection broke before its secret arrived.').waitFor()
    // Its successor is the one to rotate again: then there is a secret.
    await page.locator('tr.successor').waitFor()
    await page.getByRole('button', { name: 'Rotate Lost' }).click()
    await dialog.getByRole('button', { name: 'Rotate', exact: true }).click()
    expect(await page.locator('[data-secret]').innerText()).toMatch(/^brgo_/)
    await page.getByRole('button', { name: 'I have saved it' }).click()
  })

  it('says whose token a secret is without sending it, and revokes it on request', async () => {
    const { visitor, page } = await visit()
    const { token } = await organization.admin.client.call('createOrganizationToken', {
      organization: organization.slug,
      description: 'Found in a log',
      expires_at: new Date(Date.now() + 90 * 86_400_000).toISOString(),
    })
    await visitor.signIn(organization.admin, tokens())
    await page.getByText('in 90 days').waitFor()
    const bodies: string[] = []
    page.on('request', (request) => bodies.push(request.postData() ?? ''))
    await page.getByLabel('Token', { exact: true }).fill(token)
    await page.getByText('It is Found in a log').waitFor()
    expect(bodies.join('\n')).not.toContain(token)
    await page.getByRole('button', { name: 'Revoke it as leaked' }).click()
    await page.getByText('It is revoked: every gateway refuses it.').waitFor()
    await page.goto(`${tokens()}?state=leaked`)
    await page.getByRole('button', { name: 'Rotate Found in a log' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click()
    expect(await page.locator('[data-secret]').innerText()).toMatch(/^brgo_/)
  })

  it('offers a member nothing that the server would refuse, and says who can', async () => {
    const member = await newMember(organization, 'member')
    const { visitor, page } = await visit(member, tokens())
    await visitor.sees('Organization Auth Tokens')
    await page.getByText('Only for admins of the organization.').waitFor()
    expect(await page.getByRole('button', { name: 'Create Token' }).isDisabled()).toBe(true)
    expect(await page.getByRole('link', { name: 'Organization Auth Tokens' }).count()).toBe(0)
    await expectSound(visitor, 'tokens as a member')
  })
})
