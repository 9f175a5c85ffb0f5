import type { WebhookEvent } from '@bearing/contracts/management/webhook'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { retryForSecret } from '../retry-transient.js'
import { warnOfLocalName } from './listen-hint.js'
import { printWebhook } from './print-webhook.js'
import { eventOption } from './webhook-events.js'

interface Flags {
  readonly description?: string
  readonly event?: WebhookEvent[]
}

export function addCreateWebhook(webhooks: Command, cli: Cli): void {
  webhooks
    .command('create')
    .description('send the events of a project to a URL; the secret is shown once')
    .argument(
      '<url>',
      'public https URL of the receiver; for one on this machine see "bearing webhooks listen"',
    )
    .option('--description <text>', 'purpose')
    .addOption(eventOption('events to send (default: device.first_seen and coredump.uploaded)'))
    .action(async (url: string, { description, event }: Flags) => {
      const { client, organization, project } = await cli.session()
      const created = await retryForSecret(cli.terminal.signal, client, 'createWebhook', {
        organization,
        project,
        url,
        ...(description !== undefined && { description }),
        ...(event && { events: event }),
      })
      cli.output.done('Webhook created.')
      printWebhook(cli, created)
      warnOfLocalName(cli.output, url)
    })
}
