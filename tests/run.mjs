// `pnpm test`: builds, checks and tests everything. The last line is the counts; the exit code is 1 where anything
// failed or nothing ran.
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { parseArgs } from 'node:util'

const ROOT = join(import.meta.dirname, '..')
const BIN = join(ROOT, 'node_modules', '.bin')
/** Only for what hangs: on a machine that is busy with something else all takes several times as long. */
const TIMEOUT_MINUTES = 75
const IMPORTING = ['apps', 'packages', 'prisma/src', 'deploy/local', 'tests', 'bench']

/** Each is one command line or several, and counts as one check, passed or failed. */
const CHECKS = {
  build: ['node prisma/generate.mjs', 'tsc --build'],
  lint: ['eslint .'],
  format: ['prettier --check --log-level warn .'],
  imports: [`depcruise --config .dependency-cruiser.cjs ${IMPORTING.join(' ')}`],
  unused: ['knip --no-config-hints'],
}
const PARTS = [...Object.keys(CHECKS), 'tests']

const HELP = `pnpm test [options] [paths]

Without options everything runs: ${PARTS.join(', ')}.

  --only <part>   run this part only; may be given several times
  -t <pattern>    run the tests whose name matches (with the build, without the other checks)
  paths           run the specs whose path matches (likewise)
  --help          show this
`

const { only, pattern, paths, help } = readArguments()
if (help) {
  process.stdout.write(HELP)
  process.exit(0)
}

const counts = { passed: 0, failed: 0, skipped: 0 }
const began = performance.now()

const isBuilt = !only.has('build') || (await check('build'))
// Two lanes: linting takes as long as all other checks together, and goes on beside the tests.
await Promise.all([lane(['lint']), lane(['format', 'imports', 'unused']).then(testWhereBuilt)])

say(`done in ${elapsed(began)}`)
const { passed, failed, skipped } = counts
process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      // `pnpm test -- x` hands on the dashes too.
      args: process.argv.slice(2).filter((argument, index) => index > 0 || argument !== '--'),
      allowPositionals: true,
      options: {
        only: { type: 'string', multiple: true, default: [] },
        t: { type: 'string', short: 't' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    const unknown = values.only.find((part) => !PARTS.includes(part))
    if (unknown !== undefined)
      throw new Error(`There is no part "${unknown}": there are ${PARTS.join(', ')}.`)
    const selects = positionals.length > 0 || values.t !== undefined
    const chosen = values.only.length > 0 ? values.only : selects ? ['build', 'tests'] : PARTS
    return { only: new Set(chosen), pattern: values.t, paths: positionals, help: values.help }
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${HELP}`)
    process.exit(2)
  }
}

async function lane(names) {
  for (const name of names) if (only.has(name)) await check(name)
}

/** Runs a check and counts it. What it prints is shown in one piece, when it has ended. */
async function check(name) {
  say(`${name.padEnd(7)} …`)
  const start = performance.now()
  let output = ''
  let code = 0
  for (const line of CHECKS[name]) {
    const [command, ...args] = line.split(' ')
    code = await run(command, args, (text) => (output += text))
    if (code !== 0) break
  }
  counts[code === 0 ? 'passed' : 'failed']++
  say(`${name.padEnd(7)} ${code === 0 ? 'passed' : 'FAILED'} in ${elapsed(start)}`)
  if (code !== 0) process.stdout.write(`\n${output.trim()}\n\n`)
  return code === 0
}

async function testWhereBuilt() {
  if (!only.has('tests')) return
  if (isBuilt) await runTests()
  else say('tests   not run, because the build failed')
}

async function runTests() {
  say('tests   …')
  const start = performance.now()
  const folder = await mkdtemp(join(tmpdir(), 'bearing-results-'))
  const file = join(folder, 'results.json')
  try {
    const args = [
      '--json',
      `--outputFile=${file}`,
      ...(pattern === undefined ? [] : ['-t', pattern]),
      ...paths,
    ]
    const code = await run('jest', args)
    const text = await readFile(file, 'utf8').catch(() => undefined)
    const before = counts.failed
    if (text !== undefined) countTests(JSON.parse(text))
    // Jest can fail without a failed test: when its set-up does, or when it finds nothing to run.
    if (code !== 0 && counts.failed === before) counts.failed++
    say(`tests   ${code === 0 ? 'passed' : 'FAILED'} in ${elapsed(start)}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function countTests(results) {
  counts.passed += results.numPassedTests
  // A suite that could not be loaded has no tests to count, and has failed all the same.
  counts.failed += results.numFailedTests + results.numRuntimeErrorTestSuites
  // With a pattern everything else counts as pending, which nobody wants to read.
  if (pattern !== undefined) return
  const tests = results.testResults.flatMap((suite) => suite.assertionResults)
  const skipped = tests.filter((test) => ['pending', 'todo', 'disabled'].includes(test.status))
  counts.skipped += skipped.length
  if (skipped.length > 0) say('skipped, each for the reason that its name gives:')
  for (const { fullName } of skipped) process.stdout.write(`  ${fullName}\n`)
}

/**
 * Runs a program of this repository's `node_modules`.
 *
 * @param print takes what it prints; it goes straight to the terminal where there is none
 * @returns its exit code; 1 where it could not be started or took too long
 */
function run(command, args, print) {
  const child = spawn(command === 'node' ? process.execPath : join(BIN, command), args, {
    cwd: ROOT,
    stdio: ['ignore', print ? 'pipe' : 'inherit', print ? 'pipe' : 'inherit'],
    env: {
      ...process.env,
      // The shims in .bin take the first `node` on PATH; it has to be this one.
      PATH: [join(process.execPath, '..'), BIN, process.env.PATH].join(delimiter),
      // What is held back until a check has ended goes through a pipe.
      ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1', FORCE_COLOR: undefined }),
      ...(command === 'jest' && {
        NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --disable-warning=ExperimentalWarning`,
      }),
    },
  })
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', print)
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      say(`${command} did not end within ${TIMEOUT_MINUTES} minutes and is stopped`)
      child.kill()
    }, TIMEOUT_MINUTES * 60_000)
    const end = (code) => {
      clearTimeout(timer)
      resolve(code ?? 1)
    }
    child.once('error', (error) => {
      say(`${command} could not be started: ${error.message}`)
      end(1)
    })
    child.once('close', end)
  })
}

function say(text) {
  process.stdout.write(`${text}\n`)
}

function elapsed(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`
}
