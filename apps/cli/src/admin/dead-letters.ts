import {
  MAX_DEAD_LETTERS,
  listDeadLetters,
  replayDeadLetters,
} from '@bearing/contracts/management/dead-letter'
import type { Output } from '@bearing/contracts/operation'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { VARIABLES } from '../environment.js'
import { FLAGS } from '../flags.js'
import type { Operator } from '../operator.js'
import { count } from '../output/format.js'
import { startProgress } from '../output/progress.js'
import { UsageError } from '../usage-error.js'
import { withOperator } from './with-operator.js'

interface AtNats {
  readonly natsUrl?: string
}

type Replayed = Output<typeof replayDeadLetters>

/** `bearing admin dead-letters list` and `replay` */
export function addDeadLetters(admin: Command, cli: Cli): void {
  const letters = admin
    .command('dead-letters')
    .description('what devices have sent and could not be stored; for operators, over NATS')
  const natsUrl = [`${FLAGS.natsUrl} <url>`, `address of NATS [${VARIABLES.natsUrl}]`] as const
  letters
    .command('list')
    .description('list them')
    .option(...natsUrl)
    .action(async ({ natsUrl }: AtNats) => {
      const found = await withOperator(cli, natsUrl, readAll)
      cli.output.table(found, [
        ['Number', ({ number }) => String(number), 'right'],
        ['Device', ({ device_serial }) => device_serial ?? '–'],
        ['Project', ({ project_id }) => project_id ?? '–'],
        ['Received', ({ received_at }) => received_at ?? '–'],
        ['Bytes', ({ size }) => count(size), 'right'],
        ['Reason', ({ reason }) => reason],
      ])
    })
  letters
    .command('replay')
    .description('try again to store them, at their place among the others')
    .argument('[numbers...]', 'their numbers')
    .option('--all', 'all that there are')
    .option(...natsUrl)
    .action(async (given: string[], { natsUrl, all }: AtNats & { all?: boolean }) => {
      if (given.length > 0 === (all === true)) throw new UsageError('Give numbers, or --all.')
      const numbers = given.map(toNumber)
      const { replayed, failed } = await withOperator(cli, natsUrl, async (operator) =>
        replayAll(cli, operator, all ? (await readAll(operator)).map(({ number }) => number) : numbers),
      )
      cli.output.done(`${count(replayed.length)} stored, ${count(failed.length)} not.`)
      cli.output.table(
        [
          ...replayed.map((number) => ({ number, outcome: 'stored' })),
          ...failed.map(({ number, reason }) => ({ number, outcome: reason })),
        ],
        [
          ['Number', ({ number }) => String(number), 'right'],
          ['Outcome', ({ outcome }) => outcome],
        ],
      )
      if (failed.length > 0) cli.exitCode = 1
    })
}

async function readAll(operator: Operator): Promise<Output<typeof listDeadLetters>['data']> {
  const all: Output<typeof listDeadLetters>['data'] = []
  for (let after: number | null = 0; after !== null;) {
    const part: Output<typeof listDeadLetters> = await operator.call(listDeadLetters, { after })
    all.push(...part.data)
    after = part.next
  }
  return all
}

async function replayAll(cli: Cli, operator: Operator, numbers: readonly number[]): Promise<Replayed> {
  const outcome: Replayed = { replayed: [], failed: [] }
  const progress = startProgress(cli.output, 'Replaying', numbers.length, cli.terminal.stderr)
  try {
    for (let done = 0; done < numbers.length; done += MAX_DEAD_LETTERS) {
      const some = numbers.slice(done, done + MAX_DEAD_LETTERS)
      const { replayed, failed } = await operator.call(replayDeadLetters, { numbers: some })
      outcome.replayed.push(...replayed)
      outcome.failed.push(...failed)
      progress.update(done + some.length, `${count(outcome.replayed.length)} stored`)
    }
  } finally {
    progress.stop()
  }
  return outcome
}

function toNumber(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new UsageError(
    `"${text}" is no number of a dead letter.`,
    'bearing admin dead-letters list shows them.',
  )
}
