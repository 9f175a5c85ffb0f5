import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ContainerTools } from './container-tools.js'

/** Targets of deploy/Dockerfile that are published, each as `bearing-<name>`. */
export const IMAGES = ['gateway', 'identity', 'management', 'location', 'one', 'migrate', 'cli'] as const
export type ImageName = (typeof IMAGES)[number]

/** Sources of the images. */
export interface Build {
  readonly checkout: string
  readonly version: string
  readonly commit: Commit
  /** URL of the source; undefined: it has none yet. */
  readonly source?: string
  /** Image to build on (default: the one that deploy/Dockerfile names). */
  readonly base?: string
}

/** The commit that is built. */
export interface Commit {
  readonly revision: string
  /** Seconds since 1970: the time of every file in the layers. */
  readonly time: number
}

/** The commit that the checkout is at. */
export function commitOf(checkout: string): Commit {
  const text = execFileSync('git', ['log', '-1', '--format=%H %ct'], { cwd: checkout, encoding: 'utf8' })
  const [revision = '', time] = text.trim().split(' ')
  return { revision, time: Number(time) }
}

/** The image that deploy/Dockerfile builds on: `name:tag@sha256:…`. */
export function baseOf(checkout: string): string {
  const dockerfile = readFileSync(join(checkout, 'deploy', 'Dockerfile'), 'utf8')
  return /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile)?.[1] ?? ''
}

/** Labels that the Dockerfile cannot know (OCI image specification, annotations). */
export function labelsOf({ checkout, version, commit, source, base }: Build): Record<string, string> {
  const [name = '', digest] = (base ?? baseOf(checkout)).split('@')
  return {
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.revision': commit.revision,
    'org.opencontainers.image.created': new Date(commit.time * 1000).toISOString().replace('.000', ''),
    ...(source !== undefined && { 'org.opencontainers.image.source': source }),
    'org.opencontainers.image.base.name': name,
    ...(digest !== undefined && { 'org.opencontainers.image.base.digest': digest }),
  }
}

/** So many layers are those of two builds: then the older is removed, except what has a name. */
const LAYERS_KEPT = 60

/**
 * Builds images of deploy/Dockerfile, as `localhost/bearing-<name>:<version>`. Stages that have not changed come from the storage of
 * the tools, which keeps the last builds only.
 */
export async function buildImages(
  tools: ContainerTools,
  names: readonly ImageName[],
  build: Build,
): Promise<void> {
  const layers = await tools.buildah('images', '--all', '--quiet')
  if (layers.split('\n').length > LAYERS_KEPT) await tools.buildah('rmi', '--prune', '--force')
  await buildTarget(tools, 'packages', 'localhost/bearing-packages:latest', build)
  for (const name of names) await buildTarget(tools, name, imageOf(name, build), build)
}

/** The name of an image in the storage of the tools. */
export function imageOf(name: ImageName, { version }: Build): string {
  return `localhost/bearing-${name}:${version}`
}

async function buildTarget(tools: ContainerTools, target: string, tag: string, build: Build): Promise<void> {
  const labels = Object.entries(labelsOf(build)).flatMap(([key, value]) => ['--label', `${key}=${value}`])
  await tools.buildah(
    ...['build', '--isolation', 'chroot', '--network', 'host', '--layers', '--format', 'oci', '--quiet'],
    ...['--timestamp', String(build.commit.time), ...(target === 'packages' ? [] : labels)],
    ...(build.base === undefined ? [] : ['--build-arg', `NODE_IMAGE=${build.base}`]),
    ...[
      '--file',
      join(build.checkout, 'deploy', 'Dockerfile'),
      '--target',
      target,
      '--tag',
      tag,
      build.checkout,
    ],
  )
}
