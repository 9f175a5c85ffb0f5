import type { Permission } from '@bearing/contracts/permission'
import { useState, type ReactNode } from 'react'
import { PermittedButton } from './button.js'
import { Icon } from './icon.js'

/** The main control of a page with a list: opens the dialog that adds to it. */
export function AddButton({
  permission,
  dialog,
  children,
}: {
  readonly permission: Permission
  readonly dialog: (close: () => void) => ReactNode
  readonly children: string
}) {
  const [isOpen, setOpen] = useState(false)
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
      {isOpen && dialog(() => setOpen(false))}
    </>
  )
}
