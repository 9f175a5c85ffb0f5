import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Build, ImageName } from '../images/build-images.js'
import type { ContainerTools } from '../images/container-tools.js'

/** A component of CycloneDX, as far as it is looked at here. */
export interface Component {
  readonly type: string
  readonly name: string
  readonly group?: string
  readonly version: string
  readonly purl: string
  readonly 'bom-ref': string
}

/** A software bill of materials: CycloneDX 1.6. */
export interface Sbom {
  readonly serialNumber: string
  readonly metadata: { readonly timestamp: string; readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
}

/** The packages of an image that no lock file knows: those of Debian, and what came with Node. */
interface BaseContent {
  readonly release: string
  readonly packages: readonly {
    readonly name: string
    readonly version: string
    readonly architecture: string
  }[]
  readonly modules: readonly { readonly name: string; readonly version: string }[]
  readonly node: string
}

/**
 * Lists what is in an image: its npm packages with their hashes, by pnpm from the lock file, and the content of its base image. The same
 * commit on the same base gives the same text.
 *
 * @param image its name in the storage of the tools
 * @param digest of its manifest: `sha256:…`
 */
export async function sbomOf(
  tools: ContainerTools,
  name: ImageName,
  image: string,
  digest: string,
  build: Build,
): Promise<string> {
  const locked = await npmSbom(build.checkout, name === 'migrate' ? 'prisma' : name)
  const { base, present } = await withRootOf(tools, image, (root) => ({
    base: readBase(root),
    present: packagesIn(root),
  }))
  const npm = restrictTo(locked, present)
  const application = npm.metadata.component
  const purl = `pkg:oci/bearing-${name}@${digest.replace(':', '%3A')}`
  const container = {
    type: 'container',
    name: `bearing-${name}`,
    version: build.version,
    purl,
    'bom-ref': purl,
    hashes: [{ alg: 'SHA-256', content: digest.replace('sha256:', '') }],
  }
  const ofBase = componentsOf(base)
  const timestamp = new Date(build.commit.time * 1000).toISOString()
  const sbom: Sbom = {
    ...npm,
    serialNumber: uuidOf(purl),
    metadata: { ...npm.metadata, timestamp, component: container },
    components: [application, ...npm.components, ...ofBase],
    dependencies: [
      { ref: purl, dependsOn: [application, ...ofBase].map(({ 'bom-ref': ref }) => ref) },
      ...npm.dependencies,
      ...ofBase.map(({ 'bom-ref': ref }) => ({ ref })),
    ],
  }
  return `${JSON.stringify(sbom, undefined, 2)}\n`
}

/** npm packages of an image, as `name@version`: those of its program, not those that came with Node. */
export function packagesIn(root: string): Set<string> {
  const pattern = 'bearing/node_modules/.pnpm/*/node_modules/{*,@*/*}/package.json'
  const manifests = globSync(pattern, { cwd: root }).map(
    (path) => JSON.parse(readFileSync(join(root, path), 'utf8')) as { name: string; version: string },
  )
  return new Set(manifests.map(({ name, version }) => `${name}@${version}`))
}

/** `name@version` of a component. */
export function packageOf({ group, name, version }: Component): string {
  return `${group === undefined ? '' : `${group}/`}${name}@${version}`
}

/** Leaves out what the lock file has for other platforms, or for development. */
function restrictTo(sbom: Sbom, present: ReadonlySet<string>): Sbom {
  const components = sbom.components.filter((component) => present.has(packageOf(component)))
  const refs = new Set([sbom.metadata.component, ...components].map(({ 'bom-ref': ref }) => ref))
  const dependencies = sbom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }))
  return { ...sbom, components, dependencies }
}

async function npmSbom(checkout: string, app: string): Promise<Sbom> {
  const folder = await mkdtemp(join(tmpdir(), 'bearing-sbom-'))
  try {
    const file = join(folder, 'sbom.json')
    const format = ['--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--sbom-type', 'application']
    const args = ['pnpm', 'sbom', ...format, '--prod', '--lockfile-only', '--filter', `@bearing/${app}`]
    const env = { ...process.env, npm_config_yes: 'true', npm_config_update_notifier: 'false' }
    execFileSync('npx', [...args, '--out', file], { cwd: checkout, env, stdio: 'pipe' })
    return JSON.parse(readFileSync(file, 'utf8')) as Sbom // pnpm's own format
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Looks into the file system of an image. */
export async function withRootOf<T>(
  tools: ContainerTools,
  image: string,
  look: (root: string) => T,
): Promise<T> {
  const container = await tools.buildah('from', '--pull-never', image)
  try {
    return look(await tools.buildah('mount', container))
  } finally {
    await tools.buildah('rm', container)
  }
}

function readBase(root: string): BaseContent {
  const field = (paragraph: string, name: string) =>
    new RegExp(`^${name}: (.*)$`, 'm').exec(paragraph)?.[1] ?? ''
  const status = readFileSync(join(root, 'var/lib/dpkg/status'), 'utf8')
  const release = readFileSync(join(root, 'etc/os-release'), 'utf8')
  const node = execFileSync(join(root, 'usr/local/bin/node'), ['--version'], { encoding: 'utf8' })
  const manifests = globSync('usr/local/lib/node_modules/{*,@*/*}/package.json', { cwd: root }).toSorted()
  return {
    release: /^VERSION_ID="?([^"\n]*)/m.exec(release)?.[1] ?? '',
    packages: status
      .split('\n\n')
      .filter((paragraph) => field(paragraph, 'Status').endsWith(' installed'))
      .map((paragraph) => ({
        name: field(paragraph, 'Package'),
        version: field(paragraph, 'Version'),
        architecture: field(paragraph, 'Architecture'),
      })),
    modules: manifests.map(
      (path) => JSON.parse(readFileSync(join(root, path), 'utf8')) as { name: string; version: string },
    ),
    node: node.trim().slice(1),
  }
}

function componentsOf({ release, packages, modules, node }: BaseContent): Component[] {
  const component = (type: string, name: string, version: string, purl: string) => ({
    type,
    name,
    version,
    purl,
    'bom-ref': purl,
  })
  const system = `pkg:generic/debian@${release}`
  return [
    component('operating-system', 'debian', release, system),
    component('application', 'node', node, `pkg:generic/node@${node}`),
    ...modules.map(({ name, version }) =>
      component('application', name, version, `pkg:npm/${name.replace('@', '%40')}@${version}?base=true`),
    ),
    ...packages.map(({ name, version, architecture }) =>
      component(
        'library',
        name,
        version,
        `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}&distro=debian-${release}`,
      ),
    ),
  ]
}

/** A UUID (version 8: of our own making) that is the same for the same text. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ]
  return `urn:uuid:${parts.join('-')}`
}
