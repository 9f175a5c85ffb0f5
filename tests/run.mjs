// `pnpm test`: builds, checks and tests everything. The last line is the counts; the exit code is 1 where anything
// failed or nothing ran.
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { parseArgs } from 'node:util'
import { OWN_STAGES, changedSuites, compiledPath, stagePattern, unitSuites } from './select.mjs'

const ROOT = join(import.meta.dirname, '..')
const BIN = join(ROOT, 'node_modules', '.bin')
/** Only for what hangs: on a machine that is busy with something else all takes several times as long. */
const TIMEOUT_MINUTES = 75
const IMPORTING = ['apps', 'packages', 'prisma/src', 'deploy/local', 'tests', 'bench']

/** The exit code of a program that did not end on its own. Those that failed end with 1. */
const STOPPED = 2

/** Number of the slowest suites that are listed. */
const SLOWEST = 10
/** If more suites than this fail, something is broken, and a second try would only take time. */
const MOST_REPEATED = 5
/** Each is one command line or several, and counts as one check, passed or failed. */
const CHECKS = {
  build: [
    'node prisma/generate.mjs',
    'tsc --build',
    'node apps/dashboard/build.mjs',
    'node apps/docs/build.mjs',
  ],
  lint: ['node tests/lint.mjs'],
  format: ['prettier --check --cache --cache-strategy content --log-level warn .'],
  imports: [`depcruise --config .dependency-cruiser.cjs ${IMPORTING.join(' ')}`],
  unused: ['knip --no-config-hints'],
  words: ['node tests/words.mjs'],
}
/** Parts that run without options. `tests` are all suites but those of the stages that follow. */
const USUAL = [...Object.keys(CHECKS), 'tests']
const ALL = [...USUAL, ...OWN_STAGES]
/** `units` are a part of `tests`. */
const PARTS = [...ALL, 'units']

const HELP = `pnpm test [options] [paths]

Without options: ${USUAL.join(', ')}.

  --all           run everything: ${OWN_STAGES.join(', ')} too
  --only <part>   run this part only; may be given several times. Parts: ${PARTS.join(', ')}
  -t <pattern>    run the tests whose name matches (with the build, without the other checks)
  --changed       run the specs of what differs from the branch main (likewise): those that import it, those of its wing
                  or package, and the journeys that tests/select.mjs lists for it
  --shard <i>/<n> run the i-th of n parts of the suites
  --seed <n>      random choices of the tests as in the run that printed this seed
  paths           run these specs (likewise): source files, folders, or any part of a path
  --help          show this
`

const { only, pattern, paths, changed, shard, seed, help } = readArguments()
if (help) {
  process.stdout.write(HELP)
  process.exit(0)
}

const counts = { passed: 0, failed: 0, skipped: 0 }
const began = performance.now()

const isBuilt = !only.has('build') || (await check('build'))
// Two lanes: linting takes as long as all other checks together, and runs beside the tests.
await Promise.all([lane(['lint']), lane(['format', 'words', 'imports', 'unused']).then(testWhereBuilt)])

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
        all: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true, default: [] },
        shard: { type: 'string' },
        t: { type: 'string', short: 't' },
        changed: { type: 'boolean', default: false },
        seed: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    const unknown = values.only.find((part) => !PARTS.includes(part))
    if (unknown !== undefined)
      throw new Error(`There is no part "${unknown}": there are ${PARTS.join(', ')}.`)
    if (values.changed && positionals.length > 0)
      throw new Error('--changed selects the specs: give no paths beside it.')
    const selects = positionals.length > 0 || values.t !== undefined || values.changed
    const usual = values.all ? ALL : selects ? ['build', 'tests'] : USUAL
    const chosen = values.only.length > 0 ? values.only : usual
    const paths = positionals.map(compiledPath)
    const { t: pattern, changed, shard, seed, help } = values
    return { only: new Set(chosen), pattern, paths, changed, shard, seed, help }
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${HELP}`)
    process.exit(2)
  }
}

async function lane(names) {
  for (const name of names) if (only.has(name)) await check(name)
}

/** Runs a check and counts it. Its output is shown in one piece, when it has ended. */
async function check(name) {
  say(`${name.padEnd(7)} …`)
  const start = performance.now()
  let output = ''
  let code = 0
  for (const line of CHECKS[name]) {
    const [command, ...args] = line.split(' ')
    code = Math.max(code, await run(command, args, (text) => (output += text)))
    if (code !== 0) break
  }
  counts[code === 0 ? 'passed' : 'failed']++
  say(`${name.padEnd(7)} ${code === 0 ? 'passed' : 'FAILED'} in ${elapsed(start)}`)
  if (code !== 0) process.stdout.write(`\n${output.trim()}\n\n`)
  return code === 0
}

async function testWhereBuilt() {
  const stages = new Set(['tests', 'units', ...OWN_STAGES].filter((part) => only.has(part)))
  if (stages.size === 0) return
  if (isBuilt) await runTests(stages)
  else say('tests   not run, because the build failed')
}

/** Returns what Jest is to run: patterns of paths; none where everything is to run. */
function selected(stages) {
  if (changed) return changedSuites()
  if (paths.length > 0) return paths
  if (stages.has('units') && !stages.has('tests')) return unitSuites()
  return [stagePattern(stages)].filter((pattern) => pattern !== undefined)
}

async function runTests(stages) {
  say('tests   …')
  const start = performance.now()
  const folder = await mkdtemp(join(tmpdir(), 'bearing-results-'))
  const file = join(folder, 'suites.ndjson')
  try {
    const suites = selected(stages)
    const before = counts.failed
    if (changed && suites.length === 0) {
      say('tests   no suite belongs to what differs from main: nothing was tested')
      counts.failed++
      return
    }
    const options = [
      ...['--showSeed', '--seed', seed ?? String(randomInt(2 ** 31))],
      ...(pattern === undefined ? [] : ['-t', pattern]),
    ]
    const part = shard === undefined ? [] : ['--shard', shard]
    const code = await run('jest', [...options, ...part, ...suites], undefined, { SUITE_RESULTS: file })
    const first = await suiteResults(file)
    countTests(code === 1 ? await repeatFailed(first, options, join(folder, 'repeated.ndjson')) : first)
    // Jest can fail without a failed test: when its set-up does, when it finds nothing to run, or when it is stopped.
    if (code > 1 || (code === 1 && !first.some(({ failed }) => failed > 0))) counts.failed++
    else if (!first.some(({ passed, failed }) => passed + failed > 0)) {
      say('tests   no test matches: nothing was tested')
      counts.failed++
    }
    say(`tests   ${counts.failed === before ? 'passed' : 'FAILED'} in ${elapsed(start)}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Runs failed suites a second time, with nothing else beside them and with the same seed: on a busy machine a suite of many
 * processes fails now and then. A suite that passes then counts as passed, and is listed as unstable: its first failure is in
 * the output, and is a fault to repair.
 *
 * @param suites SuiteResults of the first run
 * @returns SuiteResults, for repeated suites of the second run
 */
async function repeatFailed(suites, options, file) {
  const failed = suites.filter((suite) => suite.failed > 0)
  if (failed.length === 0 || failed.length > MOST_REPEATED || !failed.every((suite) => suite.repeatable))
    return suites
  say(`a second time, alone: ${failed.map(({ suite }) => suite).join(' ')}`)
  const paths = failed.map(({ suite }) => suite)
  await run('jest', [...options, '--runInBand', ...paths], undefined, { SUITE_RESULTS: file })
  const second = new Map((await suiteResults(file)).map((result) => [result.suite, result]))
  const unstable = failed.filter(({ suite }) => second.get(suite)?.failed === 0)
  if (unstable.length > 0) say('unstable, failed first and passed alone:')
  for (const { suite, failures } of unstable) say(`  ${suite}: ${failures.join('; ')}`)
  return suites.map((first) => {
    const result = first.failed > 0 ? second.get(first.suite) : undefined
    return result ?? first
  })
}

/** @returns a SuiteResult of `suite-reporter.mjs` for each line of the file; none if there is no file */
async function suiteResults(file) {
  const lines = await readFile(file, 'utf8').catch(() => '')
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** @param suites SuiteResults */
function countTests(suites) {
  for (const { passed, failed } of suites) {
    counts.passed += passed
    counts.failed += failed
  }
  const slowest = suites.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOWEST)
  if (suites.length > SLOWEST) {
    say('slowest suites:')
    for (const { suite, seconds } of slowest) say(`  ${seconds.toFixed(1).padStart(6)} s  ${suite}`)
  }
  // With a pattern everything else counts as skipped, which nobody wants to read.
  if (pattern !== undefined) return
  const skipped = suites.flatMap((suite) => suite.skipped)
  counts.skipped += skipped.length
  if (skipped.length > 0) say('skipped, each for the reason that its name gives:')
  for (const name of skipped) say(`  ${name}`)
}

/**
 * Runs a program of this repository's `node_modules`.
 *
 * @param print takes what it prints; it goes straight to the terminal where there is none
 * @param environment more of it
 * @returns its exit code; STOPPED where it could not be started, was killed or took too long
 */
function run(command, args, print, environment = {}) {
  const child = spawn(command === 'node' ? process.execPath : join(BIN, command), args, {
    cwd: ROOT,
    stdio: ['ignore', print ? 'pipe' : 'inherit', print ? 'pipe' : 'inherit'],
    env: {
      ...process.env,
      ...environment,
      // The shims in .bin take the first `node` on PATH; it has to be this one.
      PATH: [join(process.execPath, '..'), BIN, process.env.PATH].join(delimiter),
      // Output that is held back until a check has ended goes through a pipe.
      ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1', FORCE_COLOR: undefined }),
      ...(command === 'jest' && {
        NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --disable-warning=ExperimentalWarning`,
      }),
    },
  })
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', print)
  return new Promise((resolve) => {
    let isLate = false
    const timer = setTimeout(() => {
      say(`${command} did not end within ${TIMEOUT_MINUTES} minutes and is stopped`)
      child.kill()
      isLate = true
    }, TIMEOUT_MINUTES * 60_000)
    const end = (code) => {
      clearTimeout(timer)
      resolve(isLate ? STOPPED : (code ?? STOPPED))
    }
    child.once('error', (error) => {
      say(`${command} could not be started: ${error.message}`)
      end(STOPPED)
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
