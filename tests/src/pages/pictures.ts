import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { newMember, newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { startStack } from '@bearing/testing/stack'
import { launchChromium } from './chromium.js'
import { Visitor } from './visitor.js'

// `pnpm pictures [folder]` starts a Bearing with some data and writes pictures of the main pages: light and dark, wide and narrow.

const FOLDER = join(import.meta.dirname, '..', '..', '..', '.bearing', 'pictures')
const WIDTHS = [1280, 390]
const HEIGHT = 900

const folder = process.argv[2] ?? FOLDER
await mkdir(folder, { recursive: true })
const stack = await startStack({ postgres: 'own', gateways: 1 })
const browser = await launchChromium()
try {
  const organization = await newOrganization(stack)
  await fill(organization)
  for (const scheme of ['light', 'dark'] as const)
    for (const width of WIDTHS) await takePictures(organization, scheme, width)
} finally {
  await browser.close()
  await stack.stop()
}
process.stdout.write(`${folder}\n`)

/** Creates what fills the pages, long texts among it. */
async function fill(organization: TestOrganization): Promise<void> {
  const { slug, admin } = organization
  const descriptions = [
    'CI of the firmware',
    'Backend of the asset tracker, region Europe, with a description that is far too long for one line of a table',
    'Nightly export',
  ]
  for (const description of descriptions)
    await admin.client.call('createOrganizationToken', {
      organization: slug,
      description,
      ...(description.startsWith('CI') && { permissions: ['location:resolve'] }),
    })
  const { data } = await admin.client.call('listOrganizationTokens', { organization: slug })
  const rotated = data.find(({ description }) => description === 'Nightly export')
  if (rotated)
    await admin.client.call('rotateOrganizationToken', {
      organization: slug,
      organization_token_id: rotated.id,
      grace_seconds: 86_400,
    })
  await newMember(organization, 'member', [{ project: organization.project, role: 'manager' }], stack)
  await newMember(organization, 'member', [], stack)
  await admin.client.call('cycleProjectKey', {
    organization: slug,
    project: organization.project.slug,
    grace_seconds: 86_400,
  })
}

async function takePictures(
  { slug, project, admin }: TestOrganization,
  scheme: 'light' | 'dark',
  width: number,
) {
  const visitor = await Visitor.arrive(browser, { scheme, width, height: HEIGHT }, stack.gatewayUrls[0])
  const { page } = visitor
  const take = async (name: string) => {
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: join(folder, `${name}-${scheme}-${String(width)}.png`), fullPage: true })
  }
  await page.goto('/sign-in')
  await take('sign-in')
  await page.goto('/sign-in?problem=sso_access_denied&request=0199c0de-7c1f-7d5e-9f0a-2f6b8a3d4e51')
  await take('sign-in-problem')
  await page.goto('/password-reset')
  await take('password-reset')
  await visitor.signIn(admin, `/app/o/${slug}/admin/tokens`)
  await visitor.sees('Organization Auth Tokens')
  await take('tokens')
  await page.getByRole('button', { name: 'Create Token' }).click()
  await take('token-form')
  await page.getByRole('textbox', { name: 'Description' }).fill('Nightly build')
  await page.getByRole('dialog').getByRole('button', { name: 'Create Token' }).click()
  await page.locator('[data-secret]').waitFor()
  await take('token-secret')
  await page.getByRole('button', { name: 'I have saved it' }).click()
  const settings = `/app/o/${slug}/p/${project.slug}/settings`
  const rest = {
    general: `${settings}/general`,
    'project-key': `${settings}/project-key`,
    'user-api-key': `${settings}/user-api-key`,
    members: `/app/o/${slug}/admin/members`,
    account: '/app/account',
  }
  for (const [name, path] of Object.entries(rest)) {
    await page.goto(path)
    await page.locator('h1').waitFor()
    await take(name)
  }
  await visitor.leave()
}
