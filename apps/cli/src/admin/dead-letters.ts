import {
  listRejectedObservations,
  replayRejectedObservations,
} from '@bearing/contracts/location/observations/rejected-observation'
import { listDeadLetters, replayDeadLetters } from '@bearing/contracts/management/data/dead-letter'
import type { Output } from '@bearing/contracts/operation'
import { MAX_DEAD_LETTERS } from '@bearing/contracts/nats/dead-letters'
import { verb, NATS_URL } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { LIMIT, oneOf } from '../ground/arguments.js'
import { withOperator } from '../session/with-operator.js'
import type { Operator } from '../session/operator.js'
import { count, second } from '../ground/output/format.js'
import { startProgress } from '../ground/output/progress.js'
import { UsageError } from '../ground/usage-error.js'

/** Kinds of dead letters. */
const KINDS = ['chunks', 'observations'] as const
type Kind = (typeof KINDS)[number]

/** A dead letter of either kind. */
type Letter = Omit<Output<typeof listDeadLetters>['data'][number], 'device_serial'> & {
  readonly device_serial?: string | null
}

type Replayed = Output<typeof replayDeadLetters>

const OF = {
  '--of <kind>': { ...oneOf('chunks of devices, or observations', KINDS), initial: 'chunks' },
} as const

verb('admin dead-letters list', {
  about: 'list the oldest first',
  takes: { ...LIMIT, ...OF, ...NATS_URL },
  examples: ['--of observations'],
  run: async (cli, { natsUrl, of, limit }) => {
    const found = await withOperator(cli, natsUrl, (operator) => readAll(operator, of, limit))
    cli.output.table(
      found,
      {
        Number: { right: ({ number }) => String(number) },
        ...(of === 'chunks' && { Device: deviceOf }),
        Project: 'project_id',
        Received: ({ received_at }) => (received_at === null ? '–' : second(received_at)),
        Bytes: 'size',
        Reason: 'reason',
      },
      'No dead letters.',
    )
  },
})

verb('admin dead-letters replay', {
  about: 'store chunks at their original position, or learn from observations, again',
  takes: { '[numbers...]': 'their numbers', '--all': 'all dead letters', ...OF, ...NATS_URL },
  examples: ['17 18'],
  run: async (cli, { numbers: given, natsUrl, all, of }) => {
    if (given.length > 0 === (all === true)) throw new UsageError('Give either numbers, or --all.')
    const numbers = given.map(toNumber)
    const replayed = await withOperator(cli, natsUrl, async (operator) =>
      replayAll(cli, operator, of, all ? (await readAll(operator, of)).map(({ number }) => number) : numbers),
    )
    printReplayed(cli, of, replayed)
  },
})

function printReplayed(cli: Cli, of: Kind, { replayed, failed }: Replayed): void {
  const done = of === 'chunks' ? 'stored' : 'learned from'
  cli.output.done(`${count(replayed.length)} ${done}, ${count(failed.length)} not.`)
  cli.output.table(
    [
      ...replayed.map((number) => ({ number, outcome: done })),
      ...failed.map(({ number, reason }) => ({ number, outcome: reason })),
    ],
    { Number: { right: ({ number }) => String(number) }, Outcome: 'outcome' },
    null,
  )
  if (failed.length > 0) cli.exitCode = 1
}

function deviceOf({ device_serial }: Letter): string {
  return device_serial ?? '–'
}

async function readAll(operator: Operator, of: Kind, limit = Infinity): Promise<Letter[]> {
  const list = of === 'chunks' ? listDeadLetters : listRejectedObservations
  const all: Letter[] = []
  for (let after: number | null = 0; after !== null && all.length < limit;) {
    const part: { data: Letter[]; next: number | null } = await operator.call(list, { after })
    all.push(...part.data)
    after = part.next
  }
  return all.slice(0, limit)
}

async function replayAll(
  cli: Cli,
  operator: Operator,
  of: Kind,
  numbers: readonly number[],
): Promise<Replayed> {
  const replay = of === 'chunks' ? replayDeadLetters : replayRejectedObservations
  const outcome: Replayed = { replayed: [], failed: [] }
  using progress = startProgress(cli.output, 'Replaying', numbers.length)
  for (let done = 0; done < numbers.length; done += MAX_DEAD_LETTERS) {
    const some = numbers.slice(done, done + MAX_DEAD_LETTERS)
    const { replayed, failed } = await operator.call(replay, { numbers: some })
    outcome.replayed.push(...replayed)
    outcome.failed.push(...failed)
    progress.update(done + some.length, `${count(outcome.replayed.length)} done`)
  }
  return outcome
}

function toNumber(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new UsageError(
    `"${text}" is not the number of a dead letter.`,
    '"bearing admin dead-letters list" shows the numbers.',
  )
}
