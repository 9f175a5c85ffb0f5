import { useQuery } from '@tanstack/react-query'
import { count } from '../ground/amounts.js'
import { calling } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'
import { Chart } from '../parts/chart/chart.js'
import { Facts } from '../parts/facts.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'

const REREAD_MS = 60_000
/** The server counts no more. */
const MOST_COUNTED = 10_000

/** Attempts to deliver to a webhook in the last 30 days, and how long its receiver took. */
export function AttemptsCard({ id: webhook_id }: { readonly id: string }) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const usage = useQuery({
    ...calling(['webhooks', organization, project, webhook_id, 'usage'], 'showWebhookUsage', {
      organization,
      project,
      webhook_id,
    }),
    refetchInterval: REREAD_MS,
  })
  return (
    <Card title="Attempts" about="Of the last 30 days. A delivery that is retried has several attempts.">
      <Loaded query={usage} lines={2}>
        {({ points, step, lag }) => (
          <div className="pair">
            <Chart
              label={`Attempts per ${step}`}
              {...{ step, shape: 'bars', format: count }}
              series={[
                { name: 'Delivered', tone: 'main' },
                { name: 'Failed', tone: 'bad' },
              ]}
              points={points.map(({ at, delivered, failed }) => ({ at, values: [delivered, failed] }))}
            />
            <Chart
              label="Median time of accepted attempts"
              {...{ step, shape: 'line', format: milliseconds }}
              series={[{ name: 'Median time', tone: 'main' }]}
              points={points.map(({ at, median_duration_ms }) => ({ at, values: [median_duration_ms] }))}
            />
            {lag && (
              <>
                <Chart
                  label={`Items that devices sent per ${step}`}
                  {...{ step, shape: 'line', format: count }}
                  series={[
                    { name: 'Stored here', tone: 'quiet' },
                    { name: 'Accepted there', tone: 'main' },
                    { name: 'Refused there', tone: 'bad' },
                  ]}
                  points={points.map(({ at, items_stored, items_delivered, items_refused }) => ({
                    at,
                    values: [items_stored, items_delivered, items_refused],
                  }))}
                />
                <Facts
                  facts={{
                    Waiting: `${count(lag.items)}${lag.items >= MOST_COUNTED ? ' or more' : ''}`,
                    Behind: lag.items > 0 && `${count(Math.round(lag.seconds))} s`,
                  }}
                />
              </>
            )}
          </div>
        )}
      </Loaded>
    </Card>
  )
}

function milliseconds(value: number): string {
  return `${count(Math.round(value))} ms`
}
