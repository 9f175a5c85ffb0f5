import { MAX_WEBHOOKS } from '@bearing/contracts/management/webhook'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { addressOf } from '../ground/address-of.js'
import { listing } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'
import { whoCan } from '../ground/who-can.js'
import { AddButton } from '../parts/add-button.js'
import { Empty } from '../parts/list.js'
import { Loaded } from '../parts/loaded.js'
import { Page } from '../parts/page.js'
import { Table } from '../parts/table.js'
import { Time } from '../parts/time.js'
import { CreateWebhookDialog } from './create-webhook-dialog.js'
import { eventText, pauseReason, rereadWebhooks, type Webhook } from './webhook.js'

/** `…/webhooks`: URLs that receive the events of the project. */
export function WebhooksPage() {
  const { organizationSlug: organization, projectSlug: project, refused } = useScope()
  const mayRead = !refused('webhook:read')
  const webhooks = useQuery({
    ...listing(['webhooks', organization, project], 'listWebhooks', {
      organization,
      project,
      per_page: MAX_WEBHOOKS,
    }),
    enabled: mayRead,
  })
  return (
    <Page
      title="Webhooks"
      about="Bearing sends events of the project to your URL, signed, with retries if it does not answer."
      action={
        <AddButton
          permission="webhook:manage"
          dialog={(close) => <CreateWebhookDialog onClose={close} />}
          onClosed={rereadWebhooks}
        >
          Create
        </AddButton>
      }
    >
      {!mayRead && (
        <p className="empty">URLs often contain a secret, so only {whoCan('webhook:read')} see them.</p>
      )}
      {mayRead && (
        <Loaded query={webhooks}>
          {(list) =>
            list.length === 0 ? (
              <Empty
                title="No webhooks yet"
                command={`bearing --org ${organization} --project ${project} webhooks create https://hooks.example.com/bearing`}
              >
                Create one here, or on the command line:
              </Empty>
            ) : (
              <WebhookTable webhooks={list} />
            )
          }
        </Loaded>
      )}
    </Page>
  )
}

function WebhookTable({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  const { organizationSlug, projectSlug } = useScope()
  return (
    <Table
      rows={webhooks}
      idOf={({ id }) => id}
      columns={[
        {
          title: 'URL',
          isRowHeader: true,
          sortBy: ({ url }) => url,
          cell: ({ id, url, description }) => (
            <div className="stack-s">
              <Link
                to={addressOf(`/o/$organization/p/$project/webhooks/${id}`, organizationSlug, projectSlug)}
                preload={false}
              >
                {url}
              </Link>
              {description !== null && <small>{description}</small>}
            </div>
          ),
        },
        { title: 'Events', cell: ({ events }) => <small>{events.map(eventText).join(', ')}</small> },
        {
          title: 'State',
          sortBy: ({ state }) => state,
          cell: (webhook) => <StateBadge webhook={webhook} />,
        },
        {
          title: 'Created',
          sortBy: ({ created_at }) => created_at,
          cell: ({ created_at }) => <Time at={created_at} />,
        },
      ]}
    />
  )
}

const LOOKS = { active: 'good', failing: 'attention', paused: 'bad' } as const

/** The state of a webhook; why, in its title. */
export function StateBadge({ webhook }: { readonly webhook: Webhook }) {
  return (
    <span className={`badge ${LOOKS[webhook.state]}`} title={pauseReason(webhook)}>
      <span className="dot" aria-hidden="true" />
      {webhook.state}
    </span>
  )
}
