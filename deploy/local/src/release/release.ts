import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findHelm } from '../chart/helm.js'
import { baseOf, commitOf, IMAGES, labelsOf, type Build } from '../images/build-images.js'
import { findContainerTools, whyNoContainers } from '../images/container-tools.js'
import { notesOf } from './changelog.js'
import { makeImages, makeRelease } from './make-release.js'
import { publishScript } from './publish-script.js'
import { versionOf } from './version-places.js'

const CHECKOUT = join(import.meta.dirname, '..', '..', '..', '..')
const HELP = `pnpm release [options]

Writes a release of this commit into a folder: images as an OCI layout, the chart, the command line, the Terraform provider,
the libraries and checksums.
Publishes nothing: publish.sh in the folder has the commands, which also sign, and write a bill of materials of each image.

  --images           make the images alone, for the architecture of this machine
  --dry-run          show what would be made, and what stands in the way
  --registry <path>  where images will be, such as registry.example.com/bearing
  --source <url>     where the source can be found (default: the remote "origin")
  --base <image>     image to build on, with its digest (default: that of deploy/Dockerfile)
  --out <folder>     (default: release)
`

const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    images: { type: 'boolean', default: false },
    registry: { type: 'string', default: 'registry.example.com/bearing' },
    source: { type: 'string' },
    base: { type: 'string' },
    out: { type: 'string', default: 'release' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
const say = (line: string) => process.stdout.write(`${line}\n`)
const version = versionOf(CHECKOUT)
const source = values.source ?? origin()
const build: Build = {
  checkout: CHECKOUT,
  version,
  commit: commitOf(CHECKOUT),
  ...(source !== undefined && { source }),
  ...(values.base !== undefined && { base: values.base }),
}
const out = resolve(values.out)

if (values.help) say(HELP)
else if (values['dry-run']) show()
else await make()

async function make(): Promise<void> {
  const problems = problemsOf()
  if (problems.length > 0) {
    process.stderr.write(`${problems.join('\n')}\n`)
    process.exit(1)
  }
  // A storage of its own: layers of an earlier commit have that commit's time in them.
  const cache = join(CHECKOUT, '.bearing', 'release')
  await rm(cache, { recursive: true, force: true })
  const tools = await findContainerTools(cache)
  if (values.images) {
    await makeImages(tools, { build, out }, say)
    await rm(cache, { recursive: true, force: true })
    return
  }
  const notes = notesOf(readFileSync(join(CHECKOUT, 'CHANGELOG.md'), 'utf8'), version)
  const helm = await findHelm(join(CHECKOUT, '.bearing', 'helm'))
  await makeRelease(tools, { build, registry: values.registry, notes, out, helm }, say)
  await rm(cache, { recursive: true, force: true })
  say(`\nTo publish it, run ${join(out, 'publish.sh')}:\n\n${readFileSync(join(out, 'publish.sh'), 'utf8')}`)
}

/** Returns the problems that prevent a release. */
function problemsOf(): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: CHECKOUT, encoding: 'utf8' }).trim()
  const problems: string[] = []
  const containers = whyNoContainers()
  if (containers !== undefined) problems.push(`Images cannot be built here: ${containers}.`)
  if (git('status', '--porcelain') !== '') problems.push('The checkout has changes that are not committed.')
  if (!git('tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`))
    problems.push(`The commit is not tagged: git tag v${version}`)
  try {
    notesOf(readFileSync(join(CHECKOUT, 'CHANGELOG.md'), 'utf8'), version)
  } catch (error) {
    problems.push((error as Error).message)
  }
  if (!/@sha256:[0-9a-f]{64}$/.test(build.base ?? baseOf(CHECKOUT)))
    problems.push('The base image has no digest: give one with --base <image>@sha256:…')
  if (source === undefined) problems.push('Nothing says where the source is: give --source <url>')
  if (existsSync(out)) problems.push(`${out} exists: give another folder with --out, or remove it.`)
  return problems
}

function show(): void {
  say(`Bearing ${version}, commit ${build.commit.revision}\n`)
  say(`Images, on ${build.base ?? baseOf(CHECKOUT)}:`)
  for (const name of IMAGES) say(`  ${values.registry}/bearing-${name}:${version}`)
  say('\nLabels:')
  for (const [label, value] of Object.entries(labelsOf(build))) say(`  ${label}=${value}`)
  say(`\nFiles in ${out}:`)
  const files = [
    'images/',
    `bearing-${version}.tgz`,
    `bearing-cli-${version}.tgz`,
    `bearing-client-${version}.tgz`,
    `bearing-client-nats-${version}.tgz`,
    `bearing-nestjs-${version}.tgz`,
    `bearing-terraform-provider-${version}.tgz`,
    `bearing-${version}-linux-x64`,
    `bearing-${version}-linux-arm64`,
    'SHA256SUMS',
    'notes.md',
    'publish.sh',
  ]
  for (const file of files) say(`  ${file}`)
  say('\nTo publish it, publish.sh will contain:\n')
  say(publishScript({ version, registry: values.registry, files: ['…'] }))
  const problems = problemsOf()
  say(problems.length === 0 ? 'Nothing stands in the way.' : 'Before a release can be made:')
  for (const problem of problems) say(`  ${problem}`)
}

function origin(): string | undefined {
  try {
    const url = execFileSync('git', ['remote', 'get-url', 'origin'], {
      cwd: CHECKOUT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    // A user or token in the URL is nobody else's business.
    return url.trim().replace(/\/\/[^@/]*@/, '//')
  } catch {
    return undefined
  }
}
