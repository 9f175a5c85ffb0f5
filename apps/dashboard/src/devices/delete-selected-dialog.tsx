import { useState } from 'react'
import { count, counted, size } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { Button } from '../parts/button.js'
import { AsCommand } from '../parts/command.js'
import { Dialog } from '../parts/dialog.js'
import { Field } from '../parts/field.js'
import { Form } from '../parts/form.js'
import { Problem } from '../parts/problem.js'
import type { Device } from './device-filter.js'
import { useBatch } from './use-batch.js'

/** Serial numbers that are listed. */
const LISTED = 12
/** Failures that are shown. All are counted. */
const SHOWN_FAILURES = 5

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
  const { state, done, failed } = batch
  const chunks = devices.reduce((sum, { chunk_count }) => sum + chunk_count, 0)
  const bytes = devices.reduce((sum, { chunk_bytes }) => sum + chunk_bytes, 0)
  const close = () => onClose(done)
  return (
    <Dialog
      title={`Delete ${counted(devices.length, 'device')}?`}
      isLocked={state === 'running'}
      onClose={close}
    >
      <Form onSubmit={() => void batch.start()}>
        {state === 'ready' ? (
          <>
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
          </>
        ) : (
          <p role="status">
            {count(done.length)} of {counted(devices.length, 'device')} deleted
            {failed.length > 0 && `, ${count(failed.length)} failed`}.
          </p>
        )}
        {failed.slice(0, SHOWN_FAILURES).map(({ item, error }) => (
          <div key={item} className="stack-s">
            <h3>{item}</h3>
            <Problem error={error} />
          </div>
        ))}
        {failed.length > SHOWN_FAILURES && (
          <p className="quiet">The first {SHOWN_FAILURES} failures are shown.</p>
        )}
        <div className="actions">
          {state === 'ready' && (
            <>
              <Button onPress={close}>Cancel</Button>
              <Button
                look="danger primary"
                type="submit"
                isDisabled={typed.trim() !== String(devices.length)}
              >
                Delete {counted(devices.length, 'device')}
              </Button>
            </>
          )}
          {state === 'running' && <Button onPress={batch.stop}>Stop</Button>}
          {state === 'ended' && (
            <Button look="primary" autoFocus onPress={close}>
              Close
            </Button>
          )}
        </div>
      </Form>
    </Dialog>
  )
}
