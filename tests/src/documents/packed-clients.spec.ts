import { execFile } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { newOrganization, newProject } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { folderForSuite, forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import ts from 'typescript'
import { ROOT } from '../tools/root.js'

const SOURCE = 'https://git.example.com/fleet/bearing'
/** Packages of this repository, whose dependencies are those of the libraries. */
const OWNERS = [
  'packages/client/nats',
  'packages/contracts',
  'packages/access',
  'packages/nats',
  'packages/nestjs',
].map((path) => join(ROOT, path))
const OPTIONS: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
}
const run = promisify(execFile)

interface Manifest {
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Finds an installed package as Node does. */
function findPackage(name: string, from: string): string | undefined {
  const folder = join(from, 'node_modules', name)
  if (existsSync(folder)) return realpathSync(folder)
  return from === dirname(from) ? undefined : findPackage(name, dirname(from))
}

/** Returns the folders of packages and of all that they depend on. npm links these: the test reaches no registry. */
function withDependencies(
  names: readonly string[],
  owners: readonly string[],
  found = new Map<string, string>(),
) {
  for (const name of names) {
    if (found.has(name)) continue
    const [folder] = owners.flatMap((owner) => findPackage(name, owner) ?? [])
    if (folder === undefined) throw new Error(`${name} is not installed.`)
    found.set(name, folder)
    const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest // npm reads it
    withDependencies(Object.keys(dependencies), [folder], found)
  }
  return found
}

/**
 * Compiles a program in its folder.
 *
 * @returns the mistakes that the compiler found, but for those of the NATS client: its types are no match for exact optional
 *   properties
 */
function compile(file: string, options: ts.CompilerOptions): string[] {
  const program = ts.createProgram([file], { ...OPTIONS, ...options })
  program.emit()
  return ts
    .getPreEmitDiagnostics(program)
    .filter(({ file: at }) => at?.fileName.includes('/@nats-io/') !== true)
    .map(({ messageText, file: at }) =>
      [at?.fileName, ts.flattenDiagnosticMessageText(messageText, ' ')].join(': '),
    )
}

describe('the packed libraries', () => {
  const own = forSuite(() => newOrganization())
  const folder = folderForSuite()

  beforeAll(async () => {
    const pack = join(ROOT, 'deploy', 'pack-clients.mjs')
    await run(process.execPath, [pack, '--out', folder, '--source', SOURCE])
  })

  /** Installs the tarball of a library into an empty project, with further packages that only its programs need. */
  async function install(name: string, further: readonly string[] = []) {
    const project = join(folder, name)
    await mkdir(project)
    const file = (await readdir(folder)).find((entry) => new RegExp(`^bearing-${name}-\\d.*tgz$`).test(entry))
    const tarball = join(folder, file ?? 'missing')
    const { stdout } = await run('tar', ['-xzOf', tarball, 'package/package.json'])
    const { dependencies = {}, peerDependencies = {} } = JSON.parse(stdout) as Manifest // npm has packed it
    const needed = Object.keys({ ...dependencies, ...peerDependencies })
    const packages = withDependencies([...needed, ...further], OWNERS)
    await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
    const flags = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund']
    await run('npm', ['install', ...flags, tarball, ...packages.values()], {
      cwd: project,
      env: { PATH: process.env['PATH'], HOME: project, npm_config_update_notifier: 'false' },
    })
    const inside = join(project, 'node_modules', '@bearing', name)
    const manifest: unknown = JSON.parse(await readFile(join(inside, 'package.json'), 'utf8'))
    return { project, inside, manifest }
  }

  /** Compiles an example in a project with the strictest options, and runs what calls it. @returns what that printed */
  async function tryExample(
    project: string,
    example: string,
    main: string,
    options: ts.CompilerOptions,
    environment: Readonly<Record<string, string>>,
  ): Promise<unknown> {
    await copyFile(join(ROOT, 'tests', 'src', 'tools', example), join(project, example))
    await writeFile(join(project, 'main.ts'), main)
    expect(compile(join(project, 'main.ts'), options)).toEqual([])
    const { stdout } = await run(process.execPath, ['main.js'], { cwd: project, env: environment })
    return JSON.parse(stdout)
  }

  const published = (name: string, directory: string) => ({
    name,
    license: 'Apache-2.0',
    repository: { type: 'git', url: `git+${SOURCE}.git`, directory },
    publishConfig: { access: 'public', provenance: true },
    sideEffects: false,
  })

  it('@bearing/client calls a gateway from a strict program, in a project of its own', async () => {
    const { project, inside, manifest } = await install('client')
    expect(await readdir(join(project, 'node_modules', '@bearing'))).toEqual(['client'])
    expect(manifest).toMatchObject(published('@bearing/client', 'packages/client'))
    expect(manifest).not.toHaveProperty('private')
    expect(Object.keys((manifest as Manifest).dependencies ?? {})).toEqual(['zod'])
    expect((await readdir(inside)).toSorted()).toEqual([
      'LICENSE',
      'NOTICE',
      'README.md',
      'dist',
      'package.json',
    ])
    const files = await readdir(join(inside, 'dist'), { recursive: true })
    // Browsers have no modules of Node.
    for (const file of files.filter((name) => name.endsWith('.js')))
      expect([file, await readFile(join(inside, 'dist', file), 'utf8')]).toEqual([
        file,
        expect.not.stringMatching(/^(?:import|export) .*'(?:node:|@bearing\/)/m),
      ])

    const second = await newProject(own)
    const main = `import { locate } from './client-example.js'
const { URL: url = '', TOKEN: token = '', ORGANIZATION: organization = '' } = process.env
declare const process: { readonly env: Readonly<Record<string, string | undefined>> }
console.log(JSON.stringify(await locate(url, token, organization)))
`
    const browser = { lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'], types: [] }
    const result = await tryExample(project, 'client-example.ts', main, browser, {
      URL: testStack().gatewayUrls[0] ?? '',
      TOKEN: own.token.token,
      ORGANIZATION: own.slug,
    })
    expect(result).toMatchObject({ unknown: true })
    expect((result as { slugs: string[] }).slugs.toSorted()).toEqual(
      [own.project.slug, second.slug].toSorted(),
    )
  })

  it('@bearing/client-nats asks identity from a strict program, without a framework', async () => {
    const { project, manifest } = await install('client-nats', ['@types/node'])
    expect(await readdir(join(project, 'node_modules', '@bearing'))).toEqual(['client-nats'])
    expect(manifest).toMatchObject(published('@bearing/client-nats', 'packages/client/nats'))
    expect(Object.keys((manifest as Manifest).dependencies ?? {})).toEqual([
      '@nats-io/transport-node',
      'ipaddr.js',
      'jose',
      'lru-cache',
      'zod',
    ])
    const main = `import { startBilling } from './internal-service-example.js'
const { NATS_URL: url = '', SEED: nkeySeed = '', TOKEN: token = '', ORGANIZATION: organization = '' } = process.env
const billing = await startBilling({ url, nkeySeed, name: 'introspector' })
const own = await billing.mayRead(organization, token, '127.0.0.1')
const mistyped = await billing.mayRead(organization, token + 'x', '127.0.0.1')
const sender = await billing.whoIs((await billing.claimsOf(token)) ?? '')
await billing.stop()
console.log(JSON.stringify({ own, mistyped, kind: sender.kind }))
`
    const node = { lib: ['lib.es2023.d.ts'], types: ['node'] }
    const result = await tryExample(project, 'internal-service-example.ts', main, node, {
      NATS_URL: testStack().natsUrl,
      SEED: testStack().nkeySeeds.introspector,
      TOKEN: own.token.token,
      ORGANIZATION: own.id,
    })
    expect(result).toEqual({ own: 200, mistyped: 401, kind: 'organization_token' })
  })

  it('@bearing/nestjs is loaded beside the NestJS of an application, which it does not bring', async () => {
    const { project, manifest } = await install('nestjs', ['reflect-metadata'])
    expect(await readdir(join(project, 'node_modules', '@bearing'))).toEqual(['nestjs'])
    expect(manifest).toMatchObject(published('@bearing/nestjs', 'packages/nestjs'))
    const { dependencies = {}, peerDependencies = {} } = manifest as Manifest
    expect(Object.keys(dependencies).filter((name) => name.startsWith('@nestjs/'))).toEqual([])
    expect(Object.keys(peerDependencies)).toEqual([
      '@nestjs/common',
      '@nestjs/core',
      '@nestjs/passport',
      'rxjs',
    ])
    const main = `import 'reflect-metadata'
import { BearingModule } from '@bearing/nestjs'
console.log(BearingModule.forRoot({ jwksUrl: 'https://bearing.example.com', audience: 'reports' }).global)
`
    await writeFile(join(project, 'main.js'), main)
    expect((await run(process.execPath, ['main.js'], { cwd: project })).stdout).toBe('true\n')
  })

  it('@bearing/client shows an example in its README that works', async () => {
    const example = await readFile(join(ROOT, 'tests', 'src', 'tools', 'client-example.ts'), 'utf8')
    const readme = await readFile(join(ROOT, 'packages', 'client', 'README.md'), 'utf8')
    expect(readme).toContain(`\`\`\`ts\n${example}\`\`\`\n`)
  })
})
