import { useState, useEffect, useRef } from 'react'
import { count, counted, size } from '../ground/amounts.js'
import { makeCall } from '../ground/calling.js'
import { isSignedOut } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { signedOut } from '../ground/signed-out.js'
import { useInput } from '../ground/use-input.js'
import { Button } from '../parts/button.js'
import { AsCommand } from '../parts/command.js'
import { Dialog } from '../parts/dialog.js'
import { Form } from '../parts/form.js'
import { Problem } from '../parts/problem.js'
import { TypedField } from '../parts/typed-field.js'
import type { Device } from './device-filter.js'

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
  const [typed, typedInput] = useInput('')
  const serials = devices.map(({ device_serial }) => device_serial)
  const batch = useBatch(serials, (device_serial) =>
    makeCall('deleteDevice', { organization, project, device_serial }),
  )
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
            <TypedField word={String(devices.length)} {...typedInput} />
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

/** Calls that are under way at a time. */
const AT_A_TIME = 4

interface Batch {
  readonly state: 'ready' | 'running' | 'ended'
  readonly done: readonly string[]
  readonly failed: readonly { readonly item: string; readonly error: unknown }[]
  readonly start: () => Promise<void>
  /** Ends it after the calls that are under way. */
  readonly stop: () => void
}

/** Does the same with each of several things. One that fails does not affect the others. */
function useBatch(items: readonly string[], act: (item: string) => Promise<void>): Batch {
  const [state, setState] = useState<Batch['state']>('ready')
  const [done, setDone] = useState<Batch['done']>([])
  const [failed, setFailed] = useState<Batch['failed']>([])
  const isStopped = useRef(false)
  // Leaving the page stops it.
  useEffect(() => {
    isStopped.current = false
    return () => {
      isStopped.current = true
    }
  }, [])
  const start = async () => {
    setState('running')
    const rest = [...items]
    const work = async () => {
      for (let item = rest.shift(); item !== undefined && !isStopped.current; item = rest.shift()) {
        const one = item
        try {
          await act(one)
          setDone((before) => [...before, one])
        } catch (error) {
          setFailed((before) => [...before, { item: one, error }])
          if (!isSignedOut(error)) continue
          signedOut.set(true)
          return
        }
      }
    }
    await Promise.all(Array.from({ length: AT_A_TIME }, work))
    setState('ended')
  }
  return {
    state,
    done,
    failed,
    start,
    stop: () => {
      isStopped.current = true
    },
  }
}
