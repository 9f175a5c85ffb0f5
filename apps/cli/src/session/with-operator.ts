import { VARIABLES } from '../ground/environment.js'
import { FLAGS } from '../ground/flags.js'
import { UsageError } from '../ground/usage-error.js'
import type { Cli } from './cli.js'
import type { Operator } from './operator.js'

/**
 * Runs work as the operator, over NATS.
 *
 * @param natsUrl value of the flag (default: from the environment)
 * @throws UsageError if there is no URL
 */
export async function withOperator<Result>(
  cli: Cli,
  natsUrl: string | undefined,
  work: (operator: Operator) => Promise<Result>,
): Promise<Result> {
  const { settings } = cli.terminal.environment
  const url = natsUrl ?? settings.natsUrl
  if (!url)
    throw new UsageError(
      `Give ${FLAGS.natsUrl} or set ${VARIABLES.natsUrl}.`,
      'For "pnpm start", both settings of the operator are in .bearing/operator.env.',
    )
  // Loaded on demand, because few commands use NATS.
  const { Operator } = await import('./operator.js')
  const operator = await Operator.connect({ url, nkeySeed: settings.natsNkeySeed }, cli.terminal.now)
  try {
    return await work(operator)
  } finally {
    await operator.close()
  }
}
