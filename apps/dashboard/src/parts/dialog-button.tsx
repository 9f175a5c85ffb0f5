import type { Permission } from '@bearing/contracts/permission'
import { Suspense, useState, type ComponentProps, type ReactNode } from 'react'
import { Button, PermittedButton } from './button.js'

interface Props extends Omit<ComponentProps<typeof Button>, 'onPress'> {
  /** Left out: the control is only shown to those who may use it. */
  readonly permission?: Permission
  /** Returns the dialog, which may be loaded then. */
  readonly dialog: (close: () => void) => ReactNode
  /** Reads again what the dialog may have changed. */
  readonly onClosed?: () => unknown
}

/** A control that opens a dialog. The dialog ends with the control, so it is not for rows that may disappear. */
export function DialogButton({ permission, dialog, onClosed, ...control }: Props) {
  const [isOpen, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    onClosed?.()
  }
  const shown = { ...control, 'aria-haspopup': 'dialog', onPress: () => setOpen(true) } as const
  return (
    <>
      {permission ? <PermittedButton {...shown} permission={permission} /> : <Button {...shown} />}
      <Suspense>{isOpen && dialog(close)}</Suspense>
    </>
  )
}
