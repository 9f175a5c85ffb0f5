import type { ComponentProps } from 'react'
import { Button } from './button.js'
import { Problem } from './problem.js'

interface Props {
  readonly action: { readonly error: unknown; readonly isPending: boolean }
  readonly onCancel: () => void
  readonly look?: ComponentProps<typeof Button>['look']
  /** Something is missing that no field of the form can say. */
  readonly isDisabled?: boolean
  /** The text of the button that submits. */
  readonly children: string
}

/** The end of a form in a dialog: the error of the last try, and the buttons. */
export function FormActions({ action, onCancel, look = 'primary', isDisabled = false, children }: Props) {
  return (
    <>
      <Problem error={action.error} />
      <div className="actions">
        <Button isDisabled={action.isPending} onPress={onCancel}>
          Cancel
        </Button>
        <Button look={look} type="submit" isDisabled={isDisabled} isPending={action.isPending}>
          {children}
        </Button>
      </div>
    </>
  )
}
