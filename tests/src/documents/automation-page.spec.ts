import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { elfFile } from '@bearing/start/demo/elf-file'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { ROOT } from '../tools/root.js'
import { GITHUB, GITLAB, KUBERNETES, WorkloadIssuer } from '../tools/workload-issuer.js'

const PAGE = readFileSync(join(ROOT, 'docs', 'automation.md'), 'utf8')
const CLI = join(ROOT, 'apps', 'cli', 'dist', 'main.js')
/** Issuers that the page names or leaves to the platform. Their keys are pasted: the tests reach none of them. */
const ISSUERS = {
  github: 'https://token.actions.githubusercontent.com',
  gitlab: 'https://gitlab.com',
  kubernetes: 'https://kubernetes.default.svc',
} as const
/** Programs of the machine that runs a job. The command line is the one of this checkout. */
const PRELUDE = `set -e
make() { cp core.elf firmware.elf; }
npm() { [ "$1 $2" = 'install --global' ]; }
bearing() { "$NODE" "$CLI" "$@"; }
`

type Variables = Readonly<Record<string, string>>
interface GithubWorkflow {
  readonly permissions: Variables
  readonly jobs: { readonly upload: { readonly env: Variables; readonly steps: readonly Variables[] } }
}
interface GitlabJobs {
  readonly symbols: {
    readonly id_tokens: Readonly<Record<string, { readonly aud: string }>>
    readonly variables: Variables
    readonly script: readonly string[]
  }
}
interface Container {
  readonly args: readonly string[]
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
}
interface CronJob {
  readonly metadata: { readonly namespace: string }
  readonly spec: {
    readonly jobTemplate: {
      readonly spec: {
        readonly template: {
          readonly spec: {
            readonly serviceAccountName: string
            readonly containers: readonly [Container]
            readonly volumes: readonly {
              readonly name: string
              readonly projected: {
                readonly sources: readonly {
                  readonly serviceAccountToken: { readonly path: string; readonly audience: string }
                }[]
              }
            }[]
          }
        }
      }
    }
  }
}

describe('the examples of docs/automation.md without a stored secret', () => {
  let issuer: WorkloadIssuer
  let own: TestOrganization
  let directory: string

  beforeAll(async () => {
    ;[issuer, own, directory] = await Promise.all([
      WorkloadIssuer.start(),
      newOrganization(),
      mkdtemp(join(tmpdir(), 'bearing-automation-')),
    ])
    await writeFile(join(directory, 'keys.json'), JSON.stringify(issuer.publicKeys()))
  })

  afterAll(async () => {
    await issuer[Symbol.asyncDispose]()
    await rm(directory, { recursive: true })
  })

  const gateway = () => testStack().gatewayUrls[0] ?? ''
  /** Returns the section with the names of this test in place of those of the example. */
  const section = (title: string) =>
    (PAGE.split(`### ${title}\n`)[1]?.split('\n### ')[0] ?? '')
      .replaceAll('https://bearing.example.com', gateway())
      .replace(/(BEARING_ORG:|BEARING_ORG, value:) acme/, `$1 ${own.slug}`)
      .replace(/(BEARING_PROJECT:|BEARING_PROJECT, value:) tracker/, `$1 ${own.project.slug}`)
  const yamlOf = (title: string): unknown => parse(/```yaml\n(.*?)```/s.exec(section(title))?.[1] ?? '')

  async function run(script: string, variables: Variables): Promise<string> {
    const env = { PATH: process.env['PATH'], HOME: directory, NODE: process.execPath, CLI, ...variables }
    const { stdout } = await promisify(execFile)('bash', ['-c', PRELUDE + script], { cwd: directory, env })
    return stdout
  }
  const asAdmin = () => ({
    ...{ BEARING_URL: gateway(), BEARING_ORG: own.slug },
    ...{ BEARING_EMAIL: own.admin.email, BEARING_PASSWORD: own.admin.password },
  })
  /** Creates the trust that the page describes by flags. */
  const trust = (flags: string, permissions: readonly string[]) =>
    run(
      `bearing trusts create --name CI --audience ${gateway()} --jwks keys.json ${permissions.map((name) => `--permission ${name}`).join(' ')} ${flags}`,
      asAdmin(),
    )
  const tokenOf = (platform: keyof typeof ISSUERS, claims: object, aud: string) =>
    issuer.sign({ iss: ISSUERS[platform], aud, ...claims })

  it('upload symbols from a workflow of GitHub Actions', async () => {
    const { permissions, jobs } = yamlOf('GitHub Actions') as GithubWorkflow
    expect(permissions).toEqual({ contents: 'read', 'id-token': 'write' })
    const [, create = ''] = /```bash\n(.*?)```/s.exec(section('GitHub Actions')) ?? []
    await run(`${create.trimEnd()} --jwks keys.json`, asAdmin())
    const actions = createServer((request, reply) => {
      const audience = new URL(request.url ?? '', 'http://localhost').searchParams.get('audience') ?? ''
      void tokenOf('github', GITHUB, audience).then((value) => reply.end(JSON.stringify({ value })))
    })
    await new Promise<void>((resolve) => actions.listen(0, '127.0.0.1', resolve))
    const uploaded = await newFirmware()
    const { port } = actions.address() as AddressInfo // it listens
    const printed = await run(jobs.upload.steps.map(({ run: step = '' }) => step).join('\n'), {
      ...jobs.upload.env,
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${String(port)}/?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-job',
    })
    actions.close()
    expect(printed).toContain('repository=acme/firmware')
    expect(await uploaded()).toMatchObject({ kind: 'symbols' })
  })

  it('upload symbols from a job of GitLab', async () => {
    const { symbols } = yamlOf('GitLab') as GitlabJobs
    const [, flags = ''] = /Trust: `(.*?)`/.exec(section('GitLab')) ?? []
    await trust(flags, ['project:list', 'symbols:upload', 'file:read', 'file:upload'])
    const [[name, { aud }] = ['', { aud: '' }]] = Object.entries(symbols.id_tokens)
    const token = await tokenOf('gitlab', { ...GITLAB, ref_protected: 'true' }, aud)
    const uploaded = await newFirmware()
    const printed = await run(symbols.script.join('\n'), { ...symbols.variables, [name]: token })
    expect(printed).toContain('project_path=acme/firmware')
    expect(await uploaded()).toMatchObject({ kind: 'symbols' })
  })

  it('list devices from a CronJob of Kubernetes', async () => {
    const { metadata, spec } = yamlOf('Kubernetes') as CronJob
    const { serviceAccountName, containers, volumes } = spec.jobTemplate.spec.template.spec
    const [{ args, env, volumeMounts }] = containers
    const [, flags = ''] = /Trust: `(.*?)`/s.exec(section('Kubernetes')) ?? []
    const account = KUBERNETES['kubernetes.io']
    expect([metadata.namespace, serviceAccountName]).toEqual([account.namespace, account.serviceaccount.name])
    await trust(
      flags
        .replaceAll('\n', ' ')
        .replace('<issuer>', ISSUERS.kubernetes)
        .replace('<uid>', account.serviceaccount.uid),
      ['project:list', 'device:read'],
    )
    const { path, audience } = volumes[0]?.projected.sources[0]?.serviceAccountToken ?? {
      path: '',
      audience: '',
    }
    const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]))
    expect(variables['BEARING_WORKLOAD_TOKEN_FILE']).toBe(`${volumeMounts[0]?.mountPath ?? ''}/${path}`)
    expect(volumeMounts.map(({ name }) => name)).toEqual(volumes.map(({ name }) => name))
    const file = join(directory, path)
    await writeFile(file, await tokenOf('kubernetes', KUBERNETES, audience))
    await own.admin.client.call('registerDevice', {
      ...{ organization: own.slug, project: own.project.slug, device_serial: 'FOUND-BY-THE-JOB' },
    })
    const printed = await run(`bearing ${args.join(' ')}`, {
      ...variables,
      BEARING_WORKLOAD_TOKEN_FILE: file,
    })
    expect(printed).toContain('FOUND-BY-THE-JOB')
  })

  /** Makes the firmware that a job builds. @returns its symbols, which it uploads */
  async function newFirmware() {
    const buildId = randomBytes(20)
    await writeFile(join(directory, 'core.elf'), elfFile(buildId))
    return () =>
      own.admin.client.call('findSymbols', {
        ...{ organization: own.slug, project: own.project.slug, gnu_build_id: buildId.toString('hex') },
      })
  }
})
