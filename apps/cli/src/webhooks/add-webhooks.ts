import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { idFrom } from '../id-argument.js'
import { addLimit, type LimitFlag } from '../limit.js'
import { addCreateWebhook } from './create-webhook.js'
import { addListDeliveries } from './list-deliveries.js'
import { addListenWebhooks } from './listen-webhooks.js'
import { printWebhook, stateOf } from './print-webhook.js'
import { addRedeliverWebhook } from './redeliver-webhook.js'
import { addRotateWebhook } from './rotate-webhook.js'
import { addTestWebhook } from './test-webhook.js'
import { addSetWebhook } from './set-webhook.js'

/** `bearing webhooks …` */
export function addWebhooks(program: Command, cli: Cli): void {
  const webhooks = program.command('webhooks').description('URLs that receive the events of a project')
  addListWebhooks(webhooks, cli)
  addShowWebhook(webhooks, cli)
  addCreateWebhook(webhooks, cli)
  addSetWebhook(webhooks, cli)
  addRotateWebhook(webhooks, cli)
  addTestWebhook(webhooks, cli)
  addListDeliveries(webhooks, cli)
  addRedeliverWebhook(webhooks, cli)
  addListenWebhooks(webhooks, cli)
  addDeleteWebhook(webhooks, cli)
}

function addListWebhooks(webhooks: Command, cli: Cli): void {
  addLimit(webhooks.command('list'))
    .description('list the webhooks of a project')
    .action(async ({ limit }: LimitFlag) => {
      const { client, organization, project } = await cli.session()
      const found = await client.listAll('listWebhooks', { organization, project }, { limit })
      cli.output.table(
        found,
        [
          ['Address', ({ url }) => url],
          ['Events', ({ events }) => events.join(' ')],
          ['State', stateOf],
          ['Id', ({ id }) => id],
        ],
        'No webhooks yet. Create one: bearing webhooks create <url>',
      )
    })
}

function addShowWebhook(webhooks: Command, cli: Cli): void {
  webhooks
    .command('show')
    .description('show a webhook, without its secret')
    .argument('<id>', 'id of the webhook', idFrom('bearing webhooks list'))
    .action(async (webhook_id: string) => {
      const { client, organization, project } = await cli.session()
      printWebhook(cli, await client.call('showWebhook', { organization, project, webhook_id }))
    })
}

function addDeleteWebhook(webhooks: Command, cli: Cli): void {
  webhooks
    .command('delete')
    .description('delete a webhook and its deliveries')
    .argument('<id>', 'id of the webhook', idFrom('bearing webhooks list'))
    .action(async (webhook_id: string) => {
      const { client, organization, project } = await cli.session()
      await client.call('deleteWebhook', { organization, project, webhook_id })
      cli.output.done('Webhook deleted.')
    })
}
