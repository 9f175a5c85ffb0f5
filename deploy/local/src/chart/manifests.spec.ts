import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import ts from 'typescript'
import { parseAllDocuments } from 'yaml'
import { findHelm } from './helm.js'
import { Helm, type Manifest } from './testing/render.js'

// An API server refuses unknown fields only where it is asked to, and ignores them otherwise. Here the compiler of TypeScript refuses
// them: objects are literals of the types that are generated from the API of Kubernetes.

const CHECKOUT = join(import.meta.dirname, '..', '..', '..', '..')
/** Types are looked for from here. */
const PROGRAM = join(CHECKOUT, 'deploy', 'local', 'src', 'written-by-the-spec.ts')

/** The module that has the type of an object; undefined where there is none. */
function moduleOf({ apiVersion, kind }: Manifest): string | undefined {
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
  const packages: Readonly<Record<string, string>> = {
    'gateway.networking.k8s.io': '@kubernetes-models/gateway-api/gateway.networking.k8s.io',
    'monitoring.coreos.com': '@kubernetes-models/prometheus-operator/monitoring.coreos.com',
    'keda.sh': '@kubernetes-models/keda/keda.sh',
    '': 'kubernetes-models',
  }
  // Of operators that no package has types for.
  if (/(cnpg|external-secrets|argoproj|toolkit\.fluxcd)\.io$/.test(group)) return undefined
  return `${packages[group] ?? `kubernetes-models/${group}`}/${version}/${kind}`
}

/** Returns the errors of the compiler for the objects as literals of their types. */
function mistakesIn(manifests: readonly Manifest[]): string[] {
  const lines = manifests.flatMap((manifest, index) => {
    const module = moduleOf(manifest)
    if (module === undefined) return []
    const type = `T${String(index)}`
    return [
      `import type { I${manifest.kind} as ${type} } from '${module}'`,
      `export const object${String(index)}: ${type} = ${JSON.stringify(manifest)}`,
    ]
  })
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: [],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
  }
  const host = ts.createCompilerHost(options)
  const text = lines.join('\n')
  const getSourceFile = host.getSourceFile.bind(host)
  host.getSourceFile = (name, ...rest) =>
    name === PROGRAM ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022) : getSourceFile(name, ...rest)
  const program = ts.createProgram([PROGRAM], options, host)
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

describe('Kubernetes objects', () => {
  let program: string
  let helm: Helm
  beforeAll(async () => {
    const chart = join(CHECKOUT, 'deploy', 'helm', 'bearing')
    program = await findHelm(join(CHECKOUT, '.bearing', 'helm'))
    helm = new Helm(program, chart)
  }, 60_000)
  const read = (...path: string[]) => readFileSync(join(CHECKOUT, 'deploy', ...path), 'utf8')

  it('of the chart and of deploy/kubernetes have known fields only, of the right types', () => {
    const values = ['minimal', 'production', 'everything'].map((name) => `helm/bearing/ci/${name}.yaml`)
    const rendered = [...values, 'kubernetes/small/bearing-values.yaml'].flatMap((file) =>
      helm.render(read(file)),
    )
    const written = ['namespace', 'valkey', 'cli', 'postgres', 'small/postgres'].flatMap((name) =>
      parseAllDocuments(read('kubernetes', `${name}.yaml`)).map((document) => document.toJS() as Manifest),
    )
    expect(rendered.length).toBeGreaterThan(60)
    expect(mistakesIn([...rendered, ...written])).toEqual([])
  }, 120_000)

  it('of the CronJob in docs/automation.md are linted as a chart, and have known fields only', () => {
    const page = readFileSync(join(CHECKOUT, 'docs', 'automation.md'), 'utf8')
    const blocks = [...page.matchAll(/```yaml\n(apiVersion: .*?)```/gs)].map(([, block = '']) => block)
    expect(blocks).toHaveLength(1)
    const chart = mkdtempSync(join(tmpdir(), 'bearing-cron-job-'))
    try {
      mkdirSync(join(chart, 'templates'))
      writeFileSync(
        join(chart, 'Chart.yaml'),
        'apiVersion: v2\nname: nightly\nversion: 1.2.3\nicon: https://example.com/icon.svg\n',
      )
      writeFileSync(join(chart, 'values.yaml'), '{}\n')
      writeFileSync(join(chart, 'templates', 'nightly.yaml'), blocks.join('---\n'))
      const nightly = new Helm(program, chart)
      expect(nightly.run(['lint', '--strict'])).toMatchObject({ status: 0 })
      const rendered = nightly.render()
      expect(rendered).toMatchObject([{ kind: 'CronJob', metadata: { namespace: 'fleet' } }])
      expect(mistakesIn(rendered)).toEqual([])
    } finally {
      rmSync(chart, { recursive: true })
    }
  }, 120_000)

  it('with a mistyped field, deep inside, are refused by this check', () => {
    const mistyped = JSON.parse(
      JSON.stringify(helm.render()).replaceAll('livenessProbe', 'livenesProbe'),
    ) as Manifest[]
    const mistakes = mistakesIn(mistyped)
    expect(mistakes).toHaveLength(4)
    for (const mistake of mistakes)
      expect(mistake).toContain(`'"livenesProbe"' does not exist in type 'IContainer'`)
  }, 120_000)
})
