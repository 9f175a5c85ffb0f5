import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { idFrom } from '../id-argument.js'
import { readSince } from '../moment.js'
import { counted } from '../output/format.js'
import { UsageError } from '../usage-error.js'

interface Flags {
  readonly delivery?: string
  readonly since?: string
}

export function addRedeliverWebhook(webhooks: Command, cli: Cli): void {
  webhooks
    .command('redeliver')
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
    })
}

function deliveries(number: number): string {
  return counted(number, 'delivery').replace(/ys$/, 'ies')
}
