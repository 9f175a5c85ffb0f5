import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { addressOf } from '../ground/address-of.js'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { countdown } from '../ground/time.js'
import { useAction } from '../ground/use-action.js'
import { useNow } from '../ground/use-now.js'
import { whoCan } from '../ground/who-can.js'
import { Button, PermittedButton } from '../parts/button.js'
import { AsCommand } from '../parts/command.js'
import { ConfirmButton } from '../parts/confirm.js'
import { DialogButton } from '../parts/dialog-button.js'
import { Copied, Facts } from '../parts/facts.js'
import { Loaded } from '../parts/loaded.js'
import { Card, Page } from '../parts/page.js'
import { Problem } from '../parts/problem.js'
import { Time } from '../parts/time.js'
import { AttemptsCard } from './attempts-card.js'
import { DeliveriesCard } from './deliveries-card.js'
import { EditWebhookDialog } from './edit-webhook-dialog.js'
import { RotateWebhookDialog } from './rotate-webhook-dialog.js'
import { SignatureCard } from './signature-card.js'
import {
  answerOf,
  eventText,
  isSigned,
  KINDS,
  pauseReason,
  rereadWebhooks,
  webhookOf,
  type Delivery,
  type Webhook,
} from './webhook.js'
import { StateBadge } from './webhooks-page.js'

const LIST = '/o/$organization/p/$project/webhooks'

/** `…/webhooks/<id>`: one webhook and what became of its events. */
export function WebhookPage() {
  const { organizationSlug: organization, projectSlug: project, refused } = useScope()
  const { webhook: id = '' }: { webhook?: string } = useParams({ strict: false })
  const mayRead = !refused('webhook:read')
  const webhook = useQuery({ ...webhookOf(organization, project, id), enabled: mayRead })
  return (
    <Page
      title="Webhook"
      about={<Link to={addressOf(LIST, organization, project)}>Webhooks</Link>}
      action={webhook.data && <Controls webhook={webhook.data} />}
    >
      {!mayRead && (
        <p className="empty">URLs often contain a secret, so only {whoCan('webhook:read')} see them.</p>
      )}
      {mayRead && (
        <Loaded query={webhook}>
          {(shown) => (
            <>
              <Details webhook={shown} />
              <AttemptsCard id={shown.id} />
              <DeliveriesCard id={shown.id} />
              {isSigned(shown) && <SignatureCard />}
            </>
          )}
        </Loaded>
      )}
    </Page>
  )
}

/** Every change of a webhook needs the same permission. */
function Controls({ webhook }: { readonly webhook: Webhook }) {
  const { organizationSlug: organization, projectSlug: project, refused } = useScope()
  const navigate = useNavigate()
  const why = refused('webhook:manage')
  return (
    <div className="row">
      <DialogButton
        permission="webhook:manage"
        dialog={(close) => <EditWebhookDialog webhook={webhook} onClose={close} />}
        onClosed={rereadWebhooks}
      >
        Change
      </DialogButton>
      {!why && (
        <>
          {isSigned(webhook) && (
            <DialogButton
              dialog={(close) => <RotateWebhookDialog id={webhook.id} onClose={close} />}
              onClosed={rereadWebhooks}
            >
              Rotate the secret
            </DialogButton>
          )}
          <ConfirmButton
            permission="webhook:manage"
            text="Delete"
            title="Delete the webhook?"
            verb="Delete"
            onConfirm={async () => {
              await client.call('deleteWebhook', { organization, project, webhook_id: webhook.id })
              await navigate({ to: addressOf(LIST, organization, project) })
            }}
          >
            <p>
              <code>{webhook.url}</code> receives nothing more. Deliveries that wait are deleted too.
            </p>
            <p className="quiet">To stop it for a while, pause it instead.</p>
          </ConfirmButton>
        </>
      )}
    </div>
  )
}

function Details({ webhook }: { readonly webhook: Webhook }) {
  const { organizationSlug: organization, projectSlug: project, refused } = useScope()
  const [outcome, setOutcome] = useState<Delivery>()
  const address = { organization, project, webhook_id: webhook.id }
  const test = useAction(async () => {
    setOutcome(undefined)
    setOutcome(await client.call('testWebhook', address))
    await rereadWebhooks()
  })
  const pause = useAction(async (paused: boolean) => {
    await client.call('changeWebhook', { ...address, paused })
    await rereadWebhooks()
  })
  const why = refused('webhook:manage')
  const isPaused = webhook.state === 'paused'
  return (
    <Card title={webhook.description ?? 'Details'}>
      <Facts
        facts={{
          Destination: webhook.kind !== 'webhook' && KINDS.find(({ id }) => id === webhook.kind)?.text,
          URL: <Copied text={webhook.url} of="URL" />,
          Events: webhook.events.map(eventText).join(', '),
          State: (
            <>
              <StateBadge webhook={webhook} />
              {isPaused && <span>{pauseReason(webhook)} No new event is queued for it.</span>}
              {webhook.state === 'failing' && webhook.failing_since !== null && (
                <span>
                  Nothing was accepted since <Time at={webhook.failing_since} />. It is tried again.
                </span>
              )}
            </>
          ),
          'Old secret': webhook.previous_secret_until !== null && (
            <OldSecret until={webhook.previous_secret_until} />
          ),
          Id: <Copied text={webhook.id} of="id" />,
        }}
      />
      <div className="row">
        <PermittedButton
          permission="webhook:manage"
          isPending={test.isPending}
          onPress={() => void test.run()}
        >
          {test.isPending ? 'Sending …' : 'Send a test now'}
        </PermittedButton>
        {!why && (
          <Button isPending={pause.isPending} onPress={() => void pause.run(!isPaused)}>
            {isPaused ? 'Resume' : 'Pause'}
          </Button>
        )}
      </div>
      {outcome && (
        <p className={`notice ${outcome.state === 'delivered' ? 'good' : 'bad'}`} role="status">
          {outcome.state === 'delivered' ? 'The receiver accepted it' : 'The receiver did not accept it'}:{' '}
          {answerOf(outcome) || 'no answer'}
          {outcome.duration_ms !== null && `, after ${String(outcome.duration_ms)} ms`}.
        </p>
      )}
      <Problem error={test.error ?? pause.error} />
      <AsCommand bearing={`bearing --org ${organization} --project ${project} webhooks test ${webhook.id}`} />
    </Card>
  )
}

function OldSecret({ until }: { readonly until: string }) {
  const now = useNow(1_000)
  return <span className="badge attention">signs for {countdown(Date.parse(until) - now)} more</span>
}
