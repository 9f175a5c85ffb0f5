import { useEffect, useState, type ReactNode } from 'react'
import { Dialog as AriaDialog, Heading } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'

interface Props {
  readonly title: string
  readonly onClose: () => void
  /** Neither Escape nor a click outside closes it: something would be lost. */
  readonly isLocked?: boolean
  readonly isAlert?: boolean
  /** Nobody pressed a control for it: a key, or the end of the session, has opened it. */
  readonly isUnasked?: boolean
  readonly children: ReactNode
}

export function Dialog({
  title,
  onClose,
  isLocked = false,
  isAlert = false,
  isUnasked = false,
  children,
}: Props) {
  useMarkedOpener(isUnasked)
  return (
    <ModalOverlay
      className="veil"
      isOpen
      isDismissable={false}
      isKeyboardDismissDisabled={isLocked}
      onOpenChange={(open) => {
        if (!open && !isLocked) onClose()
      }}
    >
      <Modal className="dialog">
        <AriaDialog role={isAlert ? 'alertdialog' : 'dialog'}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

/**
 * Screen readers announce that a control opens a dialog only if it has `aria-haspopup`, and specs find dialogs by it. A page without
 * it is reported to the console, which specs read.
 */
function useMarkedOpener(isUnasked: boolean): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(() => {
    if (isUnasked || !(opener instanceof HTMLButtonElement)) return
    // A form opens a dialog or not, depending on its input.
    if (opener.type === 'submit' || opener.getAttribute('aria-haspopup') === 'dialog') return
    opener.setAttribute('aria-haspopup', 'dialog')
    console.error(`The control "${opener.textContent}" opens a dialog and has no aria-haspopup="dialog".`)
  }, [isUnasked, opener])
}
