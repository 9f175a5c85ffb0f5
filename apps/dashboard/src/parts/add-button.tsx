import type { Permission } from '@bearing/contracts/permission'
import { Suspense, useEffect, useState, type ReactNode } from 'react'
import { asked, useAsked } from '../ground/asked.js'
import { PermittedButton } from './button.js'
import { Icon } from './icon.js'

/** The main control of a page with a list: opens the dialog that adds to it, which may be loaded then. */
export function AddButton({
  permission,
  dialog,
  onClosed,
  children,
}: {
  readonly permission: Permission
  readonly dialog: (close: () => void) => ReactNode
  /** Reads again what the dialog may have changed. */
  readonly onClosed?: () => unknown
  readonly children: string
}) {
  const [isOpen, setOpen] = useState(false)
  const isAsked = useAsked() === 'add'
  // A page that is left does not open its dialog when it is shown again.
  useEffect(() => () => asked.set(undefined), [])
  const close = () => {
    setOpen(false)
    if (isAsked) asked.set(undefined)
    onClosed?.()
  }
  return (
    <>
      <PermittedButton
        look="primary"
        aria-haspopup="dialog"
        permission={permission}
        onPress={() => setOpen(true)}
      >
        <Icon name="plus" /> {children}
      </PermittedButton>
      <Suspense>{(isOpen || isAsked) && dialog(close)}</Suspense>
    </>
  )
}
