import type { CallOutput } from '@bearing/client/call-types'
import { useNavigate } from '@tanstack/react-router'
import { addressOf, AUDIT_PAGE } from '../ground/address-of.js'
import { count, size } from '../ground/amounts.js'
import { useScope } from '../ground/scope.js'
import { Chart } from '../parts/chart/chart.js'
import { RequestChart } from '../parts/chart/request-chart.js'
import { Card } from '../parts/page.js'

export type Usage = CallOutput<'showOrganizationUsage'>

/** Shows the data and the requests of each day. A day of requests leads to its changes in the audit log. */
export function UsageCharts({ days }: { readonly days: Usage['days'] }) {
  const { organizationSlug, refused } = useScope()
  const navigate = useNavigate()
  const at = (day: string) => `${day}T00:00:00.000Z`
  const toAuditLog = {
    text: 'Enter or click: changes of this day',
    pick: (moment: string) => {
      const day = moment.slice(0, 10)
      void navigate({ to: addressOf(AUDIT_PAGE, organizationSlug, ''), search: { from: day, to: day } })
    },
  }
  return (
    <>
      <Card
        title="Requests"
        about="By outcome. Denied: the credential lacks a permission. Limited: a rate limit was reached."
      >
        <RequestChart
          label="Requests per day"
          days={days.map(({ day, outcomes }) => ({ day, ...outcomes }))}
          onPick={refused('audit-log:read') ? undefined : toAuditLog}
        />
      </Card>
      <div className="pair">
        <Card title="Look-ups">
          <Chart
            label="Look-ups per day"
            {...{ step: 'day', shape: 'bars', format: count }}
            series={[
              { name: 'Found', tone: 'main' },
              { name: 'Fallback', tone: 'second' },
              { name: 'Not found', tone: 'attention' },
              { name: 'Refused', tone: 'bad' },
            ]}
            points={days.map(({ day, lookups: { found, fallback, not_found, refused: over } }) => ({
              at: at(day),
              values: [found, fallback, not_found, over],
            }))}
          />
        </Card>
        <Card title="Data of devices">
          <Chart
            label="Bytes of chunks per day"
            {...{ step: 'day', shape: 'bars', format: size }}
            series={[{ name: 'Bytes', tone: 'main' }]}
            points={days.map(({ day, chunks }) => ({ at: at(day), values: [chunks.bytes] }))}
          />
        </Card>
      </div>
    </>
  )
}
