import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProcess } from '@bearing/local/process'
import { connectNats } from '@bearing/nats/connection'
import { startStack } from '@bearing/testing/stack'
import { residentBytes } from './memory.js'
import { pausesOf, probed, type Pauses } from './pauses/probed.js'
import { storeSurveys } from './pauses/store-surveys.js'
import { LookUps } from './scale/look-ups.js'
import { PER_PLACE } from './scale/places.js'
import { storePlaces } from './scale/store-places.js'

const CACHED = 200_000
const SURVEYED = 100_000
const PROJECTS = 20
const ROUNDS = 20
const ROUND_MS = 1_000
/** After a project was indexed: what is left of it has ended by then. */
const SETTLED_MS = 300
const AIM_MS = 2
const MIB = 1024 * 1024

const say = (text: string) => process.stdout.write(`${text}\n`)

/**
 * `pnpm bench:pauses`: how long the event loop of a location service is held at the longest, against an idle process in the
 * same run: at rest, under look-ups with 200,000 cached access points, and while the 20,000 reference scans of one
 * project after the other are indexed.
 */
const folder = await mkdtemp(join(tmpdir(), 'bearing-pauses-'))
const stack = await startStack({
  postgres: 'own',
  services: ['identity', 'location'],
  gateways: 0,
  environment: {
    identity: { LOG_LEVEL: 'warn' },
    location: {
      ...probed(folder),
      LOG_LEVEL: 'warn',
      LOCATION_CACHE_ACCESS_POINTS: String(CACHED),
    },
  },
})
const idle = await startProcess({
  name: 'idle',
  command: process.execPath,
  args: ['--eval', 'setInterval(() => undefined, 60_000)'],
  env: probed(folder),
  log: say,
})
const nats = await connectNats({ url: stack.natsUrl, name: 'bench' })
try {
  say(`${String(cpus().length)} × ${cpus()[0]?.model ?? '?'}, Node ${process.version}`)
  await storePlaces(stack, CACHED)
  const lookUps = await LookUps.open(nats, CACHED)
  const projects = await storeSurveys(stack, lookUps.organizationId, SURVEYED, PROJECTS)
  await rounds('at rest', ROUNDS, () => sleep(ROUND_MS))
  await lookUps.askForAll()
  await rounds('under look-ups', ROUNDS, async () => {
    const end = performance.now() + ROUND_MS
    while (performance.now() < end) await lookUps.measure(PER_PLACE)
  })
  await rounds('indexing a project', PROJECTS, async (round) => {
    await lookUps.measure(1, projects[round])
    await sleep(SETTLED_MS)
  })
  say(`\nThe aim is ${String(AIM_MS)} ms.`)
} finally {
  await nats.drain()
  await idle.stop()
  await stack.stop()
  await rm(folder, { recursive: true, force: true })
}

async function rounds(name: string, count: number, round: (number: number) => Promise<unknown>) {
  const { pid } = stack.part('location')
  const seen: Record<'service' | 'idle', Pauses[]> = { service: [], idle: [] }
  for (let number = 0; number < count; number++) {
    await Promise.all([pausesOf(folder, pid), pausesOf(folder, idle.pid)])
    await round(number)
    seen.service.push(await pausesOf(folder, pid))
    seen.idle.push(await pausesOf(folder, idle.pid))
  }
  const list = (pauses: readonly Pauses[], key: keyof Pauses) =>
    pauses
      .map((each) => each[key])
      .sort((one, other) => one - other)
      .map((ms) => ms.toFixed(1))
      .join(' ')
  say(`\n${name}: longest pause of each of ${String(count)} rounds, ms`)
  say(`  service            ${list(seen.service, 'longestMs')}`)
  say(`  idle process       ${list(seen.idle, 'longestMs')}`)
  say(`  service, processor ${list(seen.service, 'usedMs')}`)
  say(`  idle, processor    ${list(seen.idle, 'usedMs')}`)
  say(`  minor collections  ${list(seen.service, 'minorMs')}`)
  say(`  major collections  ${list(seen.service, 'majorMs')}`)
  say(`  memory ${((await residentBytes(pid)) / MIB).toFixed(0)} MiB`)
}
