// `pnpm start`: builds what has changed since the start before, and runs Bearing. Prints one line for each phase.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { clearInterval, setInterval } from 'node:timers'
import { fingerprint } from './fingerprint.mjs'

const ROOT = join(import.meta.dirname, '..')
/** The state of the checkout that was built last. */
const STAMP = join(ROOT, 'node_modules', '.cache', 'bearing', 'built')
/** Builds: a name and a command line each. */
const STEPS = [
  ['models', 'node prisma/generate.mjs'],
  ['programs', 'node deploy/transpile.mjs'],
  ['dashboard', 'node apps/dashboard/build.mjs'],
  ['docs', 'node apps/docs/build.mjs'],
]

await import('./check-port.mjs')
if (!process.exitCode) {
  console.log(`Bearing starts, with Node ${process.versions.node} of the checkout.`)
  if (await build()) await import('./local/dist/start/start.js')
  else process.exitCode = 1
}

/** @returns whether the checkout is built */
async function build() {
  if (read(STAMP) === fingerprint(ROOT)) return true
  rmSync(STAMP, { force: true })
  for (const [name, command] of STEPS) if (!(await run(name, command))) return false
  mkdirSync(dirname(STAMP), { recursive: true })
  writeFileSync(STAMP, fingerprint(ROOT))
  return true
}

async function run(name, command) {
  const from = performance.now()
  const seconds = () => ((performance.now() - from) / 1_000).toFixed(1).padStart(5)
  const line = (mark) => `  ${mark} ${name.padEnd(11)}${seconds()} s`
  const timer = process.stdout.isTTY && setInterval(() => process.stdout.write(`\r${line('…')}`), 1_000)
  const [file, ...args] = command.split(' ')
  const child = spawn(file, args, { cwd: ROOT, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  clearInterval(timer)
  console.log(`${timer ? '\r' : ''}${line(code === 0 ? '✓' : '✗')}`)
  return code === 0
}

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
