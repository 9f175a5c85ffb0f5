import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findOnPath, sourcesOfRelease } from '@bearing/local/debian-package'
import type { ContainerTools } from '@bearing/start/images/container-tools'

/** As in `node:<version>-bookworm-slim`. */
const RELEASE = 'bookworm'
const INCLUDED = 'ca-certificates,libstdc++6'
const SCRIPT = [
  'ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm',
  'ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx',
  'groupadd --gid 1000 node',
  'useradd --uid 1000 --gid node --create-home node',
  'rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/*',
].join(' && ')

/**
 * Makes an image like the one that deploy/Dockerfile names, for machines that reach no registry of images: Debian from its mirror, and
 * the Node of this checkout.
 *
 * @param cache where the file system is kept
 * @returns its name, which changes with what it is made of
 */
export async function localBaseImage(tools: ContainerTools, cache: string): Promise<string> {
  const npm = join(realpathSync((await findOnPath('npm')) ?? ''), '..', '..')
  const { version } = JSON.parse(readFileSync(join(npm, 'package.json'), 'utf8')) as { version: string }
  const trusts = existsSync(AUTHORITIES) ? readFileSync(AUTHORITIES, 'utf8') : ''
  const parts = [RELEASE, INCLUDED, SCRIPT, process.version, version, trusts].join('\n')
  const name = `localhost/bearing-base:${createHash('sha256').update(parts).digest('hex').slice(0, 12)}`
  const existing = await tools.buildah('images', '--quiet', name).catch(() => '')
  if (existing !== '') return name
  const archive = await debian(tools, cache)
  await makeImage(tools, 'scratch', name, async (container) => {
    await tools.buildah('add', container, archive, '/')
    await tools.buildah('copy', container, realpathSync(process.execPath), '/usr/local/bin/node')
    await tools.buildah('copy', container, npm, '/usr/local/lib/node_modules/npm')
    await tools.buildah('run', '--isolation', 'chroot', container, '--', 'sh', '-c', SCRIPT)
    await trustAsHere(tools, container)
  })
  return name
}

/** Makes an image of another one. @param fill changes a container of it */
export async function makeImage(
  tools: ContainerTools,
  from: string,
  name: string,
  fill: (container: string) => Promise<void>,
): Promise<void> {
  const container = await tools.buildah('from', from)
  try {
    await fill(container)
    await tools.buildah('commit', container, name)
  } finally {
    await tools.buildah('rm', container)
  }
}

const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt'

/** The image trusts the authorities of this machine, such as that of a proxy in front of the registry of packages. */
async function trustAsHere(tools: ContainerTools, container: string): Promise<void> {
  if (!existsSync(AUTHORITIES)) return
  await tools.buildah('copy', container, AUTHORITIES, AUTHORITIES)
  for (const variable of ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'])
    await tools.buildah('config', '--env', `${variable}=${AUTHORITIES}`, container)
}

/** The root file system of Debian, as an archive. */
async function debian(tools: ContainerTools, cache: string): Promise<string> {
  const archive = join(cache, `debian-${RELEASE}.tar`)
  if (existsSync(archive)) return archive
  await mkdir(cache, { recursive: true })
  const { name, text } = await sourcesOfRelease(RELEASE)
  const sources = join(cache, name)
  await writeFile(sources, text)
  const unfinished = `${archive}.${String(process.pid)}.tar`
  try {
    const args = ['--mode=root', '--variant=minbase', `--include=${INCLUDED}`, RELEASE, unfinished, sources]
    await tools.mmdebstrap(args, { SOURCE_DATE_EPOCH: '0' })
    execFileSync('mv', [unfinished, archive])
  } finally {
    await rm(unfinished, { force: true })
  }
  return archive
}
