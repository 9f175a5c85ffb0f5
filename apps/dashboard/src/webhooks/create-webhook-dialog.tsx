import type { WebhookEvent } from '@bearing/contracts/management/webhook'
import { useState } from 'react'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { AsCommand, quoted } from '../parts/command.js'
import { Field } from '../parts/field.js'
import { FormDialog } from '../parts/form-dialog.js'
import { Secret } from '../parts/secret.js'
import {
  destinationOf,
  DestinationFields,
  isSink,
  NO_DESTINATION,
  withoutCredentials,
  type DestinationDraft,
} from './destination-fields.js'
import { EventChecks } from './event-checks.js'
import { DEFAULT_EVENTS } from './webhook.js'

const EXAMPLE = 'https://hooks.example.com/bearing'

/** Creates a webhook. The same dialog then shows its secret, once. */
export function CreateWebhookDialog({ onClose }: { readonly onClose: () => void }) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const [url, urlInput] = useInput('')
  const [description, descriptionInput] = useInput('')
  const [events, setEvents] = useState(DEFAULT_EVENTS)
  const [draft, setDraft] = useState(NO_DESTINATION)
  const [secret, setSecret] = useState<string>()
  const destination = destinationOf(draft)
  const input = {
    ...{ organization, project, url: url.trim() },
    ...(destination ? { destination } : { events: [...events] }),
    ...(description.trim() !== '' && { description: description.trim() }),
  }
  const action = useAction(async () => {
    const created = await client.call('createWebhook', input)
    if (created.secret === '') onClose()
    else setSecret(created.secret)
  })
  return (
    <FormDialog
      title={secret === undefined ? 'Create a webhook' : 'The secret of the webhook'}
      action={action}
      verb="Create"
      isDisabled={events.length === 0}
      result={
        secret && (
          <Secret secret={secret} of="the secret" onSaved={onClose}>
            <p className="quiet">
              Deliveries are signed with it. The page of the webhook has code that verifies them. If it gets
              lost, rotate it.
            </p>
          </Secret>
        )
      }
      onClose={onClose}
    >
      <Field
        label="URL"
        name="url"
        type="url"
        placeholder={EXAMPLE}
        hint="https, and public unless the operator allows private ranges."
        isRequired
        autoFocus
        {...urlInput}
      />
      <Field label="Description (optional)" name="description" maxLength={128} {...descriptionInput} />
      <DestinationFields draft={draft} onChange={setDraft} />
      {!destination && <EventChecks chosen={events} onChange={setEvents} />}
      <AsCommand
        bearing={commandFor(`--org ${organization} --project ${project}`, url, events, description, draft)}
        call={[
          'createWebhook',
          {
            ...{ ...input, url: input.url || EXAMPLE },
            ...(destination && { destination: destinationOf(withoutCredentials(draft)) }),
          },
        ]}
      />
    </FormDialog>
  )
}

function commandFor(
  scope: string,
  url: string,
  events: readonly WebhookEvent[],
  description: string,
  draft: DestinationDraft,
): string {
  const { kind, option, format, lockDays, ca } = draft
  const contents = kind !== 'syslog' && isSink(draft) ? ['  --source audit-log'] : []
  return [
    `bearing ${scope} webhooks create ${quoted(url || EXAMPLE)}`,
    ...(kind === 'webhook' && events.length > 0 ? [`  --event ${events.join(' ')}`] : []),
    ...(kind === 'webhook' ? [] : [`  --to ${kind}`]),
    ...(option.trim() === ''
      ? []
      : [`  --${kind === 's3' ? 'region' : 'key-header'} ${quoted(option.trim())}`]),
    ...contents,
    ...(isSink(draft) && format !== 'json' ? [`  --format ${format}`] : []),
    ...(contents.length > 0 && lockDays.trim() !== '' ? [`  --lock-days ${lockDays.trim()}`] : []),
    ...(kind === 'syslog' && ca.trim() !== '' ? ['  --ca ca.pem'] : []),
    ...(description.trim() === '' ? [] : [`  --description ${quoted(description.trim())}`]),
  ].join(' \\\n')
}
