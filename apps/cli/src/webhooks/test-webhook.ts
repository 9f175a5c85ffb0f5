import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { idFrom } from '../id-argument.js'
import { EXIT } from '../error-report.js'
import { LISTEN_HINT } from './listen-hint.js'
import { answerOf } from './list-deliveries.js'

export function addTestWebhook(webhooks: Command, cli: Cli): void {
  webhooks
    .command('test')
    .description('send a test event to a webhook, once')
    .argument('<id>', 'id of the webhook', idFrom('bearing webhooks list'))
    .action(async (webhook_id: string) => {
      const { client, organization, project } = await cli.session()
      const delivery = await client.call('testWebhook', { organization, project, webhook_id })
      if (delivery.state === 'delivered') cli.output.done('The receiver accepted it.')
      else {
        cli.output.notice('The receiver did not accept it.')
        cli.exitCode = EXIT.refused
      }
      cli.output.record(
        {
          State: delivery.state,
          Answer: answerOf(delivery),
          Took: `${String(delivery.duration_ms ?? 0)} ms`,
          Id: delivery.id,
        },
        delivery,
      )
      // Of an address that is not public the server says the same as of a name that does not exist.
      if (delivery.error === 'unreachable' || delivery.error === 'not_allowed') cli.output.say(LISTEN_HINT)
    })
}
