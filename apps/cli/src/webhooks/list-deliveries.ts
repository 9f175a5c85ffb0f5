import type { CallOutput } from '@bearing/client/call-types'
import { ID, verb } from '../session/verb.js'
import { idFrom, addLimit, type LimitFlag } from '../ground/arguments.js'
import { moment, second, counted } from '../ground/output/format.js'
import { readSince } from '../ground/times.js'
import { UsageError } from '../ground/usage-error.js'

type Delivery = CallOutput<'testWebhook'>

verb('webhooks deliveries list', { examples: [ID] }, (command, cli) =>
  addLimit(command) // the command was once "deliveries"
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
        {
          Created: ({ created_at }) => second(created_at),
          Event: 'event',
          Device: 'device_serial',
          State: 'state',
          Answer: answerOf,
          Attempts: 'attempts',
          Next: ({ next_attempt_at }) => moment(next_attempt_at, '–'),
          Id: 'id',
        },
        'No deliveries in the last 14 days. Send one: bearing webhooks test <id>',
      )
    }),
)

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

interface Flags {
  readonly delivery?: string
  readonly since?: string
}

verb('webhooks redeliver', { examples: [`${ID} --since 2d`] }, (command, cli) =>
  command
    .description(
      'send failed deliveries of a webhook again: one of them, or all that have failed since a time',
    )
    .argument('<id>', 'id of the webhook', idFrom('bearing webhooks list'))
    .option('--delivery <id>', 'only this delivery', idFrom('bearing webhooks deliveries list <id>'))
    .option('--since <time>', 'all that have failed since then: 2027-01-31, 2027-01-31T09:00:00Z, or 12h, 7d')
    .action(async (webhook_id: string, { delivery, since }: Flags) => {
      if ((delivery === undefined) === (since === undefined))
        throw new UsageError('Give either --delivery or --since.')
      const chosen = since === undefined ? { delivery_id: delivery } : { since: readSince(since) }
      const { client, organization, project } = await cli.session()
      let redelivered = 0
      for (;;) {
        const reply = await client.call('redeliverWebhook', { organization, project, webhook_id, ...chosen })
        redelivered += reply.redelivered
        if (reply.has_more) continue
        const { unavailable } = reply
        cli.output.done(`Queued again: ${deliveries(redelivered)}.`)
        if (unavailable > 0)
          cli.output.notice(`Not queued: ${deliveries(unavailable)}, whose content is no longer stored.`)
        cli.output.record(
          { Queued: String(redelivered), Unavailable: String(unavailable) },
          { redelivered, unavailable },
        )
        return
      }
    }),
)

function deliveries(number: number): string {
  return counted(number, 'delivery').replace(/ys$/, 'ies')
}
