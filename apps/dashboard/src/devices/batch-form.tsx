import type { ReactNode } from 'react'
import { count, counted } from '../ground/amounts.js'
import { Button } from '../parts/button.js'
import { Form } from '../parts/form.js'
import { Problem } from '../parts/problem.js'
import type { Batch } from './use-batch.js'

/** Failures that are shown. All are counted. */
const SHOWN = 5

interface Props {
  readonly batch: Batch
  readonly total: number
  /** The text of the button: "Move 12 devices". */
  readonly verb: string
  /** What was done to each: "moved". */
  readonly done: string
  readonly look: string
  readonly isReady: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A form that does the same with several devices, and shows how far it is and what failed. */
export function BatchForm({ batch, total, verb, done, look, isReady, onClose, children }: Props) {
  const { state, failed } = batch
  return (
    <Form onSubmit={() => void batch.start()}>
      {state === 'ready' && children}
      {state !== 'ready' && (
        <p role="status">
          {count(batch.done.length)} of {counted(total, 'device')} {done}
          {failed.length > 0 && `, ${count(failed.length)} failed`}.
        </p>
      )}
      {failed.slice(0, SHOWN).map(({ item, error }) => (
        <div key={item} className="stack-s">
          <h3>{item}</h3>
          <Problem error={error} />
        </div>
      ))}
      {failed.length > SHOWN && <p className="quiet">The first {SHOWN} failures are shown.</p>}
      <div className="actions">
        {state === 'ready' && (
          <>
            <Button onPress={onClose}>Cancel</Button>
            <Button look={look} type="submit" isDisabled={!isReady}>
              {verb}
            </Button>
          </>
        )}
        {state === 'running' && <Button onPress={batch.stop}>Stop</Button>}
        {state === 'ended' && (
          <Button look="primary" autoFocus onPress={onClose}>
            Close
          </Button>
        )}
      </div>
    </Form>
  )
}
