import { resetSecondFactor } from '@bearing/contracts/identity/second-factor'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { VARIABLES } from '../environment.js'
import { FLAGS } from '../flags.js'
import { UsageError } from '../usage-error.js'

/** `bearing admin reset-second-factor` */
export function addResetSecondFactor(admin: Command, cli: Cli): void {
  admin
    .command('reset-second-factor')
    .description('take the second factor away from somebody who has lost it; for operators, over NATS')
    .argument('<email>', 'e-mail address of the user; be sure that it is them who ask')
    .option(`${FLAGS.natsUrl} <url>`, `address of NATS [${VARIABLES.natsUrl}]`)
    .action(
      async (
        email: string,
        { natsUrl = cli.terminal.environment.settings.natsUrl }: { natsUrl?: string },
      ) => {
        if (!natsUrl) throw new UsageError(`Give ${FLAGS.natsUrl} or set ${VARIABLES.natsUrl}.`)
        // Loaded here because few commands speak NATS.
        const { Operator } = await import('../operator.js')
        const { natsNkeySeed: nkeySeed } = cli.terminal.environment.settings
        const operator = await Operator.connect({ url: natsUrl, nkeySeed }, cli.terminal.now)
        try {
          const reset = await operator.call(resetSecondFactor, { email })
          cli.output.done('Second factor taken away, and all sessions ended. The password is enough again.')
          cli.output.record({ 'E-mail': reset.email, Id: reset.user_id }, reset)
        } finally {
          await operator.close()
        }
      },
    )
}
