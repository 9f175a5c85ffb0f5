import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { freePort } from '@bearing/local/ports'
import { eventually } from '@bearing/testing/eventually'
import { elfFile } from '@bearing/start/demo/elf-file'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { ROOT } from '../tools/root.js'

const README = readFileSync(join(ROOT, 'README.md'), 'utf8')
const TUTORIAL = readFileSync(join(ROOT, 'docs', 'first-device.md'), 'utf8')
const FIRMWARE = readFileSync(join(ROOT, 'docs', 'connect-firmware.md'), 'utf8')
const IMPORTS = readFileSync(join(ROOT, 'docs', 'bringing-your-own-data.md'), 'utf8')
const LOCATE = readFileSync(join(ROOT, 'docs', 'locate-with-curl.md'), 'utf8')
const COMMAND_LINE = readFileSync(join(ROOT, 'docs', 'command-line.md'), 'utf8')
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>
}
/** Port at which the tutorial receives webhooks. */
const RECEIVER_PORT = '9797'
/** Time in which `pnpm start` has to be ready on a busy machine, in milliseconds. */
const START_MS = 240_000
const ENVIRONMENT = {
  HOME: process.env['HOME'],
  PATH: [dirname(process.execPath), join(ROOT, 'node_modules', '.bin'), process.env['PATH']].join(delimiter),
}

/** Returns a script of package.json as a shell command, with the scripts that it runs in place. */
function scriptOf(name: string): string {
  const script = scripts[name]
  if (script === undefined) throw new Error(`package.json has no script "${name}"`)
  return script.replaceAll(/pnpm --silent (\w+)/g, (_, inner: string) => scriptOf(inner))
}

/** Their examples run one after the other, in this order. */
const PAGES = [README, TUTORIAL, FIRMWARE, IMPORTS, LOCATE, COMMAND_LINE].join('\n')
const BLOCKS = [...PAGES.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
/** Starts and tests Bearing; the other examples are run against what it has started. */
const [BEGINNING = '', ...EXAMPLES] = BLOCKS

/**
 * Commands that the examples find in a checkout: `npx pnpm <script>`, and curl, which fails here if the reply is an error.
 * Commands are printed before they run, so that the output of a failed example ends with it.
 */
const PRELUDE = `
npx() {
  echo "+ npx $*" >&2
  shift
  if [ "$1" = --silent ]; then shift; fi
  if [ "$1" != bearing ]; then echo "the test does not run: $*" >&2; return 1; fi
  shift
  node ${JSON.stringify(join(ROOT, 'apps', 'cli', 'dist', 'main.js'))} "$@"
}
curl() { command curl --silent --show-error --fail-with-body "$@"; }
trap 'kill $(jobs -p) 2> /dev/null || true' EXIT
set -e
`

describe('the README, and the pages about a first device, firmware, imports, look-ups and the command line', () => {
  let directory: string
  let start: ChildProcess
  let output = ''

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bearing-readme-'))
    await writeFiles(directory)
    start = spawn('sh', ['-c', scriptOf('start')], {
      cwd: ROOT,
      // Its own group, as in a terminal: Ctrl-C reaches all of it.
      detached: true,
      env: {
        ...ENVIRONMENT,
        BEARING_PORT: String(await freePort()),
        BEARING_STATE: join(directory, '.bearing'),
        // A setting of management, which `pnpm start` passes on.
        DEVICES_PER_ORGANIZATION: '1000',
        // As the tutorial starts it.
        WEBHOOK_PRIVATE_RANGES: '127.0.0.0/8',
      },
    })
    for (const stream of [start.stdout, start.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
    await eventually(
      () => {
        if (start.exitCode !== null) return
        expect(output).toContain('Try it in another terminal')
      },
      { withinMs: START_MS, everyMs: 100 },
    )
    if (start.exitCode !== null) throw new Error(`pnpm start ended:\n${output}`)
  })

  afterAll(async () => {
    if (start.exitCode === null) {
      const exited = once(start, 'exit')
      process.kill(-(start.pid ?? 0), 'SIGINT')
      await exited
    }
    await rm(directory, { recursive: true, force: true })
  })

  it('names scripts of package.json only', () => {
    const named = [...PAGES.matchAll(/pnpm (?:--silent )?([a-z][a-z:-]*)/g)].map(([, name = '']) => name)
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named))
    expect(TUTORIAL).toContain('WEBHOOK_PRIVATE_RANGES=127.0.0.0/8 npx pnpm start')
    expect(BEGINNING).toMatch(/^npx pnpm start .*\nnpx pnpm test .*\n$/)
  })

  it('shows the commands that `pnpm start` prints', () => {
    const commandsOf = (text: string) => text.match(/^(?:#|curl) .*$/gm)?.map((line) => line.slice(0, 40))
    expect(commandsOf(output)).toEqual(commandsOf(EXAMPLES[0] ?? ''))
    expect(output).toMatch(/settings from the environment: .*DEVICES_PER_ORGANIZATION/)
  })

  it('has examples that all work, one after the other, beside the demo', async () => {
    const examples = EXAMPLES.join('\n').replaceAll(RECEIVER_PORT, String(await freePort()))
    const script = `${PRELUDE}${examples}`
    const bash = spawn('bash', ['-c', script], { cwd: directory, env: ENVIRONMENT })
    let printed = ''
    for (const stream of [bash.stdout, bash.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
    const [code] = (await once(bash, 'close')) as [number | null] // as Node declares the event
    expect(code === 0 ? '' : printed).toBe('')
    // One result of each example, so that none was left out.
    for (const result of [
      'cargo-bikes',
      '52.50',
      'DEVICE-0001',
      'ada@example.com',
      '1 chunk stored',
      'examples/neostumbler-wifis.csv',
      '"ranged":3',
      '"fulfilledWith":"MCELL"',
      '"fulfilledWith":"SCELL"',
      '"error":{"code":"location_not_found"',
      '"type":"webhook.test"',
    ])
      expect(printed).toContain(result)
  })
})

/** Writes the files that the examples name. */
async function writeFiles(directory: string): Promise<void> {
  await symlink(join(ROOT, 'examples'), join(directory, 'examples'))
  const scans = Array.from({ length: 40 }, (_, i) => ({
    timestamp: 1_700_000_000_000 + i * 60_000,
    position: { latitude: 52.5 + (i % 8) * 1e-4, longitude: 13.4, accuracy: 5 },
    wifiAccessPoints: [10, 11, 12, 13].map((last) => ({
      macAddress: `02:00:5e:00:66:${String(last)}`,
      signalStrength: -50 - ((i * last) % 30),
    })),
  }))
  await writeFile(join(directory, 'scans.jsonl'), scans.map((scan) => `${JSON.stringify(scan)}\n`).join(''))
  await writeFile(join(directory, 'crash.bin'), 'a chunk')
  await writeFile(join(directory, 'core.bin'), 'a coredump')
  await mkdir(join(directory, 'build'))
  await writeFile(join(directory, 'build', 'firmware.elf'), elfFile(Buffer.alloc(20, 7)))
}
