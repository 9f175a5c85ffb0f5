import type { ReactNode } from 'react'
import type { Action } from '../ground/use-action.js'
import { Dialog } from './dialog.js'
import { FormActions } from './form-actions.js'
import { Form } from './form.js'

interface Props {
  readonly title: string
  readonly action: Action<[]>
  /** The text of the button that submits. */
  readonly verb: string
  readonly look?: string
  /** Something is missing that no field of the form can say. */
  readonly isDisabled?: boolean
  readonly isAlert?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog with one form. It cannot be closed while the form is being sent. */
export function FormDialog({ title, action, verb, children, isAlert = false, onClose, ...end }: Props) {
  return (
    <Dialog title={title} isAlert={isAlert} isLocked={action.isPending} onClose={onClose}>
      <Form error={action.error} onSubmit={() => void action.run()}>
        {children}
        <FormActions {...end} action={action} onCancel={onClose}>
          {verb}
        </FormActions>
      </Form>
    </Dialog>
  )
}
