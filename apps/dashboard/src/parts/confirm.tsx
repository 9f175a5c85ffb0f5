import type { ReactNode } from 'react'
import { useAction } from '../ground/use-action.js'
import { Button } from './button.js'
import { Dialog } from './dialog.js'
import { Problem } from './problem.js'

interface Props {
  readonly title: string
  /** What stops, or is gone. */
  readonly children: ReactNode
  /** The verb of the button. */
  readonly verb: string
  readonly onConfirm: () => Promise<void>
  readonly onClose: () => void
}

/** Asks before something that cannot be undone. */
export function Confirm({ title, children, verb, onConfirm, onClose }: Props) {
  const action = useAction(onConfirm)
  return (
    <Dialog title={title} isAlert isLocked={action.isPending} onClose={onClose}>
      {children}
      <Problem error={action.error} />
      <div className="actions">
        <Button autoFocus isDisabled={action.isPending} onPress={onClose}>
          Cancel
        </Button>
        <Button
          look="danger primary"
          isPending={action.isPending}
          onPress={async () => {
            if (await action.run()) onClose()
          }}
        >
          {verb}
        </Button>
      </div>
    </Dialog>
  )
}
