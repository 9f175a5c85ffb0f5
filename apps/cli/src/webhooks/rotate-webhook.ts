import { Option, type Command } from 'commander'
import type { Cli } from '../cli.js'
import { graceSeconds } from '../grace.js'
import { printWebhook } from './print-webhook.js'

/** `bearing webhooks rotate` */
export function addRotateWebhook(webhooks: Command, cli: Cli): void {
  webhooks
    .command('rotate')
    .description('give a webhook a new secret; for a while deliveries are signed with the one before, too')
    .argument('<id>', 'id of the webhook')
    .addOption(
      new Option('--grace <span>', 'how long the one before signs too, at most 7d: 12h or 2d').default('1d'),
    )
    .option('--at-once', 'without a grace: where the one before has leaked')
    .action(async (webhook_id: string, { grace, atOnce }: { grace: string; atOnce?: true }) => {
      const grace_seconds = atOnce ? 0 : graceSeconds(grace)
      const { client, organization, project } = await cli.session()
      const rotated = await client.call('rotateWebhook', {
        organization,
        project,
        webhook_id,
        ...(grace_seconds !== undefined && { grace_seconds }),
      })
      cli.output.done('Secret replaced.')
      printWebhook(cli, rotated)
    })
}
