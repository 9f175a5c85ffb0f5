// Packs a compiled program for machines without this repository: one bundled file, and single executables.
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { npm } from '../../deploy/npm.mjs'
import { thirdPartyNotices } from '../../deploy/third-party-notices.mjs'

export const HOST = `${process.platform}-${process.arch}`
/** Platforms that executables are built for; on another system, its own too. */
export const EXECUTABLES = [...new Set(['linux-x64', 'linux-arm64', HOST])]
/** Executables contain the Node that runs this script. */
const NODE = process.version.slice(1)
/** The mark that Node looks for in itself; the value is documented with its single executables. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/**
 * Bundles a compiled program with everything that it imports into one CommonJS file.
 *
 * @param {{ root: string, name: string, define: Record<string, string>, work: string }} of
 */
export async function bundle({ root, name, define, work }) {
  const modules = new Set()
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    define,
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
      rolldownOptions: { output: { format: 'cjs', entryFileNames: name, codeSplitting: false } },
    },
  })
  return { program: join(work, name), notices: thirdPartyNotices([...modules]) }
}

/**
 * Puts a bundle into a copy of Node, as its documentation of single executables describes.
 *
 * @param {{ program: string, target: string, file: string, work: string }} of
 */
export function packExecutable({ program, target, file, work }) {
  const blob = join(work, 'program.blob')
  const config = join(work, 'sea.json')
  // Neither snapshot nor code cache: they work on the system alone that made them.
  writeFileSync(config, JSON.stringify({ main: program, output: blob, disableExperimentalSEAWarning: true }))
  quietly(process.execPath, ['--experimental-sea-config', config])
  copyFileSync(target === HOST ? realpathSync(process.execPath) : nodeOf(target, work), file)
  chmodSync(file, 0o755)
  const isMac = target.startsWith('darwin')
  if (isMac) execFileSync('codesign', ['--remove-signature', file])
  quietly(join(import.meta.dirname, 'node_modules', '.bin', 'postject'), [
    ...[file, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE],
    ...(isMac ? ['--macho-segment-name', 'NODE_SEA'] : []),
  ])
  if (isMac) execFileSync('codesign', ['--sign', '-', file])
}

/** The Node of another architecture, out of the npm package that also brings this one's. */
function nodeOf(target, work) {
  const folder = join(work, target)
  mkdirSync(folder)
  const [{ filename }] = JSON.parse(npm(['pack', `node-${target}@${NODE}`, '--json'], folder))
  execFileSync('tar', ['-xzf', filename], { cwd: folder })
  return join(folder, 'package', 'bin', 'node')
}

/** Shows what a program printed only if it fails: both print warnings about nothing. */
function quietly(command, args) {
  execFileSync(command, args, { stdio: 'pipe' })
}
