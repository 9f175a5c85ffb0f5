import { useQuery } from '@tanstack/react-query'
import { count } from '../ground/amounts.js'
import { makeCall, calling } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { PermittedButton } from '../parts/button.js'
import { Chart } from '../parts/chart/chart.js'
import { Loaded } from '../parts/loaded.js'
import { Card, Page } from '../parts/page.js'
import { Problem } from '../parts/problem.js'
import { Table } from '../parts/table.js'
import { Time } from '../parts/time.js'
import { DeviceCasCard } from './device-cas-card.js'
import { DeviceIdentityCard, useDeviceIdentity } from './device-identity-card.js'
import { KeyRequestsCard } from './key-requests-card.js'
import { OnboardingTokensCard } from './onboarding-tokens-card.js'

/** Claims that are shown; the command line lists all. */
const SHOWN = 100

/** `…/settings/onboarding`: how devices get keys of their own. */
export function OnboardingPage() {
  return (
    <Page
      title="Onboarding"
      about="How devices of the project get keys of their own, and which still lack one."
    >
      <DeviceIdentityCard />
      <ClaimsCard />
      <OnboardingTokensCard />
      <DeviceCasCard />
      <DevicesByKeyCard />
      <KeyRequestsCard title="Requests with the project key alone" />
    </Page>
  )
}

/** The devices that would be refused if the project required device identity. */
function DevicesByKeyCard() {
  const counts = useDeviceIdentity()
  return (
    <Card
      title="Devices with the project key alone"
      about="By the day on which they last sent data, of the last 30 days."
    >
      <Loaded query={counts} lines={2}>
        {({ days }) => (
          <Chart
            label="Devices per day"
            {...{ step: 'day', shape: 'bars', format: count }}
            series={[{ name: 'Devices', tone: 'attention' }]}
            points={days.map(({ day, devices }) => ({ at: `${day}T00:00:00.000Z`, values: [devices] }))}
          />
        )}
      </Loaded>
    </Card>
  )
}

function ClaimsCard() {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const queryKey = ['device-claims', organization, project]
  const claims = useQuery(calling(queryKey, 'listDeviceClaims', { organization, project, per_page: SHOWN }))
  const decide = useAction((call: 'approveDeviceClaim' | 'rejectDeviceClaim', id: string) =>
    makeCall(call, { organization, project, device_claim_id: id }, queryKey),
  )
  const button = (text: string, call: 'approveDeviceClaim' | 'rejectDeviceClaim', id: string) => (
    <PermittedButton
      permission="device-key:manage"
      look="small"
      isDisabled={decide.isPending}
      onPress={() => void decide.run(call, id)}
    >
      {text}
    </PermittedButton>
  )
  return (
    <Card title="Waiting claims" about="Keys that wait for approval, each for 7 days.">
      <Problem error={decide.error} />
      <Loaded query={claims} lines={2}>
        {({ data }) => (
          <Table
            empty="No claim waits."
            caption="Waiting claims"
            rows={data}
            idOf={({ id }) => id}
            columns={[
              { title: 'Device', isRowHeader: true, cell: ({ device_serial }) => device_serial },
              {
                title: 'Key',
                cell: ({ thumbprint, algorithm }) => (
                  <>
                    <code>{thumbprint.slice(0, 12)}…</code> {algorithm}
                  </>
                ),
              },
              { title: 'From', cell: ({ client_address }) => client_address ?? 'not known' },
              { title: 'Claimed', cell: ({ created_at }) => <Time at={created_at} /> },
              {
                title: 'Actions',
                isActions: true,
                cell: ({ id }) => (
                  <>
                    {button('Approve', 'approveDeviceClaim', id)} {button('Reject', 'rejectDeviceClaim', id)}
                  </>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Card>
  )
}
