// `pnpm campaign <name> [count] [--seed <n>] [--slower <n>] [--json <file>]`, `pnpm campaign hosts [fault…] [--former <commit>]`: searches that
// take too long for every test run. Prints the progress and the findings; the exit code is 1 if there are any. `pnpm generate`
// writes the output of --json, in tests/campaigns, into docs/reliability.md.
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { newOrganization } from '@bearing/testing/factories'
import { startStack } from '@bearing/testing/stack'
import { simulateDevices } from './devices.js'
import { eraseUnderLoad } from './erasure-load.js'
import { eraseUnderFire } from './erasure.js'
import { rightCredentials } from '../tools/right-credentials.js'
import { breakHosts, rowOf } from './hosts.js'
import { randomFrom, sendMalformed } from './malformed-credentials.js'
import { sendMultipart } from './multipart.js'
import { lineOf, type Results, type Row } from './results.js'
import { findLateAcceptance } from './revocations.js'
import { soak } from './soak.js'

type Run = (count: number, seed: number) => Promise<readonly Row[]>
const CAMPAIGNS: Readonly<Record<string, { readonly count: number; readonly run: Run }>> = {
  credentials: { count: 1_000_000, run: credentials },
  revocations: { count: 100_000, run: revocations },
  multipart: { count: 100_000, run: multipart },
  soak: { count: 10, run: soakFor },
  erasure: { count: 1, run: erasures },
  'erasure-load': { count: 100_000, run: erasureLoad },
  devices: { count: 90, run: devices },
  hosts: { count: 0, run: hosts },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    slower: { type: 'string', default: '100' },
    json: { type: 'string' },
    former: { type: 'string' },
  },
})
const [name = '', ...rest] = positionals
const [count] = rest
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(values.seed)
const campaign = CAMPAIGNS[name]
if (!campaign) {
  say(`pnpm campaign <name> [count] [--seed <n>]; names: ${Object.keys(CAMPAIGNS).join(', ')}.`)
  process.exitCode = 2
} else {
  const began = performance.now()
  const load = loadavg()[0] ?? 0
  const rows = await campaign.run(count === undefined ? campaign.count : Number(count), seed)
  for (const row of rows) say(lineOf(row))
  const clean = rows.every(({ held }) => held)
  if (values.json !== undefined)
    await writeFile(values.json, `${JSON.stringify(resultsOf(rows, load), null, 2)}\n`)
  say(
    `${clean ? 'No findings' : 'FINDINGS'} in ${String(Math.round((performance.now() - began) / 1_000))} s.`,
  )
  process.exitCode = clean ? 0 : 1
}

/** Malformed credentials through a whole gateway: no acceptance, and no internal error. */
async function credentials(count: number, seed: number): Promise<readonly Row[]> {
  const environment = { gateway: { LOG_LEVEL: 'warn' }, identity: { LOG_LEVEL: 'warn' } }
  await using stack = await startStack({
    postgres: 'own',
    gateways: 1,
    services: ['identity', 'management'],
    environment,
    constants: { gateway: { FAILED_CREDENTIALS_PER_ADDRESS: 0 } },
  })
  const own = await newOrganization(stack)
  const right = await rightCredentials(stack.gatewayUrls[0] ?? '', own)
  say(`${String(count)} malformed credentials, seed ${String(seed)}`)
  const report = (done: number) => {
    process.stderr.write(`\r${String(done)}`)
  }
  const path = `/api/v0/organizations/${own.slug}/projects/${own.project.slug}`
  const { statuses, wrong } = await sendMalformed(stack.gatewayUrls[0] ?? '', path, right, {
    count,
    seed,
    report,
  })
  process.stderr.write('\r')
  for (const [status, times] of [...statuses].sort(([a], [b]) => a - b))
    say(`  ${String(status)}: ${String(times)}`)
  for (const { number, status } of wrong.slice(0, 20))
    say(`  number ${String(number)} was answered ${String(status)}`)
  const accepted = wrong.filter(({ status }) => status < 400).length
  return [
    {
      what: 'a request with a malformed credential',
      times: count,
      acknowledged: accepted,
      refused: count - wrong.length,
      seen: `${String(accepted)} accepted, ${String(wrong.length - accepted)} internal errors`,
      bar: 'all refused, no internal error',
      held: wrong.length === 0,
    },
  ]
}

/** Histories of gateways, processes of identity and lost messages: no acceptance after the promised time. */
async function revocations(count: number): Promise<readonly Row[]> {
  say(`${String(count)} histories of a revocation`)
  const found = await findLateAcceptance(count)
  if (found !== undefined) say(found)
  return [
    {
      what: 'simulated history of a revocation, with gateways, processes of identity and lost messages',
      times: count,
      seen: found === undefined ? 'none accepted late' : 'accepted late',
      bar: 'no acceptance after the promised time',
      held: found === undefined,
    },
  ]
}

/** Multipart bodies, well-formed and damaged, through a whole gateway: no internal error, no chunk lost. */
async function multipart(count: number, seed: number): Promise<readonly Row[]> {
  say(`${String(count)} multipart bodies, seed ${String(seed)}`)
  const { statuses, wrong } = await sendMultipart(count, seed, (done) => {
    process.stderr.write(`\r${String(done)}`)
  })
  process.stderr.write('\r')
  for (const [status, times] of [...statuses].sort(([a], [b]) => a - b))
    say(`  ${String(status)}: ${String(times)}`)
  for (const line of wrong.slice(0, 20)) say(`  ${line}`)
  const isClean = wrong.length === 0
  return [
    {
      what: 'a multipart body, well-formed or damaged',
      times: count,
      acknowledged: statuses.get(202) ?? 0,
      ...(isClean && { lost: 0, doubled: 0 }),
      refused: statuses.get(400) ?? 0,
      seen: isClean ? 'no other answer' : `${String(wrong.length)} findings`,
      bar: 'each chunk of a well-formed body stored once; a damaged one accepted or refused as malformed',
      held: isClean,
    },
  ]
}

/** Numbered chunks for some minutes, while everything is killed and started again: all of them stored once, in order. */
async function soakFor(minutes: number, seed: number): Promise<readonly Row[]> {
  say(`${String(minutes)} minutes, seed ${String(seed)}`)
  const outcome = await soak({
    devices: 20,
    shouldContinue: (_, elapsedMs) => elapsedMs < minutes * 60_000,
    random: randomFrom(seed),
    // Twice after some kills, and then no more.
    partitions: [...Array<number>(4).fill(1), ...Array<number>(8).fill(3), 8],
    report: say,
  })
  const { kills, acknowledged, repeated, stored, faults } = outcome
  say(`${String(kills)} kills; ${String(acknowledged)} chunks acknowledged, ${String(stored)} stored`)
  say(`${String(repeated)} requests were not acknowledged and sent again`)
  for (const fault of faults) say(`  ${fault}`)
  const isClean = faults.length === 0
  return [
    {
      what: `a gateway, management, NATS or Postgres killed (kill -9) in ${String(minutes)} min, while 20 devices send`,
      times: kills,
      acknowledged,
      lost: acknowledged - stored,
      ...(isClean && { doubled: 0 }),
      refused: repeated,
      seen: isClean ? 'all in order' : faults.join('; '),
      bar: 'every acknowledged chunk stored once, in order',
      held: isClean && stored === acknowledged,
    },
  ]
}

/** Erasures with something killed at every table: nothing is left, and nothing else touched. */
async function erasures(count: number): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (let round = 0; round < count; round++)
    for (const what of ['organization', 'project'] as const) {
      say(`erasure of one ${what}`)
      const { kills, faults } = await eraseUnderFire({ what, isKilledAt: () => true, report: say })
      say(`${String(kills)} kills`)
      for (const fault of faults) say(`  ${fault}`)
      rows.push({
        what: `a process killed (kill -9) while rows of an erased ${what} are deleted`,
        times: kills,
        seen: faults.length === 0 ? 'nothing left, nothing else touched' : faults.join('; '),
        bar: 'nothing of it is left, no other organization has changed',
        held: faults.length === 0,
      })
    }
  return rows
}

/** The erasure of so many devices, and ten times as many access points, while another organization locates. */
async function erasureLoad(devices: number): Promise<readonly Row[]> {
  const { seconds, before, during } = await eraseUnderLoad({ devices, accessPoints: 10 * devices }, say)
  const phases = Object.entries({ before, during }).map(
    ([phase, { p50, p99, count }]) =>
      `${phase}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of ${String(count)} look-ups`,
  )
  return [
    {
      what: `a project with ${String(devices)} devices and ten times as many access points erased`,
      times: 1,
      seen: [`erased in ${seconds.toFixed(1)} s`, ...phases].join('; '),
      bar: 'it ends',
      held: true,
    },
  ]
}

/** A fleet of 1,000,000 devices for some seconds: nothing lost, no revoked key accepted. */
async function devices(seconds: number, seed: number): Promise<readonly Row[]> {
  const slower = Number(values.slower)
  const faults = await simulateDevices({ seconds, slower, random: randomFrom(seed), report: say })
  return [
    {
      what: `${String(seconds)} s of a fleet of 1,000,000 devices, ${String(slower)} times slower`,
      times: 1,
      seen: faults.length === 0 ? 'nothing lost' : faults.join('; '),
      bar: 'nothing lost, no revoked key accepted',
      held: faults.length === 0,
    },
  ]
}

/** Faults of hosts, by name or all: nothing that was acknowledged lost, and each bar held. */
async function hosts(_: number, seed: number): Promise<readonly Row[]> {
  say(
    `seed ${String(seed)}, load ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  )
  const outcomes = await breakHosts({
    names: rest,
    former: values.former,
    random: randomFrom(seed),
    report: say,
  })
  return outcomes.map(rowOf)
}

function resultsOf(rows: readonly Row[], load: number): Results {
  const command = ['npx pnpm campaign', ...positionals, '--seed', String(seed)].join(' ')
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const date = new Date().toISOString().slice(0, 10)
  return { command, date, commit, load, cores: availableParallelism(), rows }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
