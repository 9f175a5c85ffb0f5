import type { RouteName } from '@bearing/contracts/routes'
import type { ReactNode } from 'react'
import type { Action } from '../ground/use-action.js'
import { AsCommand } from './command.js'
import { Dialog } from './dialog.js'
import { FormActions } from './form-actions.js'
import { Form } from './form.js'
import type { Save } from './save-form.js'

interface Props {
  readonly title: string
  readonly action: Action<[]>
  /** The text of the button that submits. */
  readonly verb: string
  readonly look?: string
  /** Something is missing that no field of the form can say. */
  readonly isDisabled?: boolean
  readonly isAlert?: boolean
  /** Takes the place of the form, such as a secret that is shown once. Only its own controls close the dialog then. */
  readonly result?: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog with one form. It cannot be closed while the form is being sent. */
export function FormDialog({
  title,
  action,
  verb,
  result,
  children,
  isAlert = false,
  onClose,
  ...end
}: Props) {
  return (
    <Dialog
      title={title}
      isAlert={isAlert}
      isLocked={action.isPending || result !== undefined}
      onClose={onClose}
    >
      {result ?? (
        <Form error={action.error} onSubmit={() => void action.run()}>
          {children}
          <FormActions {...end} action={action} onCancel={onClose}>
            {verb}
          </FormActions>
        </Form>
      )}
    </Dialog>
  )
}

interface SaveProps<Name extends RouteName> extends Omit<Props, 'action' | 'result'> {
  readonly save: Save<Name>
  /** The same as a command. Left out: the form has it. */
  readonly bearing?: string
}

/** A dialog with a form that makes one call. It closes when that has succeeded. */
export function SaveDialog<Name extends RouteName>({ save, bearing, children, ...dialog }: SaveProps<Name>) {
  const run = async () => {
    const isDone = await save.run()
    if (isDone) dialog.onClose()
    return isDone
  }
  return (
    <FormDialog {...dialog} action={{ ...save, run }}>
      {children}
      {bearing !== undefined && <AsCommand bearing={bearing} call={save.call} />}
    </FormDialog>
  )
}
