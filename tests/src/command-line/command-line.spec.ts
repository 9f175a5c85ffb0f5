import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { newMember, newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { eventually } from '@bearing/testing/eventually'
import { testStack } from '@bearing/testing/stack'
import { folderForSuite, forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { bearing, type Ended } from '../tools/bearing.js'
import { send } from '../tools/http.js'

/** Every attempt is a process of its own. */
const patience = { withinMs: 60_000 }

describe('the command line against a real Bearing', () => {
  const own = forSuite(() => newOrganization())
  const directory = folderForSuite()
  const asUser = () => ({
    BEARING_ORG_TOKEN: undefined,
    BEARING_EMAIL: own.admin.email,
    BEARING_PASSWORD: own.admin.apiKey,
  })
  const json = (ended: Ended): unknown => {
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    return JSON.parse(ended.stdout)
  }

  it('works with each of the three credentials', async () => {
    expect(json(await bearing(own, ['--json', 'whoami']))).toMatchObject({ kind: 'organization_token' })
    expect(json(await bearing(own, ['--json', 'whoami'], asUser()))).toMatchObject({
      kind: 'user',
      email: own.admin.email,
    })
    const asProject = { BEARING_ORG_TOKEN: undefined, BEARING_PROJECT_KEY: own.project.key }
    expect(json(await bearing(own, ['--json', 'whoami'], asProject))).toMatchObject({ kind: 'project_key' })
  })

  it('manages organizations, projects, tokens and keys', async () => {
    const user = (...args: string[]) => bearing(own, ['--json', ...args], asUser())
    expect(JSON.stringify(json(await user('organizations', 'list')))).toContain(own.slug)
    const name = `made-${Date.now().toString(36)}`
    expect(json(await user('projects', 'create', 'Made by hand', '--slug', name))).toMatchObject({
      slug: name,
    })
    expect(json(await user('projects', 'show', name))).toMatchObject({ name: 'Made by hand' })
    const before = json(await user('--project', name, 'project-key', 'show')) as { api_key: string }
    const after = json(await user('--project', name, 'project-key', 'rotate')) as { api_key: string }
    expect(after).toMatchObject({ in_grace: [{ api_key: before.api_key }] })
    expect(after.api_key).not.toBe(before.api_key)
    expect(json(await user('--project', name, 'project-key', 'rotate', '--immediately'))).toMatchObject({
      in_grace: [],
    })
    const graced = await user('--project', name, 'project-key', 'rotate', '--grace', '2d', '--yes')
    expect(json(graced)).toMatchObject({ in_grace: [{ devices: { last_day: 0 } }] })
    expect(json(await user('--project', name, 'project-key', 'end-grace'))).toMatchObject({ in_grace: [] })
    expect(
      (await user('--project', name, 'project-key', 'rotate', '--grace', '1d', '--immediately')).code,
    ).toBe(2)
    expect((await user('--project', name, 'project-key', 'rotate', '--grace', '8d')).code).toBe(2)
    expect(json(await user('projects', 'settings', 'set', name, '--key-may-locate', 'yes'))).toMatchObject({
      project_key_may_locate: true,
      project_key_may_contribute: false,
    })
    expect(json(await user('projects', 'settings', 'show', name))).toMatchObject({
      project_key_may_locate: true,
      project_key_may_contribute: false,
    })

    const created = json(
      await user(
        'org-tokens',
        'create',
        '--description',
        'by hand',
        '--allow-from',
        '127.0.0.0/8',
        '--allow-from',
        '::1',
      ),
    ) as {
      id: string
      token: string
    }
    const rotated = json(await user('org-tokens', 'rotate', created.id, '--grace', '2d')) as { id: string }
    expect(rotated).toMatchObject({ replaces: created.id, replaced: { state: 'active' } })
    expect((await user('org-tokens', 'rotate', created.id)).code).toBe(1)
    expect(json(await user('org-tokens', 'policy', 'set', '--max-lifetime', '52w'))).toMatchObject({
      max_lifetime_days: 364,
    })
    expect(json(await user('org-tokens', 'policy', 'show'))).toEqual({
      administration: 'allow',
      administration_max_lifetime_days: 90,
      max_lifetime_days: 364,
      when_leaked: 'revoke',
    })
    expect((await user('org-tokens', 'policy', 'set', '--max-lifetime', 'none')).code).toBe(0)
    const credential = { kind: 'organization_token', token: created.token } as const
    const use = () => send(testStack().gatewayUrls[0] ?? '', 'GET', '/auth/me', { credential })
    expect((await use()).status).toBe(200)
    expect((await user('org-tokens', 'delete', created.id)).code).toBe(0)
    await eventually(async () => {
      expect((await use()).status).toBe(401)
    })
    expect(JSON.stringify(json(await user('org-tokens', 'list')))).toContain('deleted')
  })

  it('manages members of the organization and of a project, by e-mail address or id', async () => {
    const user = (...args: string[]) => bearing(own, ['--json', ...args], asUser())
    const member = await newMember(own, 'member')
    expect(json(await user('members', 'list'))).toContainEqual({
      user_id: member.id,
      email: member.email,
      role: 'member',
      projects: [],
      connection_id: null,
      second_factor: false,
      last_sign_in_at: expect.any(String),
    })
    const email = member.email.toUpperCase()
    expect(json(await user('project-members', 'set', email, 'reader'))).toMatchObject({ role: 'reader' })
    expect(json(await user('project-members', 'list'))).toMatchObject([{ user_id: member.id }])
    expect(json(await user('project-members', 'remove', member.id))).toMatchObject({ role: 'reader' })
    expect(json(await user('project-members', 'list'))).toEqual([])
    expect(json(await user('members', 'set', email, 'admin'))).toMatchObject({ role: 'admin' })
    expect(json(await user('members', 'remove', member.id))).toMatchObject({ email: member.email })

    const last = await user('members', 'remove', own.admin.email)
    expect(last.code).toBe(1)
    expect(JSON.parse(last.stderr)).toMatchObject({
      error: { code: 'last_admin', hint: expect.stringContaining('members set') },
    })
    expect((await user('members', 'remove', email)).code).toBe(2)
    expect((await user('members', 'set', own.admin.id, 'owner')).code).toBe(2)
  })

  it('imports access points, twice without harm, and locates with them', async () => {
    const file = join(directory, 'access-points.csv.gz')
    const rows = Array.from(
      { length: 40 },
      (_, i) => `02:aa:00:00:00:${i.toString(16).padStart(2, '0')},${String(48 + i / 1e5)},11.5`,
    )
    await writeFile(
      file,
      gzipSync(['bssid,lat,lon', 'not-a-mac,1,2', 'ff:ff:ff:ff:ff:ff,1,2', ...rows].join('\n')),
    )
    for (let run = 0; run < 2; run++) {
      expect((await bearing(own, ['--json', 'access-points', 'import', file])).code).toBe(0)
      expect(json(await bearing(own, ['--json', 'access-points', 'stats']))).toMatchObject({
        organization: { access_points: 40, observations: 40 },
      })
    }
    const scanned = [
      '--ap',
      '02:aa:00:00:00:10=-50',
      '--ap',
      '02-AA-00-00-00-11=-60',
      '--ap',
      '02aa.0000.0012=-70',
    ]
    const located = await bearing(own, ['--json', 'locate', ...scanned])
    const { lat, lon } = json(located) as { lat: number; lon: number }
    expect(lat).toBeCloseTo(48.00016, 4)
    expect(lon).toBeCloseTo(11.5, 4)
  })

  it('prints the error of the server and the request id, and exits with 1', async () => {
    const refused = await bearing(own, ['org-tokens', 'list'])
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/organization-token:read/)
    expect(refused.stderr).toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
    expect(refused.stdout).toBe('')
  })

  it('exits with 3 where nobody answers, and with 2 where two kinds of credential are in the environment', async () => {
    const unreachable = await bearing(own, ['whoami'], { BEARING_URL: 'http://127.0.0.1:9' })
    expect(unreachable.code).toBe(3)
    const several = await bearing(own, ['whoami'], { BEARING_PROJECT_KEY: own.project.key })
    expect(several.code).toBe(2)
    expect(several.stderr).toContain('BEARING_ORG_TOKEN')
    expect(several.stderr).toContain('BEARING_PROJECT_KEY')
  })

  it('never prints a secret with --verbose', async () => {
    for (const args of [
      ['whoami'],
      ['projects', 'list'],
      ['org-tokens', 'list'],
      ['locate', '--ap', 'x=1'],
    ]) {
      const { stdout, stderr } = await bearing(own, ['--verbose', ...args])
      expect(stdout + stderr).not.toContain(own.token.token)
    }
  })

  it("operators import into the layer that everybody shares, and an organization's own wins over it", async () => {
    const file = join(directory, 'shared.csv')
    await writeFile(
      file,
      'bssid,lat,lon\n02:bb:00:00:01:00,10.0001,20\n02:bb:00:00:02:00,10.0002,20\n02:bb:00:00:03:00,10.0003,20\n',
    )
    const imported = await bearing(own, ['--json', 'access-points', 'import', '--shared', file], {
      BEARING_NATS_URL: testStack().natsUrl,
      BEARING_NATS_NKEY_SEED: testStack().nkeySeeds.operator,
    })
    expect(imported.code).toBe(0)
    const locate = async (organization: TestOrganization) =>
      json(
        await bearing(organization, [
          '--json',
          'locate',
          '--ap',
          '02:bb:00:00:01:00=-50',
          '--ap',
          '02:bb:00:00:02:00=-50',
        ]),
      ) as { lat: number; lon: number }
    const other = await newOrganization()
    expect((await locate(own)).lat).toBeCloseTo(10.00015, 3)
    const private_ = join(directory, 'private.csv')
    await writeFile(
      private_,
      'bssid,lat,lon\n02:bb:00:00:01:00,-33.0001,151\n02:bb:00:00:02:00,-33.0002,151\n',
    )
    expect((await bearing(own, ['access-points', 'import', private_])).code).toBe(0)
    await eventually(async () => {
      expect((await locate(own)).lat).toBeCloseTo(-33.00015, 3)
    }, patience)
    expect((await locate(other)).lat).toBeCloseTo(10.00015, 3)
  })
})
