import { type WebhookEvent, WEBHOOK_EVENTS } from '@bearing/contracts/management/webhook'
import type { CallOutput } from '@bearing/client/call-types'
import { Option, InvalidArgumentError } from 'commander'
import { ID, verb } from '../session/verb.js'
import { EXIT, type Cli } from '../session/cli.js'
import { idFrom, addLimit, type LimitFlag } from '../ground/arguments.js'
import { answerOf } from './list-deliveries.js'
import { retryForSecret } from '@bearing/client/retry-transient'
import { warnOfLocalName, LISTEN_HINT } from '../session/hint.js'
import { UsageError } from '../ground/usage-error.js'
import { addReplaceOptions, graceOf, type ReplaceFlags } from '../ground/times.js'
import { moment } from '../ground/output/format.js'

verb('webhooks list', {}, (command, cli) =>
  addLimit(command)
    .description('list the webhooks of a project')
    .action(async ({ limit }: LimitFlag) => {
      const { client, organization, project } = await cli.session()
      const found = await client.listAll('listWebhooks', { organization, project }, { limit })
      cli.output.table(
        found,
        { Address: 'url', State: stateOf, Events: ({ events }) => events.join(' '), Id: 'id' },
        'No webhooks yet. Create one: bearing webhooks create <url>',
      )
    }),
)

verb('webhooks show', { examples: [ID] }, (command, cli) =>
  command
    .description('show a webhook, without its secret')
    .argument('<id>', 'id of the webhook', idFrom('bearing webhooks list'))
    .action(async (webhook_id: string) => {
      const { client, organization, project } = await cli.session()
      printWebhook(cli, await client.call('showWebhook', { organization, project, webhook_id }))
    }),
)

verb(
  'webhooks delete',
  { examples: [ID], question: 'Delete the webhook with its deliveries?' },
  (command, cli) =>
    command
      .description('delete a webhook and its deliveries')
      .argument('<id>', 'id of the webhook', idFrom('bearing webhooks list'))
      .action(async (webhook_id: string) => {
        const { client, organization, project } = await cli.session()
        await client.call('deleteWebhook', { organization, project, webhook_id })
        cli.output.done('Webhook deleted.')
      }),
)

interface Flags {
  readonly description?: string
  readonly event?: WebhookEvent[]
}

verb(
  'webhooks create',
  { examples: ['https://hooks.example.com/bearing --event coredump.uploaded'] },
  (command, cli) =>
    command
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
      }),
)

interface SetWebhookFlags {
  readonly address?: string
  readonly description?: string
  readonly event?: WebhookEvent[]
  readonly paused?: 'yes' | 'no'
}

verb('webhooks set', { examples: [`${ID} --paused yes`] }, (command, cli) =>
  command
    .description('change, pause or resume a webhook')
    .argument('<id>', 'id of the webhook', idFrom('bearing webhooks list'))
    // `--url` is the gateway.
    .option('--address <address>', 'public https URL of the receiver')
    .option('--description <text>', 'purpose')
    .addOption(eventOption('events to send'))
    .addOption(new Option('--paused <answer>', 'pause the webhook; "no" resumes it').choices(['yes', 'no']))
    .action(async (webhook_id: string, flags: SetWebhookFlags) => {
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
    }),
)

verb('webhooks rotate', { examples: [`${ID} --grace 2d`] }, (command, cli) =>
  addReplaceOptions(command)
    .description('replace the secret of a webhook; during the grace period deliveries are signed with both')
    .argument('<id>', 'id of the webhook', idFrom('bearing webhooks list'))
    .action(async (webhook_id: string, flags: ReplaceFlags) => {
      const grace = graceOf(flags)
      if (!flags.yes)
        await cli.confirm(
          grace.seconds === 0
            ? 'Replace the secret? Deliveries are no longer signed with the old one.'
            : `Replace the secret? Deliveries are signed with both for ${grace.text}.`,
        )
      const { client, organization, project } = await cli.session()
      const rotated = await retryForSecret(cli.terminal.signal, client, 'rotateWebhook', {
        organization,
        project,
        webhook_id,
        grace_seconds: grace.seconds,
      })
      cli.output.done('Secret replaced.')
      printWebhook(cli, rotated)
    }),
)

verb('webhooks test', { examples: [ID] }, (command, cli) =>
  command
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
    }),
)

type Webhook = CallOutput<'showWebhook'>

/** Prints a webhook, and its new secret if there is one. */
function printWebhook({ output }: Cli, webhook: Webhook & { readonly secret?: string }): void {
  const { secret, previous_secret_until: until } = webhook
  output.record(
    {
      ...(secret !== undefined && { Secret: secret }),
      Address: webhook.url,
      Description: webhook.description ?? '–',
      Events: webhook.events.join(' '),
      State: stateOf(webhook),
      ...(until !== null && { 'Previous secret': `signs until ${moment(until)}` }),
      Created: moment(webhook.created_at),
      Id: webhook.id,
    },
    webhook,
  )
  if (secret !== undefined) output.notice('The secret is shown only once. Store it in a safe place.')
}

const REASONS = {
  by_user: 'by a user',
  failing: 'no delivery was accepted for days',
  gone: 'the receiver is gone (410)',
} as const

/** Describes the state of a webhook. */
function stateOf({ state, paused_reason, paused_at, failing_since }: Webhook): string {
  if (state === 'paused')
    return `paused since ${moment(paused_at)}${paused_reason === null ? '' : ` (${REASONS[paused_reason]})`}`
  return state === 'failing' ? `failing since ${moment(failing_since)}` : 'active'
}

function eventOption(description: string): Option {
  const option = new Option('--event <event>', `${description}; repeatable: ${WEBHOOK_EVENTS.join(', ')}`)
  return option.argParser<WebhookEvent[]>(collect)
}

function collect(text: string, before: readonly WebhookEvent[] = []): WebhookEvent[] {
  const event = WEBHOOK_EVENTS.find((known) => known === text)
  if (!event) throw new InvalidArgumentError(`Use ${WEBHOOK_EVENTS.join(', ')}.`)
  return [...new Set([...before, event])]
}
