import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HostStack, TWO_OF_EACH } from '@bearing/testing/hosts/host-stack'
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals'
import { randomFrom } from '../campaigns/malformed-credentials.js'
import { describeOnHosts } from './describe-on-hosts.js'
import { natsCut, NATS_LEADER, PRIMARY_CUT } from './faults.js'
import { kills } from './kills.js'
import { PARTITIONS_GROW } from './partitions.js'
import { ROOT } from '../tools/root.js'
import { describeStreams } from './streams.js'
import { openLab, runFault, type Fault, type Lab, type Outcome } from './run-fault.js'

/** So often a replacement is tried: requests may fail for no other reason than that the machine is busy. */
const ATTEMPTS = 3
/** Factor by which clients send slower than in the campaign. */
const SLOWER = 3
/** Logs of all processes after an outcome that is wrong on any machine. */
const LOGS = join(ROOT, '.bearing', 'test-logs', 'hosts')

// `pnpm campaign hosts` has more faults, and longer ones, and bars of seconds and percent: here machines may be busy.
describeOnHosts('two of each process on hosts, under reads and writes', () => {
  let stack: HostStack
  let lab: Lab

  beforeAll(async () => {
    stack = await HostStack.start(TWO_OF_EACH)
    lab = await openLab({
      stack,
      random: randomFrom(jest.getSeed()),
      report: () => undefined,
      slower: SLOWER,
    })
  })

  afterAll(() => stack.stop())

  it.each([
    ['the leader of a stream is killed', NATS_LEADER],
    ['the host of a NATS server vanishes without a word', natsCut(10_000)],
    ['processes and NATS servers are killed', kills((count) => count < 4)],
  ])('lose nothing that was acknowledged, store nothing twice, and recover if %s', async (_, fault) => {
    expect((await run(fault)).wrong).toEqual([])
  })

  it('fail no request while every process is replaced and the queue of chunks divided among more streams', async () => {
    let outcome = await run(PARTITIONS_GROW)
    for (let attempt = 1; attempt < ATTEMPTS && outcome.missed.length > 0; attempt++)
      outcome = await run(PARTITIONS_GROW)
    expect({ wrong: outcome.wrong, missed: outcome.missed }).toEqual({ wrong: [], missed: [] })
  })

  it('lose nothing that was acknowledged, store nothing twice, and recover if the Postgres primary vanishes and its replica is promoted', async () => {
    expect((await run(PRIMARY_CUT)).wrong).toEqual([])
  })

  async function run(fault: Fault): Promise<Outcome> {
    const outcome = await runFault(lab, fault)
    if (outcome.wrong.length > 0) {
      await stack.writeLogs(LOGS)
      await writeFile(join(LOGS, 'streams.ndjson'), await describeStreams(stack))
      process.stderr.write(`the logs of the hosts are in ${LOGS}\n`)
    }
    const { requests, failures, measured, missed } = outcome
    const figures = `${fault.title}: ${String(failures.length)} of ${String(requests)} failed; ${measured}`
    process.stderr.write(`${[figures, ...missed].join('; ')}\n`)
    return outcome
  }
})
