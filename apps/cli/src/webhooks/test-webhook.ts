import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { answerOf } from './list-deliveries.js'

export function addTestWebhook(webhooks: Command, cli: Cli): void {
  webhooks
    .command('test')
    .description('send a test event to a webhook, once')
    .argument('<id>', 'id of the webhook')
    .action(async (webhook_id: string) => {
      const { client, organization, project } = await cli.session()
      const delivery = await client.call('testWebhook', { organization, project, webhook_id })
      cli.output.done(
        delivery.state === 'delivered' ? 'The receiver accepted it.' : 'The receiver did not accept it.',
      )
      cli.output.record(
        {
          State: delivery.state,
          Answer: answerOf(delivery),
          Took: `${String(delivery.duration_ms ?? 0)} ms`,
          Id: delivery.id,
        },
        delivery,
      )
    })
}
