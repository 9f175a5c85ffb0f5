import { SAMPLING_ASPECTS, SAMPLING_LEVELS } from '@bearing/contracts/management/devices/sampling'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { addressOf } from '../ground/address-of.js'
import { softwareOf, counted, size } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { ASPECTS, type Aspect } from '../ground/kinds.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { whoCan } from '../ground/who-can.js'
import { DialogButton } from '../parts/dialog-button.js'
import { Copied, Facts } from '../parts/facts.js'
import { Loaded } from '../parts/loaded.js'
import { Card, Page } from '../parts/page.js'
import { Problem } from '../parts/problem.js'
import { Select } from '../parts/select.js'
import { Time } from '../parts/time.js'
import { AboutCard } from './about-card.js'
import { ActivityCard } from './activity-card.js'
import { DeleteDeviceDialog } from './delete-device-dialog.js'
import type { Device } from './device-filter.js'
import { deviceOf, rereadDevices } from './device-queries.js'
import { IdentityCard } from './identity-card.js'
import { LatestPositionCard } from './latest-position-card.js'
import { TimelineCard } from './timeline-card.js'

const LIST = '/o/$organization/p/$project/devices'

/** `…/devices/<serial>`: one device. */
export function DevicePage() {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const { serial = '' }: { serial?: string } = useParams({ strict: false })
  const device = useQuery(deviceOf(organization, project, serial))
  const navigate = useNavigate()
  const list = addressOf(LIST, organization, project)
  return (
    <Page
      title={serial}
      about={
        <>
          <Link to={list}>Devices</Link>
          {device.data?.nickname ? ` · ${device.data.nickname}` : ''}
        </>
      }
      action={
        device.data && (
          <DialogButton
            permission="device:delete"
            look="danger"
            dialog={(close) => (
              <DeleteDeviceDialog
                serial={serial}
                onClose={(isDeleted) => {
                  close()
                  if (!isDeleted) return
                  void rereadDevices()
                  void navigate({ to: list })
                }}
              />
            )}
          >
            Delete …
          </DialogButton>
        )
      }
    >
      <Loaded query={device}>
        {(shown) => (
          <>
            <div className="pair">
              <DetailsCard device={shown} />
              <LatestPositionCard serial={serial} />
            </div>
            <ActivityCard serial={serial} />
            <TimelineCard serial={serial} />
            <IdentityCard serial={serial} />
            <div className="pair">
              <AboutCard key={shown.id} device={shown} />
              <SamplingCard device={shown} />
            </div>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function DetailsCard({ device }: { readonly device: Device }) {
  const { id, device_serial, hardware_version } = device
  const { first_seen_at, last_seen_at, registered_at, chunk_count, chunk_bytes } = device
  const moment = (at: string | null) => (at === null ? 'never' : <Time at={at} />)
  return (
    <Card title="Details">
      <Facts
        facts={{
          'Serial number': <Copied text={device_serial} of="serial number" />,
          'Last seen': moment(last_seen_at),
          'First seen': moment(first_seen_at),
          Registered: moment(registered_at),
          Software: softwareOf(device) || 'not said',
          Hardware: hardware_version ?? 'not said',
          'Sent so far': `${counted(chunk_count, 'chunk')}, ${size(chunk_bytes)}`,
          Id: <Copied text={id} of="id" />,
        }}
      />
    </Card>
  )
}

/** Stands for no level of its own. */
const AS_PROJECT = 'project'

/** Chooses the data that the agent of one device sends, where that differs from its project. */
function SamplingCard({ device }: { readonly device: Device }) {
  const { organizationSlug: organization, projectSlug: project, refused } = useScope()
  const { device_serial, sampling } = device
  const why = refused('data-policy:change')
  const action = useAction(async (aspect: Aspect, chosen: string) => {
    const level = SAMPLING_LEVELS.find((known) => known === chosen) ?? null
    const input = { organization, project, device_serial, ...sampling, [aspect]: level }
    await client.call('setDeviceSampling', input)
    await rereadDevices()
  })
  return (
    <Card
      title="Sampling"
      about="What its agent sends. Linux agents ask for it about once an hour; other devices do not."
    >
      {SAMPLING_ASPECTS.map((aspect) => (
        <Select
          key={aspect}
          label={ASPECTS[aspect]}
          isDisabled={why !== undefined || action.isPending}
          value={sampling[aspect] ?? AS_PROJECT}
          options={[
            { id: AS_PROJECT, text: 'As the project' },
            ...SAMPLING_LEVELS.map((id) => ({ id, text: id })),
          ]}
          onChange={(chosen) => void action.run(aspect, chosen)}
        />
      ))}
      {why && <p className="hint">Only for {whoCan('data-policy:change')}.</p>}
      <Problem error={action.error} />
    </Card>
  )
}
