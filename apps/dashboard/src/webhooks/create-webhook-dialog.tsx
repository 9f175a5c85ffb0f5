import type { WebhookEvent } from '@bearing/contracts/management/webhook'
import { useState } from 'react'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { AsCommand, quoted } from '../parts/command.js'
import { Dialog } from '../parts/dialog.js'
import { Field } from '../parts/field.js'
import { FormActions } from '../parts/form-actions.js'
import { Form } from '../parts/form.js'
import { Secret } from '../parts/secret.js'
import { EventChecks } from './event-checks.js'
import { DEFAULT_EVENTS } from './webhook.js'

const EXAMPLE = 'https://hooks.example.com/bearing'

/** Creates a webhook. The same dialog then shows its secret, once. */
export function CreateWebhookDialog({ onClose }: { readonly onClose: () => void }) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const [url, setUrl] = useState('')
  const [description, setDescription] = useState('')
  const [events, setEvents] = useState(DEFAULT_EVENTS)
  const [secret, setSecret] = useState<string>()
  const input = {
    ...{ organization, project, url: url.trim(), events: [...events] },
    ...(description.trim() !== '' && { description: description.trim() }),
  }
  const action = useAction(async () => {
    setSecret((await client.call('createWebhook', input)).secret)
  })
  return (
    <Dialog
      title={secret === undefined ? 'Create a webhook' : 'The secret of the webhook'}
      isLocked={action.isPending || secret !== undefined}
      onClose={onClose}
    >
      {secret !== undefined ? (
        <Secret secret={secret} of="the secret" onSaved={onClose}>
          <p className="quiet">
            Deliveries are signed with it. The page of the webhook has code that verifies them. If it gets
            lost, rotate it.
          </p>
        </Secret>
      ) : (
        <Form error={action.error} onSubmit={() => void action.run()}>
          <Field
            label="URL"
            name="url"
            type="url"
            placeholder={EXAMPLE}
            hint="https, and public unless the operator allows private ranges."
            isRequired
            autoFocus
            value={url}
            onChange={setUrl}
          />
          <Field
            label="Description (optional)"
            name="description"
            maxLength={128}
            value={description}
            onChange={setDescription}
          />
          <EventChecks chosen={events} onChange={setEvents} />
          <AsCommand
            bearing={commandFor(`--org ${organization} --project ${project}`, url, events, description)}
            call={['createWebhook', { ...input, url: input.url || EXAMPLE }]}
          />
          <FormActions action={action} isDisabled={events.length === 0} onCancel={onClose}>
            Create
          </FormActions>
        </Form>
      )}
    </Dialog>
  )
}

function commandFor(
  scope: string,
  url: string,
  events: readonly WebhookEvent[],
  description: string,
): string {
  return [
    `bearing ${scope} webhooks create ${quoted(url || EXAMPLE)}`,
    ...(events.length > 0 ? [`  --event ${events.join(' ')}`] : []),
    ...(description.trim() === '' ? [] : [`  --description ${quoted(description.trim())}`]),
  ].join(' \\\n')
}
