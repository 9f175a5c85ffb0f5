// `pnpm pack:cli [--out <folder>] [--only <target>]…` packs the command line for machines without this repository: an npm package
// of one bundled file, and single executables. Each that runs on this machine is tried in an empty folder. Targets: npm,
// linux-x64, linux-arm64, and on another system that system's own.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'vite'
import { npm } from '../../deploy/npm.mjs'
import { thirdPartyNotices } from '../../deploy/third-party-notices.mjs'

const HERE = import.meta.dirname
const ROOT = join(HERE, '..', '..')
const { version, description } = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8'))
const HOST = `${process.platform}-${process.arch}`
/** Executables contain the Node that runs this script. */
const NODE = process.version.slice(1)
/** The mark that Node looks for in itself; the value is documented with its single executables. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(HERE, 'packed') },
    only: { type: 'string', multiple: true },
  },
})
const out = resolve(values.out)
const known = ['npm', ...new Set(['linux-x64', 'linux-arm64', HOST])]
const targets = values.only ?? known
const unknown = targets.find((target) => !known.includes(target))
if (unknown !== undefined) throw new Error(`There is no target "${unknown}": there are ${known.join(', ')}.`)

const work = mkdtempSync(join(tmpdir(), 'bearing-pack-'))
try {
  mkdirSync(out, { recursive: true })
  const { program, notices } = await bundle()
  for (const target of targets) {
    const file = target === 'npm' ? packForNpm(program, notices) : packExecutable(program, target)
    const tried = tryOut(target, file)
    const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex')
    process.stdout.write(`${file}\n  sha256 ${sha256}\n  ${tried}\n`)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** Bundles the compiled command line with everything that it imports into one CommonJS file. */
async function bundle() {
  const modules = new Set()
  await build({
    root: HERE,
    configFile: false,
    logLevel: 'warn',
    define: { PACKED_VERSION: JSON.stringify(version) },
    ssr: { noExternal: true },
    plugins: [
      {
        name: 'modules',
        buildEnd: {
          order: 'post',
          handler() {
            for (const id of this.getModuleIds()) modules.add(id)
          },
        },
      },
    ],
    build: {
      ssr: 'dist/main.js',
      outDir: work,
      emptyOutDir: false,
      target: 'node20',
      minify: true,
      rolldownOptions: { output: { format: 'cjs', entryFileNames: 'bearing.cjs', codeSplitting: false } },
    },
  })
  return { program: join(work, 'bearing.cjs'), notices: thirdPartyNotices([...modules]) }
}

function packForNpm(program, notices) {
  const folder = join(work, 'npm')
  mkdirSync(folder)
  copyFileSync(program, join(folder, 'bearing.cjs'))
  chmodSync(join(folder, 'bearing.cjs'), 0o755)
  for (const name of ['LICENSE', 'NOTICE']) copyFileSync(join(ROOT, name), join(folder, name))
  copyFileSync(join(HERE, 'README.md'), join(folder, 'README.md'))
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), notices)
  const manifest = {
    name: '@bearing/cli',
    version,
    description,
    license: 'Apache-2.0',
    bin: { bearing: 'bearing.cjs' },
    engines: { node: '>=20' },
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const [{ filename }] = JSON.parse(npm(['pack', folder, '--json', '--pack-destination', out], work))
  return join(out, filename)
}

/** Puts the bundle into a copy of Node, as its documentation of single executables describes. */
function packExecutable(program, target) {
  const blob = join(work, 'bearing.blob')
  const config = join(work, 'sea.json')
  // Neither snapshot nor code cache: they work on the system alone that made them.
  writeFileSync(config, JSON.stringify({ main: program, output: blob, disableExperimentalSEAWarning: true }))
  quietly(process.execPath, ['--experimental-sea-config', config])
  const file = join(out, `bearing-${version}-${target}${target.startsWith('win') ? '.exe' : ''}`)
  copyFileSync(target === HOST ? realpathSync(process.execPath) : nodeOf(target), file)
  chmodSync(file, 0o755)
  const isMac = target.startsWith('darwin')
  if (isMac) execFileSync('codesign', ['--remove-signature', file])
  quietly(join(HERE, 'node_modules', '.bin', 'postject'), [
    ...[file, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE],
    ...(isMac ? ['--macho-segment-name', 'NODE_SEA'] : []),
  ])
  if (isMac) execFileSync('codesign', ['--sign', '-', file])
  return file
}

/** The Node of another architecture, out of the npm package that also brings this one's. */
function nodeOf(target) {
  const folder = join(work, target)
  mkdirSync(folder)
  const [{ filename }] = JSON.parse(npm(['pack', `node-${target}@${NODE}`, '--json'], folder))
  execFileSync('tar', ['-xzf', filename], { cwd: folder })
  return join(folder, 'package', 'bin', 'node')
}

/** Runs what was packed in an empty folder, with nothing of this repository in its environment. */
function tryOut(target, file) {
  if (target !== 'npm' && target !== HOST) return `not tried: this machine is ${HOST}`
  const folder = join(work, `try-${target}`)
  mkdirSync(folder)
  let command = file
  if (target === 'npm') {
    npm(['install', '--offline', '--no-audit', '--no-fund', file], folder)
    command = join(folder, 'node_modules', '.bin', 'bearing')
  }
  // The package starts with the `node` of the path.
  const environment = target === 'npm' ? { PATH: process.env.PATH } : {}
  const ended = execFileSync(command, ['--version'], { cwd: folder, env: environment, encoding: 'utf8' })
  if (ended !== `${version}\n`) throw new Error(`${file} says that it is version ${ended}.`)
  return 'tried in an empty folder'
}

/** Shows what a program printed only if it fails: both print warnings about nothing. */
function quietly(command, args) {
  execFileSync(command, args, { stdio: 'pipe' })
}
