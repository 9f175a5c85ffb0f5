import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { CallOutput } from '@bearing/client/call-types'
import { DAY_MS } from '@bearing/contracts/durations'
import { TOKEN_PRESET_NAMES, TOKEN_PRESETS } from '@bearing/contracts/identity/tokens/token-presets'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization, type TestOrganization, type TestUser } from '@bearing/testing/factories'
import { elfFile } from '@bearing/start/demo/elf-file'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { ROOT } from '../tools/root.js'
import { addressOfPage, dashboardPaths } from './dashboard-pages.js'
import { describeInBrowser } from './describe-in-browser.js'
import type { Visitor } from './visitor.js'

const CLI = join(ROOT, 'apps/cli/dist/main.js')
/** Time limit for imported access points to be known everywhere, in milliseconds. */
const KNOWN_MS = 120_000
/** Pages of one thing, which an organization without data does not have. */
const OF_ONE_THING = /\$(?:serial|device|webhook)/
/** Samples that end something or are no command, with the reason. */
const NOT_RUN: readonly (readonly [RegExp, string])[] = [[/access-points erase /, 'erases what was imported']]

/** A scan whose place is known, received now. */
function observation(): object {
  return {
    timestamp: Date.now(),
    position: { latitude: 48.1372, longitude: 11.5755, accuracy: 5 },
    wifiAccessPoints: ['01', '02'].map((last) => ({
      macAddress: `02:00:5e:00:c2:${last}`,
      signalStrength: -60,
    })),
  }
}

/** Files that samples name. */
async function writeFiles(directory: string): Promise<void> {
  const write = (name: string, content: string | Buffer) => writeFile(join(directory, name), content)
  await mkdir(join(directory, 'build'))
  await Promise.all([
    write(
      'survey.csv',
      'bssid,lat,lon\n02:00:5e:00:c2:01,48.1372,11.5755\n02:00:5e:00:c2:02,48.1373,11.5756\n',
    ),
    write('scans.jsonl', `${JSON.stringify(observation())}\n`),
    write('core.elf', elfFile(randomBytes(20))),
    write('build/firmware.elf', elfFile(randomBytes(20))),
    write('tokens.txt', `${'0123456789abcdef'.repeat(4)}\n`),
    write('bearing', `#!/bin/sh\nexec node ${JSON.stringify(CLI)} "$@"\n`),
  ])
  await chmod(join(directory, 'bearing'), 0o755)
}

describeInBrowser('every sample of a page', (visit) => {
  let organization: TestOrganization
  let colleague: TestUser
  let directory: string

  beforeAll(async () => {
    ;[organization, directory] = await Promise.all([
      newOrganization(),
      mkdtemp(join(tmpdir(), 'bearing-samples-')),
    ])
    colleague = await newMember(organization, 'member')
    await writeFiles(directory)
  })

  afterAll(async () => {
    await rm(directory, { recursive: true })
  })

  /** Runs a sample as somebody who copies it into a shell, with the credential that it is about. */
  async function run(sample: string, gateway: string, token = organization.token.token): Promise<string> {
    const { admin } = organization
    // Only one credential: a sample for a token must not work because of a password.
    const credential = /BEARING_ORG_TOKEN|symbols upload/.test(sample)
      ? { BEARING_ORG_TOKEN: token }
      : { BEARING_EMAIL: admin.email, BEARING_PASSWORD: admin.password, USER_API_KEY: admin.apiKey }
    const path = [directory, dirname(process.execPath), process.env['PATH']].join(delimiter)
    const env = { PATH: path, HOME: directory, BEARING_URL: gateway, ...credential }
    const script = `curl() { command curl --silent --show-error --fail-with-body "$@"; }\nset -e\n${sample}`
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { env, cwd: directory })
    return stdout
  }

  /** Returns the samples that a page shows outside of its forms, with a real person in place of Ada. */
  async function samplesOf(page: Page): Promise<string[]> {
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    const shown = await page.locator('.command pre:not(details pre)').allInnerTexts()
    return shown
      .filter((sample) => !NOT_RUN.some(([pattern]) => pattern.test(sample)))
      .map((sample) => sample.replace('ada@example.com', colleague.email))
  }

  async function expectSamplesToWork(visitor: Visitor): Promise<Set<string>> {
    const { slug, project } = organization
    const paths = dashboardPaths().filter((path) => !OF_ONE_THING.test(path))
    const found = new Set<string>()
    for (const path of paths) {
      await visitor.page.goto(addressOfPage(path, { organization: slug, project: project.slug }))
      for (const sample of await samplesOf(visitor.page)) found.add(sample)
    }
    const failures: unknown[] = []
    for (const sample of found)
      await run(sample, visitor.gateway).catch((error: unknown) => failures.push(error))
    expect(failures).toEqual([])
    return found
  }

  it('works as it is shown, with the credential that it is about, in an organization without data', async () => {
    const { visitor } = await visit(organization.admin, '/app/account')
    await visitor.sees('Account')
    const samples = await expectSamplesToWork(visitor)
    expect(samples.size).toBeGreaterThan(10)
    // Nothing can be located yet, so the page General offers what needs no coverage.
    expect([...samples].filter((sample) => sample.includes('/location/wifi'))).toEqual([])
  })

  it('locates access points that the organization has, once it has some', async () => {
    // The samples before have imported them.
    const { admin, token, slug, project } = organization
    const scope = { organization: slug, project: project.slug }
    await admin.client.call('changePositionPolicy', { ...scope, store_positions: true, retention_days: 1 })
    const accessPoints = ['01', '02'].map((last) => ({ macAddress: `02:00:5e:00:c2:${last}` }))
    await eventually(() => token.client.call('resolveWifiLocation', { ...scope, accessPoints }), {
      withinMs: KNOWN_MS,
    })
    const { visitor } = await visit(admin, '/app/account')
    await visitor.sees('Account')
    const samples = [...(await expectSamplesToWork(visitor))]
    const locating = samples.filter((sample) => sample.includes('/location/wifi'))
    expect(locating.length).toBeGreaterThan(0)
    for (const sample of locating) expect(await run(sample, visitor.gateway)).toMatch(/"lat":48\.137\d*/)
  })

  /** Creates a token in the dialog, and leaves the dialog open, which shows the secret. */
  async function createInDialog({ page }: Visitor, description: string, preset?: string): Promise<string> {
    await page.getByRole('button', { name: 'Create Token' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Description').fill(description)
    if (preset !== undefined) await dialog.locator('label', { hasText: preset }).click()
    await dialog.getByRole('button', { name: 'Create Token' }).click()
    return page.locator('[data-secret]').innerText()
  }

  it('works with the token that was just created, whatever it may do', async () => {
    const { visitor, page } = await visit(organization.admin, `/app/o/${organization.slug}/admin/tokens`)
    for (const { text } of Object.values(TOKEN_PRESETS)) {
      const token = await createInDialog(visitor, text, text)
      const sample = await page.getByRole('dialog').locator('.command pre').last().innerText()
      expect(sample).toContain('$BEARING_ORG_TOKEN')
      expect(await run(sample, visitor.gateway, token)).toMatch(/"lat"|"data"/)
      await page.getByRole('button', { name: 'I have saved it' }).click()
    }
  })

  it('creates the token of API and command line, with every preset and if nothing is chosen', async () => {
    const { slug, admin } = await newOrganization()
    const { visitor } = await visit(admin, `/app/o/${slug}/admin/tokens`)
    const env = {
      ...{ PATH: process.env['PATH'], HOME: directory, BEARING_URL: visitor.gateway, BEARING_ORG: slug },
      ...{ BEARING_EMAIL: admin.email, BEARING_PASSWORD: admin.password },
    }
    for (const preset of [undefined, ...TOKEN_PRESET_NAMES]) {
      const description = preset ?? 'nothing chosen'
      await admin.client.call('createOrganizationToken', { organization: slug, description, preset })
      const flags = preset === undefined ? [] : ['--preset', preset]
      const create = ['org-tokens', 'create', '--description', description, ...flags]
      await promisify(execFile)(process.execPath, [CLI, ...create], { env })
      await createInDialog(visitor, description, preset && TOKEN_PRESETS[preset].text)
      await visitor.page.getByRole('button', { name: 'I have saved it' }).click()
    }
    const created = await admin.client.listAll('listOrganizationTokens', { organization: slug })
    const doors = (wanted: string) =>
      created.filter(({ description }) => description === wanted).map(powersOf)
    for (const preset of TOKEN_PRESET_NAMES) {
      const token = {
        permissions: [...TOKEN_PRESETS[preset].permissions].sort(),
        administers: preset === 'administration',
        ...{ project_ids: null, allowed_addresses: [], days: preset === 'administration' ? 90 : 365 },
      }
      expect([preset, doors(preset)]).toEqual([preset, [token, token, token]])
    }
    expect(doors('nothing chosen')).toEqual(doors('project-manager'))
  })
})

/** Returns all that two tokens of the same choices have in common. */
function powersOf(token: CallOutput<'deleteOrganizationToken'>): object {
  const { permissions, administers, project_ids, allowed_addresses, expires_at, created_at } = token
  const days = Math.round((Date.parse(expires_at ?? '') - Date.parse(created_at)) / DAY_MS)
  return { permissions: [...permissions].sort(), administers, project_ids, allowed_addresses, days }
}
