import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Helm, named, ofKind, type Manifest } from '@bearing/start/chart/testing/render'
import { buildImages, imageOf } from '@bearing/start/images/build-images'
import { eventually } from '@bearing/testing/eventually'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import type { Built } from './built.js'
import { Cluster } from './cluster.js'
import { Pods, type PodSpec } from './pods.js'
import { ROOT } from '../tools/root.js'

/** Each pod is on a host of its name. */
const SERVICES = { gw: 'gateway', id: 'identity', mg: 'management', loc: 'location' } as const
/** A busy machine takes its time to start four processes. */
const READY = { withinMs: 120_000 }
const PASSWORD = 'correct horse battery'

/** Tests the images as pods of the chart, and that they are reproducible. */
export function describePods(built: Built): void {
  describe('images of deploy/Dockerfile', () => {
    let helm: Helm
    let values: object
    let manifests: readonly Manifest[]
    const started: AsyncDisposable[] = []
    let cluster: Cluster
    let pods: Pods

    beforeAll(async () => {
      cluster = await Cluster.start([...Object.keys(SERVICES), 'one', 'mig', 'cli'])
      started.push(cluster)
      helm = new Helm(built.helm, join(ROOT, 'deploy', 'helm', 'bearing'))
      values = {
        image: { registry: 'localhost' },
        nats: { url: cluster.natsUrl },
        // One process each, one NATS server.
        redis: { enabled: false, acceptLimitsPerProcess: true },
        identity: { settings: { STREAM_REPLICAS: 1 } },
      }
      manifests = helm.render(values)
      pods = await Pods.open(built.tools, cluster.hosts, cluster.secrets)
      started.push(pods)
    })

    afterAll(async () => {
      for (const part of started.toReversed()) await part[Symbol.asyncDispose]()
    })

    const specOf = (service: string): PodSpec => named(manifests, 'Deployment', service).spec.template.spec

    it('start as the pods of the chart, alive immediately and not ready before the migration', async () => {
      for (const [host, service] of Object.entries(SERVICES)) await pods.start(host, specOf(service))
      for (const [host, service] of Object.entries(SERVICES))
        await eventually(async () => {
          expect([service, await pods.probe(host, specOf(service), 'livenessProbe')]).toEqual([service, 200])
        }, READY)
      for (const host of ['id', 'mg', 'loc'] as const)
        expect([host, await pods.probe(host, specOf(SERVICES[host]), 'readinessProbe')]).toEqual([host, 503])
    })

    it('are ready once the Job of the chart has migrated the database', async () => {
      const [job] = ofKind(manifests, 'Job')
      await pods.start('mig', job?.spec.template.spec ?? { containers: [] })
      expect(await pods.ended('mig', 'migrate')).toMatchObject({ code: 0 })
      for (const [host, service] of Object.entries(SERVICES))
        await eventually(async () => {
          expect([service, await pods.probe(host, specOf(service), 'readinessProbe')]).toEqual([service, 200])
        }, READY)
    })

    it.each(Object.entries(SERVICES))(
      'confine %s: uid 1000, no capabilities, a read-only root',
      async (host, service) => {
        expect(await pods.confinementOf(host, service)).toEqual({
          uid: '1000',
          capabilities: '0'.repeat(48),
          mayGainPrivileges: false,
          isRootReadOnly: true,
        })
        const write =
          "try { require('fs').writeFileSync('/bearing/x', '') } catch (error) { console.log(error.code) }"
        expect(await pods.exec(host, service, 'node', '-e', write)).toBe('EROFS')
      },
    )

    it('let an operator make the first user with the image of the command line, who then creates an organization', async () => {
      const manifest = parse(readFileSync(join(ROOT, 'deploy', 'kubernetes', 'cli.yaml'), 'utf8')) as {
        spec: PodSpec
      }
      const [container] = manifest.spec.containers
      if (!container) throw new Error('cli.yaml has no container')
      const env = container.env.map((variable) =>
        variable.name === 'BEARING_NATS_URL' ? { name: variable.name, value: cluster.natsUrl } : variable,
      )
      await pods.start('cli', {
        ...manifest.spec,
        containers: [{ ...container, image: imageOf('cli', built.build), env }],
      })
      const bearing = (command: string) =>
        pods.exec('cli', 'cli', 'sh', '-c', `echo '${PASSWORD}' | node dist/main.js ${command}`)
      const user = 'you@example.com'
      expect(await bearing(`admin bootstrap --email ${user}`)).toContain(user)
      const url = pods.urlOf('gw', 8080)
      const created = await pods.exec(
        ...[
          'cli',
          'cli',
          'env',
          `BEARING_URL=${url}`,
          `BEARING_EMAIL=${user}`,
          `BEARING_PASSWORD=${PASSWORD}`,
        ],
        ...['node', 'dist/main.js', '--json', 'organizations', 'create', 'Acme', '--slug', 'acme'],
      )
      expect(JSON.parse(created)).toMatchObject({ slug: 'acme' })
    })

    it('run gateway and services in one container too, as the preset `small` of the chart says', async () => {
      const small = named(helm.render({ ...values, one: { enabled: true } }), 'Deployment', 'one').spec
        .template.spec
      await pods.start('one', small)
      await eventually(async () => {
        expect(await pods.probe('one', small, 'readinessProbe')).toBe(200)
      }, READY)
    })

    it.each(['gw', 'one'])(
      'serve the dashboard, the API reference and the documentation, on %s',
      async (host) => {
        for (const path of [
          '/sign-in',
          '/openapi.json',
          '/docs',
          '/docs/api',
          '/docs/errors/route_not_found',
          '/app/third-party-notices.txt',
          '/docs/third-party-notices.txt',
        ]) {
          const { status } = await fetch(pods.urlOf(host, 8080) + path)
          expect([path, status]).toEqual([path, 200])
        }
      },
    )

    it('are the same from another folder whose files have other times and group permissions, compiled again', async () => {
      const format = ['--type', 'image', '--format', '{{.FromImageDigest}}']
      const digest = () => built.tools.buildah('inspect', ...format, imageOf('gateway', built.build))
      const first = await digest()
      const checkout = mkdtempSync(join(tmpdir(), 'bearing-again-'))
      try {
        copyContext(checkout)
        await buildImages(built.tools, ['gateway'], { ...built.build, checkout })
      } finally {
        rmSync(checkout, { recursive: true })
      }
      expect(await digest()).toBe(first)
    })
  })
}

/** Copies what images are built from. The stage that compiles begins with one more layer, so that those of the first build do not fit. */
function copyContext(to: string): void {
  const copy =
    'tar --create --exclude-from=.dockerignore . | tar --extract --touch --directory "$1" && chmod --recursive g+w "$1"'
  execFileSync('sh', ['-c', copy, 'sh', to], { cwd: ROOT })
  const file = join(to, 'deploy', 'Dockerfile')
  const stage = 'FROM packages AS build\n'
  const dockerfile = readFileSync(file, 'utf8')
  expect(dockerfile).toContain(stage)
  writeFileSync(file, dockerfile.replace(stage, `${stage}RUN date\n`))
}
