import { resetSecondFactor } from '@bearing/contracts/identity/people/second-factor'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { VARIABLES } from '../environment.js'
import { FLAGS } from '../flags.js'
import { withOperator } from './with-operator.js'

export function addResetSecondFactor(admin: Command, cli: Cli): void {
  admin
    .command('reset-second-factor')
    .description('reset the second factor of a user who has lost it; for operators, over NATS')
    .argument('<email>', 'email address of the user; verify the identity of the requester')
    .option(`${FLAGS.natsUrl} <url>`, `URL of NATS [${VARIABLES.natsUrl}]`)
    .action(async (email: string, { natsUrl }: { natsUrl?: string }) => {
      const reset = await withOperator(cli, natsUrl, (operator) =>
        operator.call(resetSecondFactor, { email }),
      )
      cli.output.done('Second factor reset, and all sessions ended. The password alone is accepted again.')
      cli.output.record({ 'E-mail': reset.email, Id: reset.user_id }, reset)
    })
}
