import type { Permission } from '@bearing/contracts/permission'
import { useId, type ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button'
import { useScope } from '../ground/scope.js'
import { whoCan } from '../ground/who-can.js'

interface Props extends Omit<ButtonProps, 'className' | 'children'> {
  /** Space-separated: `primary`, `danger`, `plain`, `small`, `wide`. */
  readonly look?: string
  readonly 'data-permission'?: Permission
  readonly 'data-refused'?: string
  readonly children: ReactNode
}

export function Button({ look = '', children, ...props }: Props) {
  return (
    <AriaButton {...props} className={`button ${look}`}>
      {children}
    </AriaButton>
  )
}

/** A button that is disabled if the server would refuse, and then says who can. */
export function PermittedButton({ permission, ...props }: Props & { readonly permission: Permission }) {
  const why = useId()
  const refused = useScope().refused(permission)
  // The specs compare the control with what the server says to this permission.
  if (!refused) return <Button {...props} data-permission={permission} />
  return (
    <span className="stack-s">
      <Button {...props} isDisabled aria-describedby={why} data-permission={permission} data-refused="" />
      <span className="hint" id={why}>
        {refused.code === 'permission_denied' ? `Only for ${whoCan(permission)}.` : refused.message}
      </span>
    </span>
  )
}
