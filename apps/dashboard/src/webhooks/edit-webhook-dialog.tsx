import type { WebhookEvent } from '@bearing/contracts/management/webhook'
import { useState } from 'react'
import { useScope } from '../ground/scope.js'
import { useInput } from '../ground/use-input.js'
import { quoted } from '../parts/command.js'
import { Field } from '../parts/field.js'
import { SaveDialog } from '../parts/form-dialog.js'
import { useSave } from '../parts/save-form.js'
import { EventChecks } from './event-checks.js'
import { EVENTS, type Webhook } from './webhook.js'

interface Props {
  readonly webhook: Webhook
  readonly onClose: () => void
}

export function EditWebhookDialog({ webhook, onClose }: Props) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const [url, urlInput] = useInput(webhook.url)
  const [description, descriptionInput] = useInput(webhook.description ?? '')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(
    EVENTS.map(({ id }) => id).filter((id) => webhook.events.includes(id)),
  )
  const input = {
    ...{ organization, project, webhook_id: webhook.id, url: url.trim() },
    description: description.trim() || null,
    events: [...events],
  }
  return (
    <SaveDialog
      title="Change the webhook"
      save={useSave('changeWebhook', input)}
      verb="Save"
      isDisabled={events.length === 0}
      bearing={[
        `bearing --org ${organization} --project ${project} webhooks set ${webhook.id} --address ${quoted(input.url)}`,
        `  --description ${quoted(input.description ?? '')}`,
        ...(events.length > 0 ? [`  --event ${events.join(' ')}`] : []),
      ].join(' \\\n')}
      onClose={onClose}
    >
      <Field label="URL" name="url" type="url" isRequired autoFocus {...urlInput} />
      <Field label="Description (optional)" name="description" maxLength={128} {...descriptionInput} />
      <EventChecks chosen={events} onChange={setEvents} />
    </SaveDialog>
  )
}
