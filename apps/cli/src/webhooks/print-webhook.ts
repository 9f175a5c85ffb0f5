import type { CallOutput } from '@bearing/client/call-types'
import type { Cli } from '../cli.js'
import { moment } from '../output/format.js'

type Webhook = CallOutput<'showWebhook'>

/** Prints a webhook, and its new secret if there is one. */
export function printWebhook({ output }: Cli, webhook: Webhook & { readonly secret?: string }): void {
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
export function stateOf({ state, paused_reason, paused_at, failing_since }: Webhook): string {
  if (state === 'paused')
    return `paused since ${moment(paused_at)}${paused_reason === null ? '' : ` (${REASONS[paused_reason]})`}`
  return state === 'failing' ? `failing since ${moment(failing_since)}` : 'active'
}
