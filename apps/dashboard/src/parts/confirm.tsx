import type { Permission } from '@bearing/contracts/permission'
import type { ReactNode } from 'react'
import { useAction } from '../ground/use-action.js'
import { Button } from './button.js'
import { DialogButton } from './dialog-button.js'
import { Dialog } from './dialog.js'
import { Problem } from './problem.js'

interface Props {
  readonly title: string
  /** Consequences of the action. */
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

interface ButtonProps extends Omit<Props, 'onClose'> {
  /** Left out: the control is only shown to those who may use it. */
  readonly permission?: Permission
  /** The text of the control that asks. */
  readonly text: string
  /** Names the control for screen readers, where its text does not. */
  readonly label?: string
  readonly look?: string
  readonly isDisabled?: boolean
}

/** A control that asks before it does something. */
export function ConfirmButton({
  permission,
  text,
  label = text,
  look = 'danger',
  isDisabled = false,
  ...dialog
}: ButtonProps) {
  return (
    <DialogButton
      {...{ look, isDisabled }}
      {...(permission && { permission })}
      {...(label !== text && { 'aria-label': label })}
      dialog={(close) => <Confirm {...dialog} onClose={close} />}
    >
      {text}
    </DialogButton>
  )
}
