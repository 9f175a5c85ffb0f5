import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newOrganization, newProject } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { folderForSuite, forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { runBearing } from '../tools/bearing.js'
import { TestDevice } from '../tools/device-data.js'
import { startHostedVendor, type VendorProject } from '../tools/hosted-vendor.js'

interface Report {
  readonly dry_run: boolean
  readonly projects: readonly {
    readonly slug: string
    readonly outcome: string
    readonly key: string
    readonly devices: Record<'created' | 'changed' | 'unchanged' | 'failed', number>
  }[]
  readonly members: readonly { readonly outcome: string }[]
  readonly webhooks: readonly { readonly outcome: string; readonly secret?: string }[]
}

describe('bearing import hosted-service', () => {
  const own = forSuite(() => newOrganization())
  const folder = folderForSuite()
  const vendor = forSuite(() => startHostedVendor('acme', [thermostats, gates]))
  const key = () => randomBytes(16).toString('hex')
  const taken = key()
  const thermostats: VendorProject = {
    ...{ slug: 'thermostats', name: 'Thermostats', api_key: key() },
    devices: [
      {
        device_serial: 'T-1',
        nickname: 'Hall',
        attributes: { 'Battery-Level': 80, customer: 'Ada', beta: true },
      },
      { device_serial: 'T-2', attributes: { 'Battery-Level': 70, customer: null } },
      { device_serial: 'T 3' },
      { device_serial: 'T-4', attributes: { customer: 7 } },
      { device_serial: 'T-5' },
    ],
  }
  const gates: VendorProject = { slug: 'gates', name: 'Gates', api_key: taken, devices: [] }

  beforeAll(async () => {
    const other = await newOrganization()
    const at = { organization: other.slug, project: other.project.slug }
    await other.admin.client.call('requestKeyImport', { ...at, api_key: taken })
    await writeFile(
      join(folder, 'members.csv'),
      'email,role\ngrace@example.com,admin\nalan@example.com,member\n',
    )
    await writeFile(join(folder, 'webhooks.csv'), 'project,url\nthermostats,https://hooks.example.com/t\n')
  })

  const run = (args: readonly string[], token = vendor.token) =>
    runBearing(
      ['--json', 'import', 'hosted-service', 'acme', '--from', vendor.url, ...args],
      {
        BEARING_URL: testStack().gatewayUrls[0],
        BEARING_ORG: own.slug,
        BEARING_EMAIL: own.admin.email,
        BEARING_PASSWORD: own.admin.password,
      },
      `${token}\n`,
    )
  const files = ['--members', 'members.csv', '--webhooks', 'webhooks.csv']
  const withFiles = () => files.map((word) => (word.endsWith('.csv') ? join(folder, word) : word))
  const report = (stdout: string) => JSON.parse(stdout) as Report // as the command prints it
  const project = { organization: '', project: 'thermostats' }

  it('says in a dry run what would come, and changes nothing', async () => {
    const { code, stdout } = await run([...withFiles(), '--dry-run'])
    expect(code).toBe(1)
    expect(report(stdout)).toMatchObject({
      dry_run: true,
      projects: [
        {
          slug: 'thermostats',
          outcome: 'would be created',
          key: 'would be requested',
          devices: { created: 4, failed: 1 },
        },
        { slug: 'gates', outcome: 'would be created', devices: { created: 0 } },
      ],
      members: [{ outcome: 'would be invited' }, { outcome: 'would be invited' }],
      webhooks: [{ outcome: 'would be created' }],
    })
    expect((await own.admin.client.listAll('listProjects', { organization: own.slug })).length).toBe(1)
  })

  it('moves projects, keys, devices with attributes, members and webhooks, and repeated changes nothing', async () => {
    vendor.refusals.push(429, 503)
    const moved = await run([...withFiles(), '--network', '127.0.0.1'])
    expect(moved.code).toBe(1)
    expect(report(moved.stdout)).toMatchObject({
      projects: [
        {
          ...{ slug: 'thermostats', outcome: 'created', key: 'requested: first use from 127.0.0.1' },
          devices: { created: 4, failed: 1 },
        },
        { slug: 'gates', outcome: 'created', key: 'taken by another project' },
      ],
      members: [{ outcome: 'invited' }, { outcome: 'invited' }],
      webhooks: [{ outcome: 'created', secret: expect.stringMatching(/^whsec_/) }],
    })
    const at = { ...project, organization: own.slug }
    const shown = await own.admin.client.call('showDevice', { ...at, device_serial: 'T-1' })
    expect(shown).toMatchObject({
      nickname: 'Hall',
      attributes: { battery_level: 80, customer: 'Ada', beta: true, cohort: 'default' },
    })
    expect(await own.admin.client.call('showDevice', { ...at, device_serial: 'T-4' })).toMatchObject({
      attributes: { customer: '7' },
    })
    const again = report((await run([...withFiles(), '--network', '127.0.0.1'])).stdout)
    expect(again).toMatchObject({
      projects: [
        {
          outcome: 'exists',
          key: 'requested before',
          devices: { created: 0, changed: 0, unchanged: 4, failed: 1 },
        },
        { outcome: 'exists' },
      ],
      members: [{ outcome: 'exists' }, { outcome: 'exists' }],
      webhooks: [{ outcome: 'exists' }],
    })
  })

  it('lets devices send with the key that they have, after the first request from the network', async () => {
    const gateway = testStack().gatewayUrls[0] ?? ''
    const device = new TestDevice(gateway, own, { slug: 'thermostats', key: thermostats.api_key })
    expect((await device.send('with the former key')).status).toBe(202)
    expect(await device.stored(1)).toEqual(['with the former key'])
    const { projects } = report((await run(['--only-project', 'thermostats'])).stdout)
    expect(projects).toMatchObject([{ key: 'imported' }])
  })

  it('continues at the page at which it was interrupted', async () => {
    const file = join(folder, 'state.json')
    await writeFile(file, JSON.stringify({ thermostats: 3 }))
    vendor.requests.length = 0
    const { projects } = report(
      (await run(['--only-project', 'thermostats', '--resume', file, '--without-attributes'])).stdout,
    )
    expect(projects).toMatchObject([{ devices: { unchanged: 1, failed: 0 } }])
    expect(vendor.requests.filter((path) => path.includes('/devices'))).toHaveLength(1)
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ thermostats: 4 })
  })

  it('says so if the token is wrong, or a project does not exist', async () => {
    const wrong = await run([], 'oat_wrong')
    expect(wrong).toMatchObject({ code: 2, stdout: '' })
    expect(wrong.stderr).toContain('answered 401')
    expect(wrong.stderr).not.toContain('oat_wrong')
    expect(await run(['--only-project', 'doors'])).toMatchObject({ code: 2 })
  })

  it('leaves out the project keys of projects that have them', async () => {
    const present = await newProject(own)
    await using same = await startHostedVendor('acme', [
      { slug: present.slug, name: present.name, api_key: present.key, devices: [] },
    ])
    const { stdout } = await run(['--from', same.url], same.token)
    expect(report(stdout).projects).toMatchObject([{ outcome: 'exists', key: 'imported' }])
  })
})
