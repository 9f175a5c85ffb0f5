import { createHash } from 'node:crypto'
import { readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectTo } from '@bearing/testing/connect-to'
import { newMember, newOrganization, newProject } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { folderForSuite, forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { bearing } from '../tools/bearing.js'

const PLANTED = { path: 'planted-path-secret', key: 'planted-provider-key', query: 'planted-query-secret' }

interface Manifest {
  completed_at: string | null
  files: { path: string; items: number; bytes: number; sha256: string }[]
  left_out: { path: string; code: string }[]
}

describe('the export of an organization', () => {
  const directory = folderForSuite()
  const own = forSuite(() => newOrganization())
  let secrets: string[]

  const folder = (name: string) => join(directory, name)
  const asAdmin = () => ({
    BEARING_ORG_TOKEN: undefined,
    BEARING_EMAIL: own.admin.email,
    BEARING_PASSWORD: own.admin.apiKey,
  })
  const run = (output: string, environment: Readonly<Record<string, string | undefined>> = asAdmin()) =>
    bearing(own, ['organizations', 'export', own.slug, '--output', output], environment)
  const manifestOf = async (output: string) =>
    JSON.parse(await readFile(join(output, 'manifest.json'), 'utf8')) as Manifest
  const linesOf = async (path: string) => (await readFile(path, 'utf8')).split('\n').slice(0, -1)

  beforeAll(async () => {
    const { client } = own.admin
    const scope = { organization: own.slug, project: own.project.slug }
    const second = await newProject(own)
    await newMember(own, 'member', [{ project: own.project, role: 'reader' }])
    const webhook = await client.call('createWebhook', {
      ...scope,
      url: `https://hooks.example.com/${PLANTED.path}?key=${PLANTED.query}`,
    })
    await client.call('setLocationFallback', {
      organization: own.slug,
      url: `http://127.0.0.1:1/locate`,
      key: PLANTED.key,
    })
    await client.call('createInvitation', {
      organization: own.slug,
      email: 'invited@example.com',
      role: 'member',
    })
    for (const device_serial of ['EXPORT-1', 'EXPORT-2'])
      await client.call('registerDevice', { ...scope, device_serial })
    secrets = [
      ...Object.values(PLANTED),
      ...[own.admin.apiKey, own.admin.password, own.token.token, own.project.key, second.key],
      webhook.secret,
    ]
  })

  it('contains configuration and data lists, with the count and SHA-256 of each file, for this user only', async () => {
    const output = folder('whole')
    expect(await run(output)).toMatchObject({ code: 0, stdout: '' })
    const { completed_at, files, left_out } = await manifestOf(output)
    expect(completed_at).not.toBeNull()
    expect(left_out).toEqual([])
    const found = await readdir(output, { recursive: true, withFileTypes: true })
    const paths = found
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(output.length + 1))
    expect(paths.sort()).toEqual([...files.map(({ path }) => path), 'manifest.json'].sort())
    for (const { path, sha256, bytes, items } of files) {
      const content = await readFile(join(output, path))
      expect([path, createHash('sha256').update(content).digest('hex')]).toEqual([path, sha256])
      expect(content.length).toBe(bytes)
      if (path.endsWith('.ndjson'))
        expect([path, await linesOf(join(output, path))]).toHaveProperty('1.length', items)
    }
    for (const path of paths) expect((await stat(join(output, path))).mode & 0o777).toBe(0o600)
    expect((await stat(output)).mode & 0o777).toBe(0o700)
    const items = new Map(files.map(({ path, items }) => [path, items]))
    expect(items.get('projects.ndjson')).toBe(2)
    expect(items.get('members.ndjson')).toBe(2)
    expect(items.get('invitations.ndjson')).toBe(1)
    expect(items.get('organization-tokens.ndjson')).toBe(1)
    expect(items.get(`projects/${own.project.slug}/devices.ndjson`)).toBe(2)
    const [webhook = ''] = await linesOf(join(output, 'projects', own.project.slug, 'webhooks.ndjson'))
    expect(JSON.parse(webhook)).toMatchObject({ url: 'https://hooks.example.com' })
  })

  it('contains no secret', async () => {
    const output = folder('secrets')
    const ended = await run(output)
    const entries = await readdir(output, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile())
    expect(files.length).toBeGreaterThan(20)
    const texts = await Promise.all(
      files.map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')),
    )
    for (const text of [...texts, ended.stdout, ended.stderr])
      for (const secret of secrets) expect(text.includes(secret)).toBe(false)
  })

  it('continues where it was interrupted, and does not overwrite a complete one or another folder', async () => {
    const output = folder('resumed')
    expect(await run(output)).toMatchObject({ code: 0 })
    expect((await run(output)).stderr).toContain('contains a complete export')
    // As a kill before the last files leaves it.
    const manifest = await manifestOf(output)
    const devices = `projects/${own.project.slug}/devices.ndjson`
    const rest = {
      ...manifest,
      completed_at: null,
      files: manifest.files.filter(({ path }) => path !== devices),
    }
    await rm(join(output, devices))
    await writeFile(join(output, 'manifest.json'), JSON.stringify(rest))
    const organization = join(output, 'organization.json')
    const { mtimeMs } = await stat(organization)
    expect(await run(output)).toMatchObject({ code: 0 })
    expect((await stat(organization)).mtimeMs).toBe(mtimeMs)
    const after = await manifestOf(output)
    expect(after.completed_at).not.toBeNull()
    expect([...after.files].sort(byPath)).toEqual([...manifest.files].sort(byPath))
    await writeFile(join(directory, 'other'), 'a file')
    expect(await run(directory)).toMatchObject({ code: 2 })
  })

  it('names what the credential may not read, and is not complete without it', async () => {
    const output = folder('by-token')
    const byToken = { BEARING_ORG_TOKEN: own.token.token }
    expect(await run(output, byToken)).toMatchObject({ code: 1 })
    const manifest = await manifestOf(output)
    expect(manifest.completed_at).toBeNull()
    expect(manifest.left_out).toContainEqual({ path: 'sso-connections.ndjson', code: 'permission_denied' })
    expect(manifest.files.map(({ path }) => path)).toContain('projects.ndjson')
    expect(await run(output)).toMatchObject({ code: 0 })
  })

  it('contains the positions of projects that store them', async () => {
    const { client } = own.admin
    const stored = await newProject(own)
    const scope = { organization: own.slug, project: stored.slug }
    await client.call('changePositionPolicy', { ...scope, store_positions: true, retention_days: 30 })
    await client.call('registerDevice', { ...scope, device_serial: 'PLACED-1' })
    await using database = await connectTo(testStack().databaseUrls.location)
    await database.query(
      `INSERT INTO device_positions VALUES ($1, $2, 'PLACED-1', now(), gen_random_uuid(), 48.5, 11.5, 3, 68, 'WIFI')`,
      [own.id, stored.id],
    )
    const output = folder('positions')
    expect(await run(output)).toMatchObject({ code: 0 })
    const positions = await linesOf(join(output, 'projects', stored.slug, 'positions.ndjson'))
    expect(positions.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { device_serial: 'PLACED-1', lat: 48.5, lon: 11.5 },
    ])
  })
})

function byPath(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : 1
}
