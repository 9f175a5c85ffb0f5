import type { WebhookEvent } from '@bearing/contracts/management/webhook'
import { Option, type Command } from 'commander'
import type { Cli } from '../cli.js'
import { idFrom } from '../id-argument.js'
import { UsageError } from '../usage-error.js'
import { warnOfLocalName } from './listen-hint.js'
import { printWebhook } from './print-webhook.js'
import { eventOption } from './webhook-events.js'

interface Flags {
  readonly address?: string
  readonly description?: string
  readonly event?: WebhookEvent[]
  readonly paused?: 'yes' | 'no'
}

export function addSetWebhook(webhooks: Command, cli: Cli): void {
  webhooks
    .command('set')
    .description('change, pause or resume a webhook')
    .argument('<id>', 'id of the webhook', idFrom('bearing webhooks list'))
    // `--url` is the gateway.
    .option('--address <address>', 'public https URL of the receiver')
    .option('--description <text>', 'purpose')
    .addOption(eventOption('events to send'))
    .addOption(new Option('--paused <answer>', 'pause the webhook; "no" resumes it').choices(['yes', 'no']))
    .action(async (webhook_id: string, flags: Flags) => {
      const { address, description, event, paused } = flags
      if (Object.keys(flags).length === 0)
        throw new UsageError('Nothing to change. See --help for the flags.')
      const { client, organization, project } = await cli.session()
      const changed = await client.call('changeWebhook', {
        organization,
        project,
        webhook_id,
        ...(address !== undefined && { url: address }),
        ...(description !== undefined && { description: description === '' ? null : description }),
        ...(event && { events: event }),
        ...(paused && { paused: paused === 'yes' }),
      })
      cli.output.done('Webhook changed.')
      printWebhook(cli, changed)
      if (address !== undefined) warnOfLocalName(cli.output, address)
    })
}
