import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { compileCache, sweepCompileCache } from '@bearing/local/compile-cache'
import { freePort, isPortFree } from '@bearing/local/ports'
import { moveDevices } from '../demo/move-devices.js'
import { serveSignInLink } from '../demo/sign-in-link.js'
import { seedDemo } from './demo.js'
import { onLauncherGone } from './launcher.js'
import { MailLines } from './mail-lines.js'
import { describeDemo } from './panel.js'
import { startServers } from './servers.js'
import { claimStart } from './single-start.js'
import { readSecrets } from './secrets.js'
import { readSettingsOfEnvironment, settingNames } from '../settings-of-environment.js'
import { openStateDirectory } from './state-directory.js'
import { timed } from './timed.js'
import { Supervisor } from './supervisor.js'

// `pnpm start [--one-process] [--empty]`: a whole Bearing on this machine, with a demo fleet unless --empty is set, until Ctrl-C.

const CHECKOUT = join(import.meta.dirname, '..', '..', '..', '..')
/** Time in which the gateway of a killed start releases its port, in milliseconds. */
const PORT_RELEASE_MS = 15_000

const { values: ARGUMENTS } = parseArgs({
  options: {
    'one-process': { type: 'boolean', default: false },
    empty: { type: 'boolean', default: false },
  },
})

const say = (line: string) => {
  console.log(line)
}

async function start(supervisor: Supervisor): Promise<void> {
  const state = openStateDirectory(process.env['BEARING_STATE'] ?? join(CHECKOUT, '.bearing'))
  const claim = await claimStart(state.socket)
  if (!claim)
    throw new Error(`Bearing already runs with the data in ${state.path}. Stop it there with Ctrl-C.`)
  const port = readPort(process.env['BEARING_PORT'])
  await checkPort(port, claim.afterCrash)

  const secrets = readSecrets(state.secrets)
  await sweepCompileCache(compileCache(CHECKOUT))
  const { DATABASE_URL, NATS_URL } = process.env
  const { values, taken, ignored } = readSettingsOfEnvironment(await settingNames(CHECKOUT), process.env)
  if (taken.length > 0) say(`  settings from the environment: ${taken.join(', ')}`)
  if (ignored.length > 0) say(`  ignored, because start sets them: ${ignored.join(', ')}`)
  const mails = new MailLines(say)
  const servers = await startServers({
    checkout: CHECKOUT,
    state,
    secrets,
    supervisor,
    port,
    databaseUrl: DATABASE_URL,
    natsUrl: NATS_URL,
    settings: values,
    say,
    mails,
    oneProcess: ARGUMENTS['one-process'],
  })
  const url = `http://localhost:${port}`
  const demo = await timed(say, 'demo', (note) =>
    seedDemo({ url, ...servers, state, secrets, note, mails, fleet: !ARGUMENTS.empty }),
  )
  const link = await serveSignInLink({ url, ...secrets.demo })
  const ownServers = { database: Boolean(DATABASE_URL), nats: Boolean(NATS_URL) }
  say(describeDemo({ ...demo, link }, state, ownServers, process.stdout.isTTY))
  say(`Ready after ${(performance.now() / 1_000).toFixed(1)} s.`)
  if (!ARGUMENTS.empty) moveDevices(demo)
}

function readPort(text = '8080'): number {
  const port = Number(text)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new Error('BEARING_PORT has to be a port number, 1 to 65535.')
}

async function checkPort(port: number, afterCrash: boolean): Promise<void> {
  const deadline = Date.now() + (afterCrash ? PORT_RELEASE_MS : 0)
  while (!(await isPortFree(port, '127.0.0.1'))) {
    if (Date.now() >= deadline)
      throw new Error(
        `Port ${port} is taken by another program. Choose another one: BEARING_PORT=${await freePort()} npx pnpm start`,
      )
    await sleep(200)
  }
}

let ending = false
async function end(supervisor: Supervisor, code: number): Promise<void> {
  // A second Ctrl-C does not wait: the remaining processes exit when this one has.
  if (ending) process.exit(1)
  ending = true
  await supervisor.stop()
  process.exit(code)
}

const supervisor = new Supervisor(say)
const stop = () => {
  say('\nStopping …')
  void end(supervisor, 0)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
onLauncherGone(stop)

try {
  await start(supervisor)
} catch (error) {
  // A signal may have been received meanwhile, which the compiler cannot know.
  if (!(ending as boolean)) {
    const isBug = error instanceof TypeError || error instanceof ReferenceError
    console.error(isBug ? error : (error as Error).message)
    await end(supervisor, 1)
  }
}
