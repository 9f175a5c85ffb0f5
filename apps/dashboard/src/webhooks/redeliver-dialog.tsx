import { useState } from 'react'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { Button } from '../parts/button.js'
import { Choice } from '../parts/choice.js'
import { AsCommand } from '../parts/command.js'
import { Dialog } from '../parts/dialog.js'
import { FormActions } from '../parts/form-actions.js'
import { Form } from '../parts/form.js'
import { rereadWebhooks } from './webhook.js'

const HOUR_MS = 3_600_000
const SPANS = [
  { id: '1h', text: 'The last hour', ms: HOUR_MS },
  { id: '1d', text: 'The last day', ms: 24 * HOUR_MS },
  { id: '3d', text: 'The last 3 days', ms: 72 * HOUR_MS },
  { id: '14d', text: 'The last 14 days', hint: 'All that are still listed.', ms: 336 * HOUR_MS },
] as const

interface Props {
  readonly id: string
  /** Missing: all that have failed since a time. */
  readonly deliveryId?: string
  readonly onClose: () => void
}

/** Sends failed deliveries again, one or all since a time. The same dialog then shows how many. */
export function RedeliverDialog({ id: webhook_id, deliveryId, onClose }: Props) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const [openedMs] = useState(() => Date.now())
  const [span, spanInput] = useInput<string>('1d')
  const [outcome, setOutcome] = useState<string>()
  const ms = SPANS.find(({ id }) => id === span)?.ms ?? 0
  const chosen =
    deliveryId === undefined ? { since: new Date(openedMs - ms).toISOString() } : { delivery_id: deliveryId }
  const input = { organization, project, webhook_id, ...chosen }
  const action = useAction(async () => {
    let redelivered = 0
    for (;;) {
      const reply = await client.call('redeliverWebhook', input)
      redelivered += reply.redelivered
      if (reply.has_more) continue
      setOutcome(
        `Queued again: ${String(redelivered)}.${reply.unavailable > 0 ? ` Not queued, because their content is no longer stored: ${String(reply.unavailable)}.` : ''}`,
      )
      break
    }
    await rereadWebhooks()
  })
  const flag = deliveryId === undefined ? `--since ${span}` : `--delivery ${deliveryId}`
  return (
    <Dialog
      title={deliveryId === undefined ? 'Redeliver failed deliveries' : 'Redeliver the delivery'}
      isLocked={action.isPending}
      onClose={onClose}
    >
      {outcome !== undefined ? (
        <>
          <p role="status">{outcome}</p>
          <div className="actions">
            <Button autoFocus onPress={onClose}>
              Close
            </Button>
          </div>
        </>
      ) : (
        <Form onSubmit={() => void action.run()}>
          <p>
            The receiver gets the same <code>webhook-id</code> and body again, with a new signature. What it
            has accepted is not sent again.
          </p>
          {deliveryId === undefined && <Choice label="Failed in" {...spanInput} options={SPANS} />}
          <AsCommand
            bearing={`bearing --org ${organization} --project ${project} webhooks redeliver ${webhook_id} ${flag}`}
            call={['redeliverWebhook', input]}
          />
          <FormActions action={action} onCancel={onClose}>
            Redeliver
          </FormActions>
        </Form>
      )}
    </Dialog>
  )
}
