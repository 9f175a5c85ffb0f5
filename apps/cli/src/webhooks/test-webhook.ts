import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { answerOf } from './list-deliveries.js'

/** `bearing webhooks test` */
export function addTestWebhook(webhooks: Command, cli: Cli): void {
  webhooks
    .command('test')
    .description('send a webhook an event that says it is a test, once')
    .argument('<id>', 'id of the webhook')
    .action(async (webhook_id: string) => {
      const { client, organization, project } = await cli.session()
      const delivery = await client.call('testWebhook', { organization, project, webhook_id })
      cli.output.done(delivery.state === 'delivered' ? 'It was accepted.' : 'It was not accepted.')
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
