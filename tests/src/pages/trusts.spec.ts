import { TOKEN_EXCHANGE } from '@bearing/contracts/identity/workloads/token-exchange'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { send } from '../tools/http.js'
import { GITHUB, WorkloadIssuer } from '../tools/workload-issuer.js'
import { describeInBrowser } from './describe-in-browser.js'
import { expectNarrow, expectSoundInBoth } from './expect-sound.js'
import { chooseByKey, pressByKey, tabTo, typeByKey } from './keyboard.js'

const AUDIENCE = 'https://bearing.example.com'

describeInBrowser('the page of workload trusts', (visit) => {
  let organization: TestOrganization
  let issuer: WorkloadIssuer
  const trusts = () => `/app/o/${organization.slug}/admin/trusts`

  beforeAll(async () => {
    ;[organization, issuer] = await Promise.all([newOrganization(), WorkloadIssuer.start()])
  })

  afterAll(async () => {
    await issuer[Symbol.asyncDispose]()
  })

  it('creates a trust by keyboard alone, says which claims a platform needs, and shows the mistakes of the server', async () => {
    const { visitor, page } = await visit(organization.admin, trusts())
    await visitor.sees('Workload trusts')
    await pressByKey(page, page.getByRole('button', { name: 'Create', exact: true }))
    const dialog = page.getByRole('dialog')
    const claims = dialog.getByLabel('Required claims')
    expect(await claims.inputValue()).toBe('repository_id=')
    await typeByKey(page, dialog.getByLabel('Name'), 'Nightly')
    await tabTo(page, claims)
    await page.keyboard.press('Control+A')
    await page.keyboard.type('repository=acme/firmware')
    await pressByKey(page, dialog.getByRole('button', { name: 'Create', exact: true }))
    await dialog.getByText('must have repository_id, or repository_owner_id').first().waitFor()
    await expectSoundInBoth(visitor, 'the mistake of a trust')
    await expectNarrow(visitor, 'the mistake of a trust')
    await chooseByKey(page, dialog.getByRole('button', { name: /Platform/ }), 'Kubernetes')
    await typeByKey(page, dialog.getByRole('textbox', { name: 'Issuer' }), 'https://cluster.example.com')
    await tabTo(page, claims)
    await page.keyboard.press('Control+A')
    await page.keyboard.type('kubernetes.io/namespace=fleet\nkubernetes.io/serviceaccount/uid=5f1e')
    await pressByKey(page, dialog.getByRole('button', { name: 'Create', exact: true }))
    await page.getByRole('rowheader', { name: /Nightly/ }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    const { data } = await organization.admin.client.call('listWorkloadTrusts', {
      organization: organization.slug,
    })
    expect(data).toMatchObject([
      {
        ...{ name: 'Nightly', platform: 'kubernetes', issuer: 'https://cluster.example.com' },
        claims: { 'kubernetes.io/namespace': 'fleet', 'kubernetes.io/serviceaccount/uid': '5f1e' },
        permissions: ['project:list', 'file:read', 'file:upload', 'symbols:upload'],
        ...{ project_ids: null, lifetime_seconds: 900, single_use: false },
      },
    ])
    await expectSoundInBoth(visitor, 'workload trusts')
    await expectNarrow(visitor, 'workload trusts')
  })

  it('shows the workloads that used a trust, and ends their tokens when it is changed or deleted', async () => {
    const { slug, admin } = organization
    const { id } = await admin.client.call('createWorkloadTrust', {
      ...{ organization: slug, name: 'Firmware', platform: 'github', issuer: issuer.issuer },
      ...{ audience: AUDIENCE, claims: { repository_id: '123456' }, permissions: ['project:list'] },
    })
    const exchange = async () => {
      const { status, json } = await send(testStack().gatewayUrls[0] ?? '', 'POST', '/oauth/token', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          ...{ grant_type: TOKEN_EXCHANGE, audience: slug },
          subject_token: await issuer.sign({ aud: AUDIENCE, ...GITHUB }),
          subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
        }).toString(),
      })
      expect(status).toBe(200)
      return String(json?.['access_token'])
    }
    const statusWith = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await send(testStack().gatewayUrls[0] ?? '', 'GET', '/auth/me', { headers })).status
    }
    const token = await exchange()
    const { visitor, page } = await visit(admin, trusts())
    const row = page.getByRole('row', { name: /Firmware/ })
    await row.getByText('Tokens').click()
    await row.getByText(`repository=${GITHUB.repository}`).waitFor()
    await expectSoundInBoth(visitor, 'tokens of a trust')
    await row.getByRole('button', { name: 'Change Firmware' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Accept each token of the platform once').click()
    await dialog.getByText('As a command').click()
    await dialog.getByText(`trusts change ${id} --name Firmware`).waitFor()
    await dialog.getByRole('button', { name: 'Replace' }).click()
    await row.getByText('each token once').waitFor()
    expect(await statusWith(token)).toBe(401)
    const next = await exchange()
    expect(await statusWith(next)).toBe(200)
    await row.getByRole('button', { name: 'Delete Firmware', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await row.waitFor({ state: 'detached' })
    expect(await statusWith(next)).toBe(401)
  })

  it('shows derived tokens below the token that they come from, and deletes one', async () => {
    const { slug, admin } = organization
    const parent = await admin.client.call('createOrganizationToken', {
      ...{ organization: slug, description: 'Parent' },
      permissions: ['organization-token:derive', 'project:list'],
    })
    const derived = await send(
      testStack().gatewayUrls[0] ?? '',
      'POST',
      `/api/v0/organizations/${slug}/auth_tokens/derive`,
      {
        headers: { authorization: `Bearer ${parent.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ permissions: ['project:list'], description: 'Script' }),
      },
    )
    expect(derived.status).toBeLessThan(300)
    const { visitor, page } = await visit(admin, `/app/o/${slug}/admin/tokens`)
    const row = page.getByRole('row', { name: /Parent/ })
    await row.getByText('Derived tokens').click()
    const shown = row.getByRole('listitem')
    await shown.getByText('project:list').waitFor()
    await expectSoundInBoth(visitor, 'derived tokens')
    await shown.getByRole('button', { name: /^Delete / }).click()
    await shown.getByText('deleted').waitFor()
  })
})
