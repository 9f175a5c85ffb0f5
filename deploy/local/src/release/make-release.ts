import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildImages, imageOf, IMAGES, type Build } from '../images/build-images.js'
import type { ContainerTools } from '../images/container-tools.js'
import { publishScript } from './publish-script.js'

/** Parts and options of a release. */
export interface Release {
  readonly build: Build
  /** Registry and path of the images: `registry.example.com/bearing`. */
  readonly registry: string
  /** Notes for users, as Markdown. */
  readonly notes: string
  /** Folder that it is written to. */
  readonly out: string
  /** Forms of the command line (default: all that this machine can make). */
  readonly commandLines?: readonly string[]
  /** Targets of the Terraform provider, such as `linux-x64` (default: all that this machine can make). */
  readonly terraformTargets?: readonly string[]
  /** The program `helm`. */
  readonly helm: string
}

/** Takes what happens, one line at a time. */
export type Say = (line: string) => void

/** Writes a release into a folder: images, chart, command line, Terraform provider, libraries, checksums, and the script that publishes them. */
export async function makeRelease(tools: ContainerTools, release: Release, say: Say): Promise<void> {
  const { build, out } = release
  mkdirSync(out, { recursive: true })
  await makeImages(tools, release, say)
  packChart(release, say)
  packCommandLine(release, say)
  packTerraformProvider(release, say)
  packClients(release, say)
  const write = (name: string, text: string) => {
    writeFileSync(join(out, name), text)
  }
  write('notes.md', `${release.notes}\n`)
  const files = globSync('bearing-*', { cwd: out }).toSorted()
  const sums = files.map((file) => `${sha256(join(out, file))}  ${file}\n`).join('')
  write('SHA256SUMS', sums)
  const destination = { version: build.version, registry: release.registry, files }
  write('publish.sh', publishScript(destination))
  chmodSync(join(out, 'publish.sh'), 0o755)
  say(`${String(files.length)} files with checksums in ${out}`)
}

/** Builds the images, for the architecture of this machine, into one OCI layout. */
export async function makeImages(
  tools: ContainerTools,
  { build, out }: Pick<Release, 'build' | 'out'>,
  say: Say,
): Promise<void> {
  mkdirSync(out, { recursive: true })
  await buildImages(tools, IMAGES, build)
  for (const name of IMAGES) {
    const image = imageOf(name, build)
    const digestFile = join(out, 'digest')
    const layout = `oci:${join(out, 'images')}:bearing-${name}-${build.version}`
    await tools.buildah('push', '--quiet', '--format', 'oci', '--digestfile', digestFile, image, layout)
    const digest = readFileSync(digestFile, 'utf8').trim()
    execFileSync('rm', [digestFile])
    say(`bearing-${name} ${digest}`)
  }
}

/** Packs the chart, whose default of `image.registry` is where the images of this release will be. */
function packChart({ build, out, helm, registry }: Release, say: Say): void {
  const { checkout, version } = build
  const folder = mkdtempSync(join(tmpdir(), 'bearing-chart-'))
  const chart = join(folder, 'bearing')
  cpSync(join(checkout, 'deploy', 'helm', 'bearing'), chart, { recursive: true })
  const values = readFileSync(join(chart, 'values.yaml'), 'utf8')
  writeFileSync(join(chart, 'values.yaml'), values.replace(/^( {2}registry: )''$/m, `$1${registry}`))
  const versions = ['--version', version, '--app-version', version]
  execFileSync(helm, ['package', chart, '--destination', out, ...versions], { stdio: 'pipe' })
  rmSync(folder, { recursive: true })
  say(`chart bearing-${version}.tgz`)
}

function packCommandLine({ build, out, commandLines = [] }: Release, say: Say): void {
  const only = commandLines.flatMap((form) => ['--only', form])
  const script = join(build.checkout, 'apps', 'cli', 'pack.mjs')
  execFileSync(process.execPath, [script, '--out', out, ...only], { stdio: 'pipe' })
  for (const name of ['LICENSE', 'NOTICE']) copyFileSync(join(build.checkout, name), join(out, name))
  say('command line')
}

/** Packs executables in the layout of a mirror, so that they are extracted to where Terraform looks. */
function packTerraformProvider({ build, out, terraformTargets = [] }: Release, say: Say): void {
  const only = terraformTargets.flatMap((target) => ['--only', target])
  const script = join(build.checkout, 'apps', 'terraform-provider', 'pack.mjs')
  const folder = join(out, 'terraform')
  execFileSync(process.execPath, [script, '--out', folder, ...only], { stdio: 'pipe' })
  const archive = join(out, `bearing-terraform-provider-${build.version}.tgz`)
  execFileSync('tar', ['--create', '--gzip', '--file', archive, '--directory', folder, '.'])
  rmSync(folder, { recursive: true })
  say('Terraform provider')
}

function packClients({ build, out }: Release, say: Say): void {
  const script = join(build.checkout, 'deploy', 'pack-clients.mjs')
  const source = build.source === undefined ? [] : ['--source', build.source]
  execFileSync(process.execPath, [script, '--out', out, ...source], { stdio: 'pipe' })
  say('libraries')
}

function sha256(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
