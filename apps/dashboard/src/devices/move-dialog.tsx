import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { projectsOf } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { AsCommand } from '../parts/command.js'
import { Dialog } from '../parts/dialog.js'
import { Select } from '../parts/select.js'
import { BatchForm } from './batch-form.js'
import { useBatch } from './use-batch.js'

interface Props {
  readonly serials: readonly string[]
  /** @param done the devices that were moved, @param to the slug of their project */
  readonly onClose: (done: readonly string[], to: string) => void
}

/** Moves devices to another project of the organization, with all their data. */
export function MoveDialog({ serials, onClose }: Props) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const projects = useQuery(projectsOf(organization))
  const others = (projects.data ?? []).filter(({ slug }) => slug !== project)
  const [chosen, setChosen] = useState('')
  const to = chosen || (others[0]?.slug ?? '')
  const batch = useBatch(serials, async (device_serial) => {
    await client.call('moveDevice', { organization, project, device_serial, to_project: to })
  })
  const [only] = serials
  const devices = serials.length === 1 ? (only ?? '') : counted(serials.length, 'device')
  const command = `bearing --org ${organization} --project ${project} devices move`
  return (
    <Dialog
      title={`Move ${devices}`}
      isOpen
      isLocked={batch.state === 'running'}
      onClose={() => {
        onClose(batch.done, to)
      }}
    >
      <BatchForm
        batch={batch}
        total={serials.length}
        verb={`Move ${counted(serials.length, 'device')}`}
        done="moved"
        look="primary"
        isReady={to !== ''}
        onClose={() => {
          onClose(batch.done, to)
        }}
      >
        <p className="notice attention">
          Give {serials.length === 1 ? 'the device' : 'the devices'} the key of the other project first. Data
          that is sent with the key of this project creates a new device here.
        </p>
        {others.length === 0 ? (
          <p>You see no other project in this organization.</p>
        ) : (
          <Select
            label="To project"
            value={to}
            options={others.map(({ slug, name }) => ({ id: slug, text: name, hint: slug }))}
            onChange={setChosen}
          />
        )}
        <p className="quiet">
          Chunks, files, nickname, attributes and positions move too. Retention, quotas and webhooks of the
          other project apply from then on.
        </p>
        <AsCommand
          bearing={
            serials.length === 1
              ? `${command} ${devices} --to ${to}`
              : `for serial in ${serials.join(' ')}; do\n  ${command} "$serial" --to ${to}\ndone`
          }
          call={['moveDevice', { organization, project, device_serial: only ?? '', to_project: to }]}
        />
      </BatchForm>
    </Dialog>
  )
}
