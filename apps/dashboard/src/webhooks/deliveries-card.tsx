import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { deviceAddress } from '../ground/address-of.js'
import { calling } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'
import { countdown } from '../ground/time.js'
import { useUrlState } from '../ground/url-state.js'
import { useNow } from '../ground/use-now.js'
import { PermittedButton } from '../parts/button.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { Pages } from '../parts/pages.js'
import { Table } from '../parts/table.js'
import { Time } from '../parts/time.js'
import { RedeliverDialog } from './redeliver-dialog.js'
import { answerOf, eventText, type Delivery } from './webhook.js'

const PER_PAGE = 25
/** Interval between reads of deliveries while one is pending, in milliseconds. */
const POLL_MS = 5_000
const LOOKS = { pending: 'attention', delivered: 'good', failed: 'bad' } as const

/** Events of which a failed delivery cannot be sent again. */
const CONTENT_NOT_KEPT: readonly string[] = ['webhook.test', 'device.location_resolved']

/** Shows the deliveries of a webhook in the last 14 days. */
export function DeliveriesCard({ id: webhook_id }: { readonly id: string }) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const [{ page }, change] = useUrlState(['page'])
  const [asked, setAsked] = useState<{ readonly deliveryId?: string }>()
  const at = Math.max(1, Math.trunc(Number(page)) || 1)
  const deliveries = useQuery({
    ...calling(['deliveries', organization, project, webhook_id, at], 'listWebhookDeliveries', {
      organization,
      project,
      webhook_id,
      page: at,
      per_page: PER_PAGE,
    }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.data.some(({ state }) => state === 'pending') === true ? POLL_MS : false,
  })
  return (
    <Card
      title="Deliveries"
      about="Of the last 14 days, newest first. Neither what was sent nor what was answered is shown."
    >
      <Loaded query={deliveries}>
        {({ data, paging }) => (
          <>
            {paging.total_count === 0 && <p className="quiet">Nothing was sent yet. Send a test.</p>}
            {data.length > 0 && (
              <div className="row">
                <RedeliverButton label="Redeliver failed …" onPress={() => setAsked({})} />
              </div>
            )}
            {data.length > 0 && (
              <DeliveryTable deliveries={data} onRedeliver={(deliveryId) => setAsked({ deliveryId })} />
            )}
            <Pages
              at={paging.page}
              pages={paging.page_count}
              onPage={(next) => change({ page: String(next) })}
            />
          </>
        )}
      </Loaded>
      <details>
        <summary>When is a delivery tried again?</summary>
        <p className="quiet">
          After 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours, each up to a fifth later by
          chance. Then it has failed, until you redeliver it. A receiver that accepts nothing for three days
          is paused.
        </p>
      </details>
      {asked && <RedeliverDialog id={webhook_id} {...asked} onClose={() => setAsked(undefined)} />}
    </Card>
  )
}

function DeliveryTable({
  deliveries,
  onRedeliver,
}: {
  readonly deliveries: readonly Delivery[]
  readonly onRedeliver: (id: string) => void
}) {
  const { organizationSlug, projectSlug } = useScope()
  return (
    <Table
      rows={deliveries}
      idOf={({ id }) => id}
      columns={[
        {
          title: 'Event',
          isRowHeader: true,
          cell: ({ id, event, device_serial }) => (
            <div className="stack-s">
              <span title={`webhook-id ${id}`}>{eventText(event)}</span>
              {device_serial !== null && (
                <small>
                  <Link to={deviceAddress(organizationSlug, projectSlug, device_serial)} preload={false}>
                    {device_serial}
                  </Link>
                </small>
              )}
            </div>
          ),
        },
        {
          title: 'State',
          cell: ({ id, event, state }) => (
            <>
              <span className={`badge ${LOOKS[state]}`}>{state}</span>
              {state === 'failed' && !CONTENT_NOT_KEPT.includes(event) && (
                <>
                  {' '}
                  <RedeliverButton look="small" label="Redeliver" onPress={() => onRedeliver(id)} />
                </>
              )}
            </>
          ),
        },
        {
          title: 'Last answer',
          cell: (delivery) => (
            <div>
              {answerOf(delivery) || <span className="quiet">none yet</span>}
              {delivery.duration_ms !== null && <Below>{delivery.duration_ms} ms</Below>}
            </div>
          ),
        },
        {
          title: 'Attempts',
          cell: ({ attempts, state, next_attempt_at }) => (
            <div>
              {attempts}
              {state === 'pending' && next_attempt_at !== null && (
                <Below>
                  next <NextTry at={next_attempt_at} />
                </Below>
              )}
            </div>
          ),
        },
        { title: 'Happened', cell: ({ created_at }) => <Time at={created_at} /> },
      ]}
    />
  )
}

function Below({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <br />
      <small>{children}</small>
    </>
  )
}

/** Counts down to the next attempt. */
function NextTry({ at }: { readonly at: string }) {
  const left = Date.parse(at) - useNow(1_000)
  return left <= 0 ? 'now' : `in ${countdown(left)}`
}

/** Asks to send failed deliveries again. The dialog stands beside the table: a row that is sent again loses its button. */
function RedeliverButton({
  look = '',
  label,
  onPress,
}: {
  readonly look?: string
  readonly label: string
  readonly onPress: () => void
}) {
  return (
    <PermittedButton permission="webhook:manage" look={look} aria-haspopup="dialog" onPress={onPress}>
      {label}
    </PermittedButton>
  )
}
