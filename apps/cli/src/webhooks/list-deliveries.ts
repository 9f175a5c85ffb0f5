import type { CallOutput } from '@bearing/client/call-types'
import { ID, verb, listVerb } from '../session/verb.js'
import { idOf } from '../ground/arguments.js'
import { moment, second, counted } from '../ground/output/format.js'
import { readSince } from '../ground/times.js'
import { UsageError } from '../ground/usage-error.js'

type Delivery = CallOutput<'testWebhook'>

listVerb('webhooks deliveries list', {
  about: 'list the deliveries of a webhook in the last 14 days',
  takes: { '<id>': idOf('id of the webhook', 'bearing webhooks list') },
  examples: [ID],
  list: 'listWebhookDeliveries',
  input: ({ id: webhook_id }) => ({ webhook_id }),
  columns: {
    Created: ({ created_at }) => second(created_at),
    Event: 'event',
    Device: 'device_serial',
    State: 'state',
    Answer: answerOf,
    Attempts: 'attempts',
    Next: ({ next_attempt_at }) => moment(next_attempt_at, '–'),
    Id: 'id',
  },
  empty: 'No deliveries in the last 14 days. Send one: bearing webhooks test <id>',
})

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

verb('webhooks redeliver', {
  about: 'send failed deliveries of a webhook again: one of them, or all that have failed since a time',
  takes: {
    '<id>': idOf('id of the webhook', 'bearing webhooks list'),
    '--delivery <id>': idOf('only this delivery', 'bearing webhooks deliveries list <id>'),
    '--since <time>': 'all that have failed since then: 2027-01-31, 2027-01-31T09:00:00Z, or 12h, 7d',
  },
  examples: [`${ID} --since 2d`],
  run: async (cli, { id: webhook_id, delivery, since }) => {
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
  },
})

function deliveries(number: number): string {
  return counted(number, 'delivery').replace(/ys$/, 'ies')
}
