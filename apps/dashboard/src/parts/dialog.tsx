import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'

interface Props {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  /** Neither Escape nor a click outside closes it: something would be lost. */
  readonly isLocked?: boolean
  readonly isAlert?: boolean
  readonly children: ReactNode
}

export function Dialog({ title, isOpen, onClose, isLocked = false, isAlert = false, children }: Props) {
  return (
    <ModalOverlay
      className="veil"
      isOpen={isOpen}
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
