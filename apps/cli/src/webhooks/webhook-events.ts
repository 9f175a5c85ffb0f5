import { WEBHOOK_EVENTS, type WebhookEvent } from '@bearing/contracts/management/webhook'
import { InvalidArgumentError, Option } from 'commander'

export function eventOption(description: string): Option {
  const option = new Option('--event <event>', `${description}; repeatable: ${WEBHOOK_EVENTS.join(', ')}`)
  return option.argParser<WebhookEvent[]>(collect)
}

function collect(text: string, before: readonly WebhookEvent[] = []): WebhookEvent[] {
  const event = WEBHOOK_EVENTS.find((known) => known === text)
  if (!event) throw new InvalidArgumentError(`Use ${WEBHOOK_EVENTS.join(', ')}.`)
  return [...new Set([...before, event])]
}
