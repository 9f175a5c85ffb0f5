import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findHelm } from '@bearing/start/chart/helm'
import { localBaseImage } from './base-image.js'
import { IMAGES, commitOf, type Build } from '@bearing/start/images/build-images'
import { findContainerTools, type ContainerTools } from '@bearing/start/images/container-tools'
import { makeRelease } from '@bearing/start/release/make-release'
import { versionOf } from '@bearing/start/release/version-places'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { describeWithContainers } from './describe-with-containers.js'
import { ROOT } from '../tools/root.js'

const CACHE = join(ROOT, '.bearing', 'containers')
const REGISTRY = 'registry.example.com/bearing'
const SOURCE = 'https://example.com/bearing'
/** The first build fetches every package. */
const BUILD_MS = 40 * 60_000
const TARGET = `${process.platform}-${process.arch}`
const version = versionOf(ROOT)

describe('pnpm release', () => {
  const script = join(ROOT, 'deploy', 'local', 'dist', 'release', 'release.js')
  const folder = mkdtempSync(join(tmpdir(), 'bearing-dry-run-'))
  afterAll(() => {
    rmSync(folder, { recursive: true })
  })

  it('--dry-run shows everything that it would make and publish, and makes nothing', () => {
    const args = [script, '--dry-run', '--registry', REGISTRY, '--out', join(folder, 'out')]
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect(status).toBe(0)
    for (const name of IMAGES) {
      expect(stdout).toContain(`${REGISTRY}/bearing-${name}:${version}`)
      expect(stdout).toContain(
        `buildah manifest add bearing-${name} oci:images-arm64:bearing-${name}-${version}`,
      )
    }
    for (const text of [
      'helm push',
      'npm publish',
      'gh release create',
      'cosign sign',
      'syft scan',
      'node:24',
    ])
      expect(stdout).toContain(text)
    expect(readdirSync(folder)).toEqual([])
  })
})

describeWithContainers('a release', () => {
  let tools: ContainerTools
  let folder: string
  let out: string
  let build: Build

  beforeAll(async () => {
    tools = await findContainerTools(CACHE)
    const base = await localBaseImage(tools, CACHE)
    folder = mkdtempSync(join(tmpdir(), 'bearing-release-'))
    out = join(folder, 'out')
    build = { checkout: ROOT, version, commit: commitOf(ROOT), base, source: SOURCE }
    const helm = await findHelm(join(ROOT, '.bearing', 'helm'))
    const packed = { commandLines: ['npm'], terraformTargets: [TARGET] }
    const release = { build, registry: REGISTRY, notes: '- News.', out, helm, ...packed }
    await makeRelease(tools, release, () => undefined)
  }, BUILD_MS)

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
  })

  const text = (...path: string[]) => readFileSync(join(out, ...path), 'utf8')
  const blob = (digest: string) => text('images', 'blobs', ...digest.split(':'))
  const digestOf = (name: string) => {
    const index = JSON.parse(text('images', 'index.json')) as {
      manifests: { digest: string; annotations: Record<string, string> }[]
    }
    return index.manifests.find(
      ({ annotations }) => annotations['org.opencontainers.image.ref.name'] === `bearing-${name}-${version}`,
    )?.digest
  }

  it.each(IMAGES)('labels the image %s with where it comes from, and runs it as uid 1000', (name) => {
    const manifest = JSON.parse(blob(digestOf(name) ?? '')) as { config: { digest: string } }
    const { config } = JSON.parse(blob(manifest.config.digest)) as {
      config: { User: string; Labels: Record<string, string> }
    }
    expect(config.User).toBe('1000')
    const { revision, time } = build.commit
    const label = (key: string) => config.Labels[`org.opencontainers.image.${key}`]
    expect({
      title: label('title'),
      version: label('version'),
      revision: label('revision'),
      source: label('source'),
      licenses: label('licenses'),
      base: label('base.name'),
    }).toEqual({
      title: `bearing-${name}`,
      version,
      revision,
      source: SOURCE,
      licenses: 'Apache-2.0',
      base: build.base,
    })
    expect(Date.parse(label('created') ?? '')).toBe(time * 1000)
  })

  it('packs the chart with the version, the command line, and the libraries', () => {
    const show = ['show', 'chart', join(out, `bearing-${version}.tgz`)]
    const helm = globSync(join(ROOT, '.bearing', 'helm', '*', 'helm'))[0] ?? 'helm'
    const chart = parse(execFileSync(helm, show, { encoding: 'utf8' })) as Record<string, string>
    expect(chart).toMatchObject({ name: 'bearing', version, appVersion: version })
    const packed = ['show', 'values', join(out, `bearing-${version}.tgz`)]
    expect(execFileSync(helm, packed, { encoding: 'utf8' })).toContain(`\n  registry: ${REGISTRY}\n`)
    for (const name of ['cli', 'client', 'client-nats'])
      expect(existsSync(join(out, `bearing-${name}-${version}.tgz`))).toBe(true)
  })

  it('packs the Terraform provider in the layout of a mirror', () => {
    const archive = join(out, `bearing-terraform-provider-${version}.tgz`)
    const files = execFileSync('tar', ['--list', '--file', archive], { encoding: 'utf8' }).split('\n')
    const folder = `./registry.terraform.io/bearing/bearing/${version}/${TARGET.replace('-', '_').replace('x64', 'amd64')}`
    expect(files).toContain(`${folder}/terraform-provider-bearing_v${version}`)
    expect(files).toContain('./TERRAFORM-THIRD-PARTY-NOTICES.txt')
  })

  it('has images whose layouts of two architectures become one', async () => {
    const list = `bearing-two-${String(process.pid)}`
    const layout = `oci:${join(out, 'images')}:bearing-migrate-${version}`
    const joined = `oci:${join(folder, 'joined')}:migrate`
    await tools.buildah('manifest', 'create', list)
    await tools.buildah('manifest', 'add', list, layout)
    await tools.buildah('manifest', 'add', '--arch', 'arm64', list, layout)
    await tools.buildah('manifest', 'push', '--all', '--digestfile', join(folder, 'digest'), list, joined)
    await tools.buildah('manifest', 'rm', list)
    const [, hex = ''] = readFileSync(join(folder, 'digest'), 'utf8').trim().split(':')
    const index = readFileSync(join(folder, 'joined', 'blobs', 'sha256', hex), 'utf8')
    const { manifests } = JSON.parse(index) as { manifests: { digest: string }[] }
    expect(manifests.map(({ digest }) => digest)).toContain(digestOf('migrate'))
  })

  it('writes checksums of every file that is handed out, and how to publish them', () => {
    const sums = text('SHA256SUMS')
    const lines = sums.trim().split('\n')
    for (const line of lines) {
      const [sum, file = ''] = line.split('  ')
      const bytes = readFileSync(join(out, file))
      expect([file, createHash('sha256').update(bytes).digest('hex')]).toEqual([file, sum])
    }
    const handedOut = globSync('*.tgz', { cwd: out })
    // The chart, the command line, the Terraform provider and three client libraries.
    expect(handedOut.length).toBe(6)
    for (const file of handedOut) expect(sums).toContain(`  ${file}\n`)
    const script = text('publish.sh')
    for (const name of IMAGES)
      expect(script).toContain(`cosign sign --yes --recursive ${REGISTRY}/bearing-${name}@$digest`)
    expect(execFileSync('sh', ['-n', join(out, 'publish.sh')], { encoding: 'utf8' })).toBe('')
  })
})
