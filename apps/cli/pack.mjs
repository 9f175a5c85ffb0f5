// `pnpm pack:cli [--out <folder>] [--only <target>]…` packs the command line for machines without this repository: an npm package
// of one bundled file, and single executables. Each that runs on this machine is tried in an empty folder. Targets: npm,
// linux-x64, linux-arm64, and on another system that system's own.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { npm } from '../../deploy/npm.mjs'
import { bundle, EXECUTABLES, HOST, packExecutable } from './pack-executable.mjs'

const HERE = import.meta.dirname
const ROOT = join(HERE, '..', '..')
const { version, description } = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8'))

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(HERE, 'packed') },
    only: { type: 'string', multiple: true },
  },
})
const out = resolve(values.out)
const known = ['npm', ...EXECUTABLES]
const targets = values.only ?? known
const unknown = targets.find((target) => !known.includes(target))
if (unknown !== undefined) throw new Error(`There is no target "${unknown}": there are ${known.join(', ')}.`)

const work = mkdtempSync(join(tmpdir(), 'bearing-pack-'))
try {
  mkdirSync(out, { recursive: true })
  const { program, notices } = await bundle({
    root: HERE,
    name: 'bearing.cjs',
    define: { PACKED_VERSION: JSON.stringify(version) },
    work,
  })
  for (const target of targets) {
    const file = target === 'npm' ? packForNpm(program, notices) : executable(program, target)
    const tried = tryOut(target, file)
    const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex')
    process.stdout.write(`${file}\n  sha256 ${sha256}\n  ${tried}\n`)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
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

function executable(program, target) {
  const file = join(out, `bearing-${version}-${target}${target.startsWith('win') ? '.exe' : ''}`)
  packExecutable({ program, target, file, work })
  return file
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
