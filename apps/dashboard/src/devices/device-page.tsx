import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { addressOf } from '../ground/address-of.js'
import { counted, size } from '../ground/amounts.js'
import { useScope } from '../ground/scope.js'
import { PermittedButton } from '../parts/button.js'
import { CopyButton } from '../parts/copy-button.js'
import { Loaded } from '../parts/loaded.js'
import { Card, Page } from '../parts/page.js'
import { Time } from '../parts/time.js'
import { AboutCard } from './about-card.js'
import { ActivityCard } from './activity-card.js'
import { DeleteDeviceDialog } from './delete-device-dialog.js'
import type { Device } from './device-filter.js'
import { deviceOf, rereadDevices } from './device-queries.js'
import { IdentityCard } from './identity-card.js'
import { LatestPositionCard } from './latest-position-card.js'
import { SamplingCard } from './sampling-card.js'
import { TimelineCard } from './timeline-card.js'

const LIST = '/o/$organization/p/$project/devices'

/** `…/devices/<serial>`: one device. */
export function DevicePage() {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const { serial = '' }: { serial?: string } = useParams({ strict: false })
  const device = useQuery(deviceOf(organization, project, serial))
  const [isAsked, setAsked] = useState(false)
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
          <PermittedButton
            permission="device:delete"
            look="danger"
            aria-haspopup="dialog"
            onPress={() => setAsked(true)}
          >
            Delete …
          </PermittedButton>
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
      {isAsked && (
        <DeleteDeviceDialog
          serial={serial}
          onClose={(isDeleted) => {
            setAsked(false)
            if (!isDeleted) return
            void rereadDevices()
            void navigate({ to: list })
          }}
        />
      )}
    </Page>
  )
}

function DetailsCard({ device }: { readonly device: Device }) {
  const { id, device_serial, hardware_version, software_type, software_version } = device
  const { first_seen_at, last_seen_at, registered_at, chunk_count, chunk_bytes } = device
  const software = [software_type, software_version].filter((part) => part !== null).join(' ')
  const moment = (at: string | null) => (at === null ? 'never' : <Time at={at} />)
  return (
    <Card title="Details">
      <dl className="facts">
        <dt>Serial number</dt>
        <dd>
          <code>{device_serial}</code>
          <CopyButton text={device_serial} of="the serial number" />
        </dd>
        <dt>Last seen</dt>
        <dd>{moment(last_seen_at)}</dd>
        <dt>First seen</dt>
        <dd>{moment(first_seen_at)}</dd>
        <dt>Registered</dt>
        <dd>{moment(registered_at)}</dd>
        <dt>Software</dt>
        <dd>{software || 'not said'}</dd>
        <dt>Hardware</dt>
        <dd>{hardware_version ?? 'not said'}</dd>
        <dt>Sent so far</dt>
        <dd>
          {counted(chunk_count, 'chunk')}, {size(chunk_bytes)}
        </dd>
        <dt>Id</dt>
        <dd>
          <code>{id}</code>
          <CopyButton text={id} of="the id" />
        </dd>
      </dl>
    </Card>
  )
}
