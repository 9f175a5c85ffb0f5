import { useState } from 'react'
import { useScope } from '../ground/scope.js'
import { PermittedButton } from '../parts/button.js'
import { RedeliverDialog } from './redeliver-dialog.js'

/** Opens the dialog that sends one failed delivery again, or all since a time. */
export function RedeliverButton({
  id,
  deliveryId,
  label,
}: {
  readonly id: string
  readonly deliveryId?: string
  readonly label: string
}) {
  const { refused } = useScope()
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <PermittedButton
        refused={refused('webhook:manage')}
        permission="webhook:manage"
        {...(deliveryId !== undefined && { look: 'small' as const })}
        aria-haspopup="dialog"
        onPress={() => {
          setAsked(true)
        }}
      >
        {label}
      </PermittedButton>
      {isAsked && (
        <RedeliverDialog
          id={id}
          {...(deliveryId !== undefined && { deliveryId })}
          onClose={() => {
            setAsked(false)
          }}
        />
      )}
    </>
  )
}
