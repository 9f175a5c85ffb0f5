import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IMAGES } from '@bearing/start/images/build-images'
import { versionOf } from '@bearing/start/release/version-places'
import { afterAll, describe, expect, it } from '@jest/globals'
import { REGISTRY } from './built.js'
import { ROOT } from '../tools/root.js'

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
