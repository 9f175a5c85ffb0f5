import { execFile } from 'node:child_process'
import { mkdir, readFile, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { newOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { folderForSuite, forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { ROOT } from '../tools/root.js'

const HOST = `${process.platform}-${process.arch}`
const run = promisify(execFile)

/** Nothing of this repository: `env` and npm find the `node` that is tested with. */
const PATH = `${dirname(process.execPath)}:/usr/bin:/bin`

describe('the packed command line', () => {
  const own = forSuite(() => newOrganization())
  const folder = folderForSuite()

  const environment = () => ({
    BEARING_URL: testStack().gatewayUrls[0],
    BEARING_ORG: own.slug,
    BEARING_PROJECT: own.project.slug,
    BEARING_ORG_TOKEN: own.token.token,
  })

  beforeAll(async () => {
    const pack = join(ROOT, 'apps', 'cli', 'pack.mjs')
    await run(process.execPath, [pack, '--out', folder, '--only', 'npm', '--only', HOST])
  }, 180_000)

  const fileOf = async (pattern: RegExp) =>
    join(folder, (await readdir(folder)).find((name) => pattern.test(name)) ?? 'missing')

  it('installs from its npm package alone, and works', async () => {
    const empty = join(folder, 'installed')
    await mkdir(empty)
    const install = ['install', '--offline', '--no-audit', '--no-fund', await fileOf(/\.tgz$/)]
    await run('npm', install, { cwd: empty, env: { PATH: process.env['PATH'], HOME: empty } })
    expect(await readdir(join(empty, 'node_modules', '@bearing'))).toEqual(['cli'])
    const program = join(empty, 'node_modules', '.bin', 'bearing')
    const { stdout } = await run(program, ['--json', 'projects', 'list'], { env: { PATH, ...environment() } })
    expect(stdout).toContain(own.project.slug)

    const inside = join(empty, 'node_modules', '@bearing', 'cli')
    expect((await readdir(inside)).toSorted()).toEqual([
      'LICENSE',
      'NOTICE',
      'README.md',
      'THIRD-PARTY-NOTICES.txt',
      'bearing.cjs',
      'package.json',
    ])
    const manifest: unknown = JSON.parse(await readFile(join(inside, 'package.json'), 'utf8'))
    expect(manifest).not.toHaveProperty('dependencies')
    expect(manifest).toMatchObject({ license: 'Apache-2.0' })
    expect(await readFile(join(inside, 'bearing.cjs'), 'utf8')).not.toContain('@nestjs')
    expect(await readFile(join(inside, 'THIRD-PARTY-NOTICES.txt'), 'utf8')).toMatch(/^commander \d/m)
  }, 120_000)

  it('is one executable that needs no Node', async () => {
    const program = await fileOf(new RegExp(`-${HOST}$`))
    const { stdout } = await run(program, ['--json', 'whoami'], { cwd: folder, env: environment() })
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'organization_token' })
  }, 60_000)

  it('reports its version, and the exit code of wrong usage', async () => {
    const program = await fileOf(new RegExp(`-${HOST}$`))
    const { version } = JSON.parse(await readFile(join(ROOT, 'apps/cli/package.json'), 'utf8')) as {
      version: string // our own package.json
    }
    expect((await run(program, ['--version'], { env: {} })).stdout).toBe(`${version}\n`)
    await expect(run(program, ['devices', 'nonsense'], { env: {} })).rejects.toMatchObject({ code: 2 })
  }, 60_000)
})
