import { useState } from 'react'
import { count, counted, size } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { AsCommand } from '../parts/command.js'
import { Dialog } from '../parts/dialog.js'
import { Field } from '../parts/field.js'
import { BatchForm } from './batch-form.js'
import type { Device } from './device-filter.js'
import { useBatch } from './use-batch.js'

/** Serial numbers that are listed. */
const LISTED = 12

interface Props {
  readonly devices: readonly Device[]
  /** @param done the devices that were deleted */
  readonly onClose: (done: readonly string[]) => void
}

/** Deletes the selected devices, with everything that is stored about them. */
export function DeleteSelectedDialog({ devices, onClose }: Props) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const [typed, setTyped] = useState('')
  const serials = devices.map(({ device_serial }) => device_serial)
  const batch = useBatch(serials, async (device_serial) => {
    await client.call('deleteDevice', { organization, project, device_serial })
  })
  const chunks = devices.reduce((sum, { chunk_count }) => sum + chunk_count, 0)
  const bytes = devices.reduce((sum, { chunk_bytes }) => sum + chunk_bytes, 0)
  const close = () => {
    onClose(batch.done)
  }
  return (
    <Dialog
      title={`Delete ${counted(devices.length, 'device')}?`}
      isOpen
      isLocked={batch.state === 'running'}
      onClose={close}
    >
      <BatchForm
        batch={batch}
        total={devices.length}
        verb={`Delete ${counted(devices.length, 'device')}`}
        done="deleted"
        look="danger primary"
        isReady={typed.trim() === String(devices.length)}
        onClose={close}
      >
        <p>
          Their chunks, files, positions, nicknames and attributes are deleted too. So far they have sent{' '}
          {counted(chunks, 'chunk')} of {size(bytes)} together. <strong>This cannot be undone.</strong>
        </p>
        <p>
          <code>{serials.slice(0, LISTED).join(', ')}</code>
          {serials.length > LISTED && ` and ${count(serials.length - LISTED)} more`}
        </p>
        <Field
          label={`Type ${String(devices.length)} to confirm`}
          autoComplete="off"
          autoFocus
          value={typed}
          onChange={setTyped}
        />
        <AsCommand
          bearing={serials
            .slice(0, 3)
            .map(
              (serial) =>
                `bearing --org ${organization} --project ${project} devices delete ${serial} --confirm ${serial}`,
            )
            .join('\n')}
          call={['deleteDevice', { organization, project, device_serial: serials[0] ?? '' }]}
        />
      </BatchForm>
    </Dialog>
  )
}
