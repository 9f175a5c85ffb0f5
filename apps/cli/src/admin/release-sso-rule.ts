import { releaseSsoRule } from '@bearing/contracts/identity/sso/sign-in-policy'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { VARIABLES } from '../environment.js'
import { FLAGS } from '../flags.js'
import { idFrom } from '../id-argument.js'
import { withOperator } from './with-operator.js'

export function addReleaseSsoRule(admin: Command, cli: Cli): void {
  admin
    .command('sso-not-required')
    .description('stop requiring single sign-on for an organization; for operators, over NATS')
    .argument(
      '<organization id>',
      'id of the organization; verify the identity of the requester',
      idFrom('bearing organizations list', 'organization id'),
    )
    .option(`${FLAGS.natsUrl} <url>`, `URL of NATS [${VARIABLES.natsUrl}]`)
    .action(async (organization_id: string, { natsUrl }: { natsUrl?: string }) => {
      const policy = await withOperator(cli, natsUrl, (operator) =>
        operator.call(releaseSsoRule, { organization_id }),
      )
      cli.output.done('Single sign-on is no longer required. API keys and passwords work again.')
      cli.output.record({ 'Single sign-on': 'not required', Id: organization_id }, policy)
    })
}
