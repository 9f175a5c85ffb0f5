import { Option, type Command } from 'commander'
import type { Cli } from '../cli.js'
import { graceSeconds } from '../grace.js'
import { printWebhook } from './print-webhook.js'

export function addRotateWebhook(webhooks: Command, cli: Cli): void {
  webhooks
    .command('rotate')
    .description('replace the secret of a webhook; during the grace period deliveries are signed with both')
    .argument('<id>', 'id of the webhook')
    .addOption(
      new Option('--grace <span>', 'grace period of the previous secret, at most 7d: 12h or 2d').default(
        '1d',
      ),
    )
    .option('--at-once', 'without a grace period: if the previous secret has leaked')
    .action(async (webhook_id: string, { grace, atOnce }: { grace: string; atOnce?: true }) => {
      const grace_seconds = atOnce ? 0 : graceSeconds(grace)
      const { client, organization, project } = await cli.session()
      const rotated = await client.call('rotateWebhook', {
        organization,
        project,
        webhook_id,
        grace_seconds,
      })
      cli.output.done('Secret replaced.')
      printWebhook(cli, rotated)
    })
}
