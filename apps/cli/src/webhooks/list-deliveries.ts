import type { CallOutput } from '@bearing/client/call-types'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { idFrom } from '../id-argument.js'
import { addLimit, type LimitFlag } from '../limit.js'
import { count, moment, second } from '../output/format.js'

type Delivery = CallOutput<'testWebhook'>

export function addListDeliveries(webhooks: Command, cli: Cli): void {
  const deliveries = webhooks.command('deliveries').description('deliveries of a webhook')
  addLimit(deliveries.command('list')) // the command was once "deliveries"
    .description('list the deliveries of a webhook in the last 14 days')
    .argument('<id>', 'id of the webhook', idFrom('bearing webhooks list'))
    .action(async (webhook_id: string, { limit }: LimitFlag) => {
      const { client, organization, project } = await cli.session()
      const found = await client.listAll(
        'listWebhookDeliveries',
        { organization, project, webhook_id },
        { limit },
      )
      cli.output.table(
        found,
        [
          ['Created', ({ created_at }) => second(created_at)],
          ['Event', ({ event }) => event],
          ['Device', ({ device_serial }) => device_serial ?? '–'],
          ['State', ({ state }) => state],
          ['Answer', answerOf],
          ['Attempts', ({ attempts }) => count(attempts), 'right'],
          ['Next', ({ next_attempt_at }) => moment(next_attempt_at, '–')],
          ['Id', ({ id }) => id],
        ],
        'No deliveries in the last 14 days. Send one: bearing webhooks test <id>',
      )
    })
}

const ERRORS = {
  status: 'refused',
  timeout: 'too slow',
  unreachable: 'unreachable',
  not_allowed: 'URL not allowed',
} as const

/** Describes the last attempt. */
export function answerOf({ status, error }: Delivery): string {
  return [status, error && ERRORS[error]].filter((part) => part !== null).join(' ') || '–'
}
