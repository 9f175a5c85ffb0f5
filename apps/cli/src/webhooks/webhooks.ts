import { WEBHOOK_EVENTS } from '@bearing/contracts/management/webhook'
import type { CallOutput } from '@bearing/client/call-types'
import { ID, callVerb, listVerb } from '../session/verb.js'
import { EXIT, type Cli } from '../session/cli.js'
import { idOf, someOf, answer, requireChange } from '../ground/arguments.js'
import { destinationFlags, destinationOf } from './destination.js'
import { answerOf } from './list-deliveries.js'
import { warnOfLocalName, LISTEN_HINT } from '../session/hint.js'
import { replaceFlags, graceOf } from '../ground/times.js'
import { moment } from '../ground/output/format.js'

const WEBHOOK = { '<id>': idOf('id of the webhook', 'bearing webhooks list') } as const

listVerb('webhooks list', {
  about: 'list the webhooks of a project',
  list: 'listWebhooks',
  columns: { Address: 'url', State: stateOf, Events: ({ events }) => events.join(' '), Id: 'id' },
  empty: 'No webhooks yet. Create one: bearing webhooks create <url>',
})

callVerb('webhooks show', {
  about: 'show a webhook, without its secret',
  takes: WEBHOOK,
  examples: [ID],
  call: 'showWebhook',
  input: ({ id: webhook_id }) => ({ webhook_id }),
  after: printWebhook,
})

callVerb('webhooks delete', {
  about: 'delete a webhook and its deliveries',
  takes: WEBHOOK,
  examples: [ID],
  question: 'Delete the webhook with its deliveries?',
  call: 'deleteWebhook',
  input: ({ id: webhook_id }) => ({ webhook_id }),
  done: 'Webhook deleted.',
})

callVerb('webhooks create', {
  about: 'send the events of a project to a URL; the secret is shown once',
  takes: {
    '<url>': 'public https URL of the receiver; for one on this machine see "bearing webhooks listen"',
    '--description <text>': 'purpose',
    '--event <event>': events('events to send (default: device.first_seen and coredump.uploaded)'),
    ...destinationFlags('what the URL is, if it is no receiver of events'),
  },
  help: `With --to the webhook receives what devices send, and nothing else: signed lines of JSON, compressed by gzip (ndjson); objects
in a bucket (s3), where the URL is the server, the bucket and a prefix; or, chunks and files as devices have sent them, the device API
of another service (device_api). Credentials are read from standard input. With --source audit-log, or --to syslog, where the URL is
tls://host:port, it receives the audit log of the organization, from its first row.`,
  examples: [
    'https://hooks.example.com/bearing --event coredump.uploaded',
    'https://s3.eu-central-1.amazonaws.com/bucket/prefix --to s3 --region eu-central-1',
    'tls://siem.example.com:6514 --to syslog --format ocsf',
  ],
  call: 'createWebhook',
  secret: true,
  input: async ({ url, description, event, ...flags }, _, cli) => ({
    ...{ url, description, events: event, destination: await destinationOf(cli, flags) },
  }),
  done: 'Webhook created.',
  after: (cli, created, { url }) => {
    printWebhook(cli, created)
    warnOfLocalName(cli.output, url)
  },
})

callVerb('webhooks set', {
  about: 'change, pause or resume a webhook',
  takes: {
    ...WEBHOOK,
    '--address <address>': 'public https URL of the receiver',
    '--description <text>': 'purpose',
    '--event <event>': events('events to send'),
    '--paused <answer>': answer('pause the webhook; "no" resumes it'),
    ...destinationFlags('read other credentials, for the kind that it has'),
  },
  examples: [`${ID} --paused yes`],
  call: 'changeWebhook',
  input: async ({ id, ...flags }, _, cli) => {
    const { address, description, event, paused, ...to } = requireChange(flags)
    const about = { description: description === '' ? null : description }
    const destination = await destinationOf(cli, to)
    return { webhook_id: id, url: address, ...about, events: event, paused, destination }
  },
  done: 'Webhook changed.',
  after: (cli, changed, { address }) => {
    printWebhook(cli, changed)
    if (address !== undefined) warnOfLocalName(cli.output, address)
  },
})

callVerb('webhooks rotate', {
  about: 'replace the secret of a webhook; during the grace period deliveries are signed with both',
  takes: { ...replaceFlags(), ...WEBHOOK },
  examples: [`${ID} --grace 2d`],
  call: 'rotateWebhook',
  secret: true,
  input: async ({ id, ...flags }, _, cli) => {
    const grace = graceOf(flags)
    if (!flags.yes)
      await cli.confirm(
        grace.seconds === 0
          ? 'Replace the secret? Deliveries are no longer signed with the old one.'
          : `Replace the secret? Deliveries are signed with both for ${grace.text}.`,
      )
    return { webhook_id: id, grace_seconds: grace.seconds }
  },
  done: 'Secret replaced.',
  after: printWebhook,
})

callVerb('webhooks test', {
  about: 'send a test event to a webhook, once',
  takes: WEBHOOK,
  examples: [ID],
  call: 'testWebhook',
  input: ({ id }) => ({ webhook_id: id }),
  after: (cli, delivery) => {
    if (delivery.state === 'delivered') cli.output.done('The receiver accepted it.')
    else {
      cli.output.notice('The receiver did not accept it.')
      cli.exitCode = EXIT.refused
    }
    const took = ({ duration_ms: ms }: typeof delivery) => `${String(ms ?? 0)} ms`
    cli.output.show(delivery, { State: 'state', Answer: answerOf, Took: took, Id: 'id' })
    // Of an address that is not public the server says the same as of a name that does not exist.
    if (delivery.error === 'unreachable' || delivery.error === 'not_allowed') cli.output.say(LISTEN_HINT)
  },
})

type Webhook = CallOutput<'showWebhook'>

/** Prints a webhook, and its new secret if there is one. */
function printWebhook({ output }: Cli, webhook: Webhook & { readonly secret?: string }): void {
  const { secret, previous_secret_until: until } = webhook
  output.show(webhook, {
    Secret: () => secret || undefined,
    ...{ Kind: 'kind', Address: 'url', Description: 'description', Events: ({ events }) => events.join(' ') },
    State: stateOf,
    'Previous secret': () => (until === null ? undefined : `signs until ${moment(until)}`),
    ...{ Created: 'created_at', Id: 'id' },
  })
  if (secret) output.notice('The secret is shown only once. Store it in a safe place.')
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

function events(description: string) {
  return someOf(`${description}; repeatable: ${WEBHOOK_EVENTS.join(', ')}`, WEBHOOK_EVENTS)
}
