import { cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { measureChangefeed } from './changefeed.js'
import { measureCounting } from './counting.js'
import { measureExchanges } from './exchanges.js'
import { measureFreshTokens } from './device-tokens.js'
import { compareIntrospection } from './introspection.js'
import { measureLoadedRevocations, measureRevocation } from './revocation.js'
import { compareUploads } from './uploads.js'
import { compareSinks } from './sinks.js'
import { httpSides } from './yardsticks/http-sides.js'
import { inTurns } from './yardsticks/in-turns.js'
import { openLab } from './yardsticks/lab.js'
import { httpYardsticks, otherYardsticks } from './yardsticks/list-yardsticks.js'
import { askByTheClock, type OpenLoop } from './yardsticks/open-loop.js'
import { median, resultOf, tableOf } from './yardsticks/yardstick.js'

const HELP = `pnpm bench [--json] [--rounds <n>]

Measures what users pay for: the table at the top of docs/performance.md.

  --json        print the figures for programs
  --rounds <n>  rounds of each side (default: 5)
`
const ROUNDS = 5
const OPEN_LOOP_SECONDS = 6
/** Share of the greatest rate at which latency is measured. */
const OPEN_LOOP_LOAD = 0.7

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: String(ROUNDS) },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help) {
  process.stdout.write(HELP)
  process.exit(0)
}
const rounds = Number(values.rounds)
const say = (line: string) => process.stderr.write(`${line}\n`)

await using lab = await openLab(say)
const { stack, organization } = lab
const sides = await httpSides(lab)
const measured = await inTurns(sides, rounds, say)
const greatest = Math.max(
  ...(['warm look-ups', 'warm look-ups, 128 connections'] as const).map((name) =>
    median(measured[name].map(({ perSecond }) => perSecond)),
  ),
)
const openLoop: OpenLoop[] = []
for (let round = 0; round < rounds; round++) {
  say(`open loop, round ${String(round + 1)} of ${String(rounds)}`)
  const load = { ...sides['warm look-ups'], seconds: OPEN_LOOP_SECONDS }
  const measuredLoop = await askByTheClock(load, greatest * OPEN_LOOP_LOAD)
  if (measuredLoop.refused > 0) throw new Error(`${String(measuredLoop.refused)} look-ups were refused`)
  openLoop.push(measuredLoop)
}
say('uploads')
const target = {
  baseline: lab.ports.bare,
  gateway: stack.gatewayUrls[0] ?? '',
  projectKey: organization.project.key,
}
const uploads = await compareUploads(target, rounds)
say('introspection')
const introspection = await compareIntrospection(stack.natsUrl, organization.token.credential, rounds)
say('new tokens of devices')
const freshTokens = await measureFreshTokens(stack, organization, rounds)
say('revocation')
const revocationMs = await measureRevocation(stack, organization)
const loadedRevocations = await measureLoadedRevocations()
say('changefeed')
const changefeed = await measureChangefeed(stack, organization, rounds)
say('sinks')
const sinks = await compareSinks(stack, organization, rounds)
say('exchanges')
const exchanges = await measureExchanges(stack, sides['warm look-ups'], rounds)
const counting = measureCounting(rounds)
const others = {
  ...{ openLoop, uploads, introspection, freshTokens, revocationMs, loadedRevocations },
  ...{ idle: lab.idle, counting, exchanges, changefeed, sinks },
}
const results = [...httpYardsticks(measured), ...otherYardsticks(others)].map(resultOf)
const machine = {
  processor: `${String(cpus().length)} × ${cpus()[0]?.model ?? '?'}`,
  memory_gib: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  log_level: 'info',
}
process.stdout.write(
  values.json
    ? `${JSON.stringify({ machine, results }, null, 2)}\n`
    : `${Object.values(machine).join(', ')}\n\n${tableOf(results)}\n`,
)
