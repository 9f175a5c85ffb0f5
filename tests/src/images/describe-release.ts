import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IMAGES } from '@bearing/start/images/build-images'
import { versionOf } from '@bearing/start/release/version-places'
import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { REGISTRY, TARGET, type Built } from './built.js'
import { ROOT } from '../tools/root.js'

const version = versionOf(ROOT)

/** Tests what a release consists of. */
export function describeRelease(built: Built): void {
  describe('a release', () => {
    const text = (...path: string[]) => readFileSync(join(built.out, ...path), 'utf8')
    const blob = (digest: string) => text('images', 'blobs', ...digest.split(':'))
    const digestOf = (name: string) => {
      const index = JSON.parse(text('images', 'index.json')) as {
        manifests: { digest: string; annotations: Record<string, string> }[]
      }
      return index.manifests.find(
        ({ annotations }) =>
          annotations['org.opencontainers.image.ref.name'] === `bearing-${name}-${version}`,
      )?.digest
    }

    it.each(IMAGES)('labels the image %s with where it comes from, and runs it as uid 1000', (name) => {
      const manifest = JSON.parse(blob(digestOf(name) ?? '')) as { config: { digest: string } }
      const { config } = JSON.parse(blob(manifest.config.digest)) as {
        config: { User: string; Labels: Record<string, string> }
      }
      expect(config.User).toBe('1000')
      const { revision, time } = built.build.commit
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
        source: built.build.source,
        licenses: 'Apache-2.0',
        base: built.build.base,
      })
      expect(Date.parse(label('created') ?? '')).toBe(time * 1000)
    })

    it('packs the chart with the version, the command line, and the libraries', () => {
      const show = ['show', 'chart', join(built.out, `bearing-${version}.tgz`)]
      const chart = parse(execFileSync(built.helm, show, { encoding: 'utf8' })) as Record<string, string>
      expect(chart).toMatchObject({ name: 'bearing', version, appVersion: version })
      const packed = ['show', 'values', join(built.out, `bearing-${version}.tgz`)]
      expect(execFileSync(built.helm, packed, { encoding: 'utf8' })).toContain(`\n  registry: ${REGISTRY}\n`)
      for (const name of ['cli', 'client', 'client-nats'])
        expect(existsSync(join(built.out, `bearing-${name}-${version}.tgz`))).toBe(true)
    })

    it('packs the Terraform provider in the layout of a mirror', () => {
      const archive = join(built.out, `bearing-terraform-provider-${version}.tgz`)
      const files = execFileSync('tar', ['--list', '--file', archive], { encoding: 'utf8' }).split('\n')
      const folder = `./registry.terraform.io/bearing/bearing/${version}/${TARGET.replace('-', '_').replace('x64', 'amd64')}`
      expect(files).toContain(`${folder}/terraform-provider-bearing_v${version}`)
      expect(files).toContain('./TERRAFORM-THIRD-PARTY-NOTICES.txt')
    })

    it('has images whose layouts of two architectures become one', async () => {
      const list = `bearing-two-${String(process.pid)}`
      const layout = `oci:${join(built.out, 'images')}:bearing-migrate-${version}`
      const joined = `oci:${join(built.out, 'joined')}:migrate`
      await built.tools.buildah('manifest', 'create', list)
      await built.tools.buildah('manifest', 'add', list, layout)
      await built.tools.buildah('manifest', 'add', '--arch', 'arm64', list, layout)
      const digestFile = join(built.out, 'digest')
      await built.tools.buildah('manifest', 'push', '--all', '--digestfile', digestFile, list, joined)
      await built.tools.buildah('manifest', 'rm', list)
      const [, hex = ''] = readFileSync(digestFile, 'utf8').trim().split(':')
      const index = readFileSync(join(built.out, 'joined', 'blobs', 'sha256', hex), 'utf8')
      const { manifests } = JSON.parse(index) as { manifests: { digest: string }[] }
      expect(manifests.map(({ digest }) => digest)).toContain(digestOf('migrate'))
    })

    it('writes checksums of every file that is handed out, and how to publish them', () => {
      const sums = text('SHA256SUMS')
      const lines = sums.trim().split('\n')
      for (const line of lines) {
        const [sum, file = ''] = line.split('  ')
        const bytes = readFileSync(join(built.out, file))
        expect([file, createHash('sha256').update(bytes).digest('hex')]).toEqual([file, sum])
      }
      const handedOut = globSync('*.tgz', { cwd: built.out })
      // The chart, the command line, the Terraform provider and three client libraries.
      expect(handedOut.length).toBe(6)
      for (const file of handedOut) expect(sums).toContain(`  ${file}\n`)
      const script = text('publish.sh')
      for (const name of IMAGES)
        expect(script).toContain(`cosign sign --yes --recursive ${REGISTRY}/bearing-${name}@$digest`)
      expect(execFileSync('sh', ['-n', join(built.out, 'publish.sh')], { encoding: 'utf8' })).toBe('')
    })
  })
}
