import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { retryForSecret } from '../retry-transient.js'
import { idFrom } from '../id-argument.js'
import { addReplaceOptions, graceOf, type ReplaceFlags } from '../grace.js'
import { printWebhook } from './print-webhook.js'

export function addRotateWebhook(webhooks: Command, cli: Cli): void {
  addReplaceOptions(webhooks.command('rotate'))
    .description('replace the secret of a webhook; during the grace period deliveries are signed with both')
    .argument('<id>', 'id of the webhook', idFrom('bearing webhooks list'))
    .action(async (webhook_id: string, flags: ReplaceFlags) => {
      const grace = graceOf(flags)
      if (!flags.yes)
        await cli.confirm(
          grace.seconds === 0
            ? 'Replace the secret? Deliveries are no longer signed with the old one.'
            : `Replace the secret? Deliveries are signed with both for ${grace.text}.`,
        )
      const { client, organization, project } = await cli.session()
      const rotated = await retryForSecret(cli.terminal.signal, client, 'rotateWebhook', {
        organization,
        project,
        webhook_id,
        grace_seconds: grace.seconds,
      })
      cli.output.done('Secret replaced.')
      printWebhook(cli, rotated)
    })
}
