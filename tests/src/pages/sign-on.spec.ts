import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization, type TestOrganization, type TestUser } from '@bearing/testing/factories'
import { NameServer } from '@bearing/testing/name-server'
import { startStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { expect, it } from '@jest/globals'
import { RealProvider } from '../tools/real-provider.js'
import { describeInBrowser } from './describe-in-browser.js'
import { expectGone } from './expect-gone.js'
import { expectSound } from './expect-sound.js'
import { clipboardOf } from './in-page.js'
import { pressByKey, typeByKey } from './keyboard.js'
import type { Visitor } from './visitor.js'

const SESSION = '__Host-bearing_session'

describeInBrowser('single sign-on', (visit) => {
  const names = forSuite(() => NameServer.start())
  const stack = forSuite(() =>
    startStack({
      services: ['identity', 'management'],
      gateways: 1,
      environment: { identity: { DNS_SERVERS: names.address } },
    }),
  )
  const provider = forSuite(() => RealProvider.start('localhost'))

  const gateway = () => stack.gatewayUrls[0] ?? ''
  const pageOf = ({ slug }: TestOrganization) => `/app/o/${slug}/admin/single-sign-on`
  const arrive = (user?: TestUser, path?: string) => visit(user, path, { gateway: gateway() })

  it('is set up in four steps with a real provider, and can be required only after coming through it', async () => {
    const organization = await newOrganization(stack)
    const { visitor, page } = await arrive(organization.admin, pageOf(organization))
    await visitor.sees('Single sign-on')
    const require = page.getByRole('button', { name: 'Require single sign-on' })
    expect(await require.isDisabled()).toBe(true)

    await page.getByLabel('Name', { exact: true }).fill('Okta')
    await page.getByLabel('Issuer').fill(`${provider.issuer}/`)
    await page.getByLabel('Client id').fill(provider.clientId)
    await page.getByLabel('Client secret', { exact: true }).fill(provider.clientSecret)
    await page.getByRole('button', { name: 'Connect the provider' }).click()
    await page.getByRole('alert').getByText('sso_provider_unusable').waitFor()
    await page.getByLabel('Issuer').fill(provider.issuer)
    await page.getByRole('button', { name: 'Connect the provider' }).click()
    await page.getByText('provider read').waitFor()
    await expectGone(visitor, provider.clientSecret)

    const uri = await page.locator('.command pre', { hasText: '/callback' }).innerText()
    expect(uri.startsWith(`${gateway()}/auth/sso/`)).toBe(true)
    await page.getByRole('button', { name: 'Copy', exact: true }).first().click()
    await eventually(async () => {
      expect(await page.evaluate(clipboardOf)).toBe(uri)
    })
    provider.allow(uri)

    await page.getByLabel('Domain', { exact: true }).fill(provider.domain)
    await page.getByRole('button', { name: 'Add the domain' }).click()
    await page.getByRole('button', { name: `Verify ${provider.domain}` }).click()
    await page.getByRole('alert').getByText('sso_domain_unverified').waitFor()
    const record = page.locator('.command pre', { hasText: 'bearing-domain-verification' })
    names.records.set(provider.domain, await record.innerText())
    await page.getByRole('button', { name: `Verify ${provider.domain}` }).click()
    await page.getByText(`${provider.domain} verified`).waitFor()

    await page.getByRole('button', { name: 'Link my account with Okta' }).click()
    await page.getByText('you came through it').waitFor()
    await page.getByText('redirect URI works').waitFor()
    await expectSound(visitor, 'single sign-on, set up')
    await require.click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Require it' }).click()
    await page.getByText('required', { exact: true }).waitFor()
    await expect(
      organization.admin.client.call('listProjects', { organization: organization.slug }),
    ).rejects.toMatchObject({ code: 'sso_required' })

    // A new tab signs in again through the provider, and the rule stays satisfied.
    const [tab] = await Promise.all([
      visitor.context.waitForEvent('page'),
      page.getByRole('link', { name: 'Test in a new tab' }).click(),
    ])
    await tab.getByText('you came through it').waitFor()
    await tab.close()

    await page.getByRole('button', { name: 'Sign out' }).click()
    await visitor.sees('Sign in')
    await visitor.signIn(organization.admin, pageOf(organization))
    await visitor.sees('Single sign-on')
    await page.getByText('The organization requires single sign-on').first().waitFor()
  })

  it('connects a provider and removes it again by keyboard alone', async () => {
    const organization = await newOrganization(stack)
    const { page } = await arrive(organization.admin, pageOf(organization))
    await typeByKey(page, page.getByLabel('Name', { exact: true }), 'Keycloak')
    await typeByKey(page, page.getByLabel('Issuer'), provider.issuer)
    await typeByKey(page, page.getByLabel('Client id'), provider.clientId)
    await typeByKey(page, page.getByLabel('Client secret', { exact: true }), provider.clientSecret)
    await page.keyboard.press('Enter')
    await page.getByText('provider read').waitFor()
    await pressByKey(page, page.getByRole('button', { name: 'Delete', exact: true }))
    await pressByKey(page, page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }))
    await page.getByText('not connected').waitFor()
  })

  it('gives roles by groups from a card on its page, and shows them as not to be edited', async () => {
    const organization = await newOrganization(stack)
    const { admin, slug } = organization
    const { id, callback_path } = await admin.client.call('createSsoConnection', {
      organization: slug,
      name: 'Ours',
      issuer: provider.issuer,
      client_id: provider.clientId,
      client_secret: provider.clientSecret,
      just_in_time: true,
    })
    await admin.client.call('createProject', { organization: slug, slug: 'meters', name: 'Meters' })
    const { visitor, page } = await arrive(admin, pageOf(organization))
    await page.getByLabel('Rules').fill('platform = owner')
    await page.getByText('Not a rule: platform = owner.').waitFor()
    const save = page.getByRole('button', { name: 'Save the role mapping' })
    expect(await save.isDisabled()).toBe(true)
    await page.getByLabel('Rules').fill('platform = admin\nfirmware = member, meters:manager')
    await page.getByLabel('Users without a rule').fill('member, meters:reader')
    await save.click()
    await page.getByText('2 rules').waitFor()
    await expectSound(visitor, 'single sign-on, with a role mapping')
    const connection = await admin.client.call('showSsoConnection', { organization: slug, connection_id: id })
    expect(connection.role_mapping).toMatchObject({
      claim: 'groups',
      rules: [
        { value: 'platform', role: 'admin', projects: [] },
        { value: 'firmware', role: 'member', projects: [{ role: 'manager' }] },
      ],
      fallback: { projects: [{ role: 'reader' }] },
    })

    provider.allow(`${gateway()}${callback_path}`)
    provider.person = 'hedy'
    provider.claims = { groups: 'firmware' }
    names.records.set(provider.domain, '')
    const domain = { organization: slug, domain: provider.domain }
    names.records.set(provider.domain, (await admin.client.call('addSsoDomain', domain)).txt_record)
    await admin.client.call('verifySsoDomain', domain)
    const { page: hedy } = await arrive()
    await hedy.goto(`${gateway()}${connection.sign_in_path}?return_to=/app`)
    await hedy.getByText('meters').first().waitFor()

    await page.goto(`${gateway()}/app/o/${slug}/admin/members`)
    await page.getByRole('row', { name: /hedy/ }).getByText('by groups').waitFor()
    expect(await page.getByLabel(`Role of hedy@${provider.domain}`).count()).toBe(0)
  })

  it('from another site goes straight on with a live session, asks in the session of another user, and starts none while identity is away', async () => {
    const organization = await newOrganization(stack)
    const { admin, slug } = organization
    const { id, callback_path } = await admin.client.call('createSsoConnection', {
      organization: slug,
      name: 'Ours',
      issuer: provider.issuer,
      client_id: provider.clientId,
      client_secret: provider.clientSecret,
    })
    provider.allow(`${gateway()}${callback_path}`)
    provider.person = 'linus'
    const user = await newMember(organization, 'member', [], stack)
    const portal = provider.consoleFor(`${gateway()}/auth/sso/${id}/start?return_to=/app/account`)
    const { visitor, page } = await arrive()
    const fromPortal = async () => {
      await page.goto(portal)
      await page.getByRole('link', { name: 'Location' }).click()
    }
    // Links the account: the session that comes out of it is of this connection.
    await visitor.signIn(user, '/app/account')
    await visitor.sees('Account')
    await fromPortal()
    await visitor.sees('Continue as another user?')
    await page.getByText(user.email).first().waitFor()
    await expectSound(visitor, 'switch')
    await page.getByRole('link', { name: `Stay signed in as ${user.email}` }).click()
    await page.goto('/app/account')
    await visitor.sees('Account')
    await linkAccount(visitor, id)
    await visitor.sees('Account')

    const before = visitor.urls.length
    await fromPortal()
    await visitor.sees('Account')
    const asked = visitor.urls.slice(before).filter((url) => url.startsWith(`${provider.issuer}/auth`))
    expect(asked).toEqual([])

    const { visitor: other } = await arrive(admin, '/app/account')
    await other.sees('Account')
    await other.page.goto(portal)
    await pressByKey(other.page, other.page.getByRole('link', { name: 'Location' }))
    await other.sees('Continue as another user?')
    await pressByKey(other.page, other.page.getByRole('button', { name: 'Continue as another user' }))
    await other.sees('Account')
    await other.page.getByText(user.email).first().waitFor()

    const { visitor: away } = await arrive()
    await stack.part('identity').stop()
    try {
      await away.page.goto(portal)
      await away.page.getByRole('link', { name: 'Location' }).click()
      await away.sees('Sign in')
      const alert = away.page.getByRole('alert').first()
      await alert.getByRole('link', { name: 'service_unavailable' }).waitFor()
      await alert.getByText(/^request [\w-]+$/).waitFor()
      expect((await away.context.cookies()).map(({ name }) => name)).not.toContain(SESSION)
    } finally {
      await stack.part('identity').start()
    }
  })
})

/** Links the account of the session, as the page Account does for providers of the user's domain. */
async function linkAccount({ page, gateway, context }: Visitor, connectionId: string): Promise<void> {
  const cookie = (await context.cookies(gateway)).map(({ name, value }) => `${name}=${value}`).join('; ')
  const shown = await fetch(`${gateway}/auth/session`, { headers: { cookie } })
  const { data } = (await shown.json()) as { data: { csrf_token: string } }
  const begun = await page.request.post(`${gateway}/auth/sso/${connectionId}/link`, {
    data: { return_to: '/app/account' },
    headers: { 'x-csrf-token': data.csrf_token, 'sec-fetch-site': 'same-origin', origin: gateway },
  })
  const reply = (await begun.json()) as { data: { authorization_url: string } }
  await page.goto(reply.data.authorization_url)
}
