// `pnpm pack:clients [--out <folder>] [--source <url>]` packs the libraries for npm: what the entry of each imports from packages
// of this repository goes into its tarball, and what it imports from elsewhere becomes a dependency.
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, posix, relative, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import ts from 'typescript'
import { npm } from './npm.mjs'

const ROOT = join(import.meta.dirname, '..')
const LIBRARIES = ['packages/client', 'packages/client/nats', 'packages/nestjs']
/** Longer paths first: one package is in the folder of another. */
const PACKAGES = [
  'packages/client/nats',
  'packages/client',
  'packages/nestjs',
  'packages/contracts',
  'packages/access',
  'packages/nats',
]
/** Fields of a package that is published as they are in this repository. */
const KEPT = [
  'name',
  'version',
  'type',
  'description',
  'keywords',
  'license',
  'engines',
  'sideEffects',
  'publishConfig',
]

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(ROOT, 'packages', 'client', 'packed') },
    source: { type: 'string' },
  },
})
const out = resolve(values.out)
const work = mkdtempSync(join(tmpdir(), 'bearing-pack-'))
try {
  mkdirSync(out, { recursive: true })
  for (const library of LIBRARIES) {
    const file = pack(library)
    const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex')
    process.stdout.write(`${file}\n  sha256 ${sha256}\n`)
  }
  if (values.source === undefined)
    process.stdout.write(
      'Without --source <url> they name no repository, which npm requires for provenance.\n',
    )
} finally {
  rmSync(work, { recursive: true, force: true })
}

function pack(library) {
  const folder = join(work, library)
  const manifest = readManifest(join(ROOT, library))
  const { files, dependencies } = collect(library)
  const peers = Object.keys(manifest.peerDependencies ?? {})
  const isPeer = ([name]) => peers.includes(name)
  const versions = [...dependencies].toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (const [path, text] of files) write(join(folder, path), text)
  for (const name of ['LICENSE', 'NOTICE']) copyFileSync(join(ROOT, name), join(folder, name))
  copyFileSync(join(ROOT, library, 'README.md'), join(folder, 'README.md'))
  const entry = targetOf(join(ROOT, library, 'dist', 'index'))
  const published = {
    ...Object.fromEntries(KEPT.map((field) => [field, manifest[field]])),
    ...(values.source !== undefined && { repository: repositoryOf(values.source, library) }),
    exports: { '.': { types: `./${entry}.d.ts`, default: `./${entry}.js` } },
    files: ['dist', 'NOTICE'],
    dependencies: Object.fromEntries(versions.filter((entry) => !isPeer(entry))),
    // An application has one copy of its framework.
    ...(peers.length > 0 && { peerDependencies: Object.fromEntries(versions.filter(isPeer)) }),
  }
  write(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  const [{ filename }] = JSON.parse(npm(['pack', folder, '--json', '--pack-destination', out], work))
  return join(out, filename)
}

function repositoryOf(source, directory) {
  return { type: 'git', url: `git+${source.replace(/(\.git)?$/, '.git')}`, directory }
}

/** Follows the imports of a library's entry, in its code and in its types. */
function collect(library) {
  const files = new Map()
  const dependencies = new Map()
  const open = ['.js', '.d.ts'].map((extension) => join(ROOT, library, 'dist', `index${extension}`))
  const seen = new Set(open)
  for (const path of open) {
    const text = readFileSync(path, 'utf8').replace(/^\/\/# sourceMappingURL=.*\n?/m, '')
    const rewritten = replaceImports(text, (specifier) => {
      if (specifier.startsWith('node:')) return specifier
      if (!specifier.startsWith('.') && !specifier.startsWith('@bearing/')) {
        const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
        dependencies.set(name, `^${versionOf(name, path)}`)
        return specifier
      }
      const imported = realpathSync(createRequire(path).resolve(specifier))
      const next = path.endsWith('.d.ts') ? imported.replace(/\.js$/, '.d.ts') : imported
      if (!seen.has(next)) {
        seen.add(next)
        open.push(next)
      }
      const link = posix.relative(posix.dirname(targetOf(path)), targetOf(imported))
      return link.startsWith('.') ? link : `./${link}`
    })
    files.set(targetOf(path), rewritten)
  }
  return { files, dependencies }
}

/** Replaces the names of modules in `import`, `export … from` and `import()`. */
function replaceImports(text, replace) {
  const { importedFiles } = ts.preProcessFile(text, true, true)
  let result = ''
  let end = 0
  for (const { fileName, pos } of importedFiles.toSorted((a, b) => a.pos - b.pos)) {
    // The position is that of the quotation mark.
    result += text.slice(end, pos + 1) + replace(fileName)
    end = pos + 1 + fileName.length
  }
  return result + text.slice(end)
}

/** Returns the path of a compiled file in the tarball: `dist/<package>/…`. */
function targetOf(path) {
  const file = relative(ROOT, path).split(sep).join('/')
  const owner = PACKAGES.find((folder) => file.startsWith(`${folder}/dist/`))
  if (owner === undefined) throw new Error(`${file} is in no package that may be published.`)
  const [, name] = readManifest(join(ROOT, owner)).name.split('/')
  return posix.join('dist', name, file.slice(`${owner}/dist/`.length))
}

/** The version of a dependency that is installed for the package of a file. */
function versionOf(name, path) {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      return readManifest(join(folder, 'node_modules', name)).version
    } catch (error) {
      if (error.code !== 'ENOENT') throw error
    }
  }
  throw new Error(`${name} is not installed.`)
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
