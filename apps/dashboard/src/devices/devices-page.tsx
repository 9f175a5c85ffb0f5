import { DAY_MS } from '@bearing/contracts/durations'
import { useQuery } from '@tanstack/react-query'
import { lazy, useEffect } from 'react'
import { count, counted } from '../ground/amounts.js'
import { calling } from '../ground/calling.js'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { AddButton } from '../parts/add-button.js'
import { Button } from '../parts/button.js'
import { Chart } from '../parts/chart/chart.js'
import { DialogButton } from '../parts/dialog-button.js'
import { Page } from '../parts/page.js'
import { Problem } from '../parts/problem.js'
import { DeviceList } from './device-list.js'
import { rereadDevices, attributesOf } from './device-queries.js'
import { RegisterDialog } from './register-dialog.js'
import { useListState } from './use-list-state.js'

const ImportDialog = lazy(async () => ({ default: (await import('./import-dialog.js')).ImportDialog }))

/** `…/devices`: finds devices among any number. */
export function DevicesPage() {
  const { organizationSlug: organization, projectSlug: project, refused } = useScope()
  const attributes = useQuery(attributesOf(organization, project))
  return (
    <Page
      title="Devices"
      about="A device appears with the first data that it sends, or when it is registered."
      action={
        <div className="row">
          {!refused('device:register') && (
            <DialogButton
              dialog={(close) => <ImportDialog attributes={attributes.data ?? []} onClose={close} />}
              onClosed={rereadDevices}
            >
              Import CSV
            </DialogButton>
          )}
          <AddButton
            permission="device:register"
            dialog={(close) => <RegisterDialog onClose={close} />}
            onClosed={rereadDevices}
          >
            Register
          </AddButton>
        </div>
      }
    >
      <DeletionNotice />
      <SeenChart />
      <DeviceList attributes={attributes.data ?? []} />
    </Page>
  )
}

/** Devices that sent something on each of the last 30 days. A day selects those that sent nothing since. */
function SeenChart() {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const { select } = useListState()
  const overview = useQuery(
    calling(['overview', organization, project, '30d'], 'showProjectOverview', {
      organization,
      project,
      period: '30d',
    }),
  )
  if (!overview.data?.points.some(({ devices_seen }) => devices_seen > 0)) return null
  return (
    <section className="card" aria-label="Devices seen per day">
      <Chart
        label="Devices seen per day"
        {...{ step: 'day', shape: 'bars', format: count }}
        series={[{ name: 'Devices', tone: 'main' }]}
        points={overview.data.points.map(({ at, devices_seen }) => ({ at, values: [devices_seen] }))}
        onPick={{
          text: 'Enter or click: devices last seen on this day',
          pick: (at) =>
            select({
              ...{ q: '', silent_for: '', seen: '', attribute: '', sort: '' },
              last_seen_after: at,
              last_seen_before: new Date(Date.parse(at) + DAY_MS).toISOString(),
            }),
        }}
      />
    </section>
  )
}

const POLL_MS = 1_000

/** Shows the progress of the deletion in the URL: its page can be left, reloaded and sent to others. */
function DeletionNotice() {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const { state, change } = useListState()
  const { deletion: deletion_id } = state
  const deletion = useQuery({
    ...calling(['device-deletion', organization, project, deletion_id], 'showDeviceDeletion', {
      organization,
      project,
      deletion_id,
    }),
    enabled: deletion_id !== '',
    refetchInterval: ({ state: { data } }) => (data?.state === 'running' ? POLL_MS : false),
  })
  const hasEnded = deletion.data !== undefined && deletion.data.state !== 'running'
  useEffect(() => {
    if (hasEnded) void rereadDevices()
  }, [hasEnded])
  const stop = useAction(async () => {
    await client.call('stopDeviceDeletion', { organization, project, deletion_id })
    await deletion.refetch()
  })
  if (deletion_id === '') return null
  const { data } = deletion
  return (
    <div className={`notice ${hasEnded ? 'good' : 'attention'}`}>
      <Problem error={deletion.error ?? stop.error} />
      {data && (
        <p role="status">
          {data.state === 'running' && 'Deleting: '}
          {data.state === 'stopped' && 'Stopped: '}
          {count(data.deleted)} of {counted(data.total, 'device')} deleted.
          {data.state === 'done' && data.deleted < data.total && ' The others did not match any more.'}
        </p>
      )}
      <div className="row">
        {data?.state === 'running' && (
          <Button look="small" isPending={stop.isPending} onPress={() => void stop.run()}>
            Stop
          </Button>
        )}
        <Button look="small" onPress={() => change({ deletion: '' })}>
          {hasEnded ? 'Close' : 'Hide'}
        </Button>
      </div>
    </div>
  )
}
