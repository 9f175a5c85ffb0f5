import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { ROOT } from '../tools/root.js'

const FOLDER = join(ROOT, '.github', 'workflows')
const read = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8')
const names = readdirSync(FOLDER)
/** Lists the parts of a run. */
const help = execFileSync(process.execPath, [join(ROOT, 'tests', 'run.mjs'), '--help'], { encoding: 'utf8' })

interface Job {
  readonly 'timeout-minutes'?: number
  readonly needs?: string | readonly string[]
  readonly uses?: string
  readonly container?: { readonly image: string }
  readonly strategy?: {
    readonly matrix: {
      readonly include?: readonly {
        readonly run: string
        readonly runner?: string
        readonly options?: string
      }[]
      readonly node?: readonly string[]
    }
  }
  readonly steps?: readonly { readonly uses?: string; readonly run?: string; readonly with?: object }[]
}
interface Workflow {
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, Job>>
}
const workflow = (name: string) => parse(read('.github/workflows', name)) as Workflow
const commandsOf = (job: Job | undefined) => (job?.steps ?? []).map(({ run = '' }) => run).join('\n')
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps = [] }) => steps)

describe.each(names)('the workflow %s', (name) => {
  const { permissions, jobs } = workflow(name)
  const steps = stepsOf(workflow(name))

  it('may only read unless a job says otherwise, and ends', () => {
    expect(permissions).toEqual({ contents: 'read' })
    for (const [job, { uses, 'timeout-minutes': minutes }] of Object.entries(jobs))
      expect([job, uses !== undefined || minutes !== undefined]).toEqual([job, true])
  })

  it('pins every action by the digest of a commit, and leaves no token in the checkout', () => {
    for (const { uses, with: inputs } of steps) {
      if (uses === undefined) continue
      expect(uses).toMatch(/^[\w-]+(\/[\w-]+)+@[0-9a-f]{40}$/)
      if (uses.startsWith('actions/checkout@')) expect(inputs).toMatchObject({ 'persist-credentials': false })
    }
  })

  it('puts nothing that others can write into a command', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{')
  })

  it('runs scripts and files that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const own = new Set([...Object.keys(scripts), 'install', 'audit'])
    for (const { run = '' } of steps) {
      for (const [, script = ''] of run.matchAll(/\bpnpm ([\w:-]+)/g)) expect(own).toContain(script)
      for (const [, file = ''] of run.matchAll(/(?:^|\s)(?:node )?((?:\.ci|deploy)\/[\w./-]+)/g))
        expect([file, existsSync(join(ROOT, file))]).toEqual([file, true])
    }
  })
})

describe('workflows', () => {
  it('run every part of `pnpm test --all` with the Node of the project, and bring the compose file to a first position', () => {
    const { tests, compose } = workflow('check.yml').jobs
    const { catalog } = parse(read('pnpm-workspace.yaml')) as { catalog: { node: string } }
    expect(tests?.container?.image).toBe(`node:${catalog.node}-bookworm`)
    expect(tests?.steps?.map(({ run }) => run)).toContain('.ci/run $STAGE')
    const parts = tests?.strategy?.matrix.include?.flatMap(({ run }) =>
      [...run.matchAll(/--only (\w+)/g)].map(([, part]) => part),
    )
    const [, usual = ''] = /Without options: (.*)\./.exec(help) ?? []
    const [, own = ''] = /run everything: (.*) too/.exec(help) ?? []
    expect(new Set(parts)).toEqual(new Set([...usual.split(', '), ...own.split(', '), 'units']))
    expect(commandsOf(compose)).toMatch(
      /docker compose up .*--build .*--wait[^]*first-position\.sh docker compose$/m,
    )
    const script = join(ROOT, 'deploy', 'first-position.sh')
    expect(execFileSync('sh', ['-n', script], { encoding: 'utf8' })).toBe('')
    expect(read('deploy/first-position.sh')).toMatch(/admin bootstrap[^]*bearing locate --ap[^]*grep --quiet/)
  })

  it('look for known vulnerabilities, and accept one only with its reason', () => {
    const { audit } = workflow('check.yml').jobs
    expect(audit?.steps?.map(({ run }) => run)).toContain('npx --yes pnpm audit --audit-level high')
    const accepted = read('pnpm-workspace.yaml').match(/^.*GHSA-.*$/gm) ?? []
    expect(accepted.filter((line) => !/^\s+- ['"]?GHSA(?:-\w{4}){3}['"]? # \S/.test(line))).toEqual([])
  })

  it('publish nothing that has not passed', () => {
    const { check, pack, kubernetes, release } = workflow('release.yml').jobs
    expect(check?.uses).toBe('./.github/workflows/check.yml')
    expect([pack, kubernetes, release].map((job) => job?.needs)).toEqual([
      'check',
      'pack',
      ['pack', 'kubernetes'],
    ])
    expect(commandsOf(pack)).toContain('pnpm release')
    expect(commandsOf(release)).toContain('release/publish.sh')
  })

  it('build images on machines of both architectures, and try them in two versions of Kubernetes', () => {
    const { pack, kubernetes } = workflow('release.yml').jobs
    const { include = [] } = pack?.strategy?.matrix ?? {}
    expect(include.map(({ runner, options }) => [runner, options])).toEqual([
      ['ubuntu-24.04', ''],
      ['ubuntu-24.04-arm', '--images'],
    ])
    const { kubeVersion } = parse(read('deploy/helm/bearing/Chart.yaml')) as { kubeVersion: string }
    const nodes = kubernetes?.strategy?.matrix.node ?? []
    for (const node of nodes) expect(node).toMatch(/^kindest\/node:v[\d.]+@sha256:[0-9a-f]{64}$/)
    const versions = nodes.map((node) => /v(\d+\.\d+)/.exec(node)?.[1])
    expect(new Set(versions).size).toBe(2)
    expect(kubeVersion).toContain(`>=${versions[0] ?? ''}`)
    expect(commandsOf(kubernetes)).toContain('try-on-kind.sh')
  })

  it('upgrade under load in Kubernetes, by a script that a shell accepts, on files that exist', () => {
    const script = join(ROOT, 'deploy', 'kubernetes', 'try-on-kind.sh')
    expect(execFileSync('sh', ['-n', script], { encoding: 'utf8' })).toBe('')
    const text = read('deploy/kubernetes/try-on-kind.sh')
    for (const command of ['helm upgrade', 'helm rollback', 'helm test'])
      expect(text).toContain(`${command} bearing`)
    for (const [file] of text.matchAll(/\bdeploy\/[\w./-]+/g))
      expect([file, existsSync(join(ROOT, file))]).toEqual([file, true])
  })
})
