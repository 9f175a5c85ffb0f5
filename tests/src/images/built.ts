import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findHelm } from '@bearing/start/chart/helm'
import { commitOf, type Build } from '@bearing/start/images/build-images'
import { findContainerTools, type ContainerTools } from '@bearing/start/images/container-tools'
import { makeRelease } from '@bearing/start/release/make-release'
import { versionOf } from '@bearing/start/release/version-places'
import { localBaseImage } from './base-image.js'
import { ROOT } from '../tools/root.js'

export const CACHE = join(ROOT, '.bearing', 'containers')
export const REGISTRY = 'registry.example.com/bearing'
/** Of the machine, as forms of the command line and of the Terraform provider are named. */
export const TARGET = `${process.platform}-${process.arch}`

/** A release of the checkout, whose images all tests use: building them takes minutes. */
export interface Built extends AsyncDisposable {
  readonly tools: ContainerTools
  readonly build: Build
  /** Folder of the release. */
  readonly out: string
  readonly helm: string
}

/** Makes a release for the architecture of this machine. */
export async function buildOnce(): Promise<Built> {
  const tools = await findContainerTools(CACHE)
  const base = await localBaseImage(tools, CACHE)
  const source = 'https://example.com/bearing'
  const build: Build = { checkout: ROOT, version: versionOf(ROOT), commit: commitOf(ROOT), base, source }
  const helm = await findHelm(join(ROOT, '.bearing', 'helm'))
  const out = mkdtempSync(join(tmpdir(), 'bearing-release-'))
  const packed = { commandLines: ['npm'], terraformTargets: [TARGET] }
  const release = { build, registry: REGISTRY, notes: '- News.', out, helm, ...packed }
  await makeRelease(tools, release, () => undefined)
  return { tools, build, out, helm, [Symbol.asyncDispose]: () => rm(out, { recursive: true }) }
}
