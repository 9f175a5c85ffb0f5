import type { CallInput } from '@bearing/client/call-types'
import type { Permission } from '@bearing/contracts/permission'
import type { RouteName } from '@bearing/contracts/routes'
import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { makeCall } from '../ground/calling.js'
import { useAction, type Action } from '../ground/use-action.js'
import { PermittedButton } from './button.js'
import { AsCommand } from './command.js'
import { Form } from './form.js'
import { Problem } from './problem.js'

/** A change that one call makes. */
export interface Save<Name extends RouteName> extends Action<[]> {
  readonly call: readonly [name: Name, input: CallInput<Name>]
  /** Makes it for a dialog, which shows the error itself. */
  readonly make: () => Promise<void>
}

/** Makes one call, and reads again what it has changed. */
export function useSave<Name extends RouteName>(
  name: Name,
  input: CallInput<Name>,
  ...changed: readonly QueryKey[]
): Save<Name> {
  const make = () => makeCall(name, input, ...changed)
  return { ...useAction(make), call: [name, input], make }
}

interface Props<Name extends RouteName> {
  readonly save: Pick<Save<Name>, 'error' | 'isPending' | 'run' | 'call'>
  readonly permission: Permission
  /** Nothing was changed, or something is missing that no field can say. */
  readonly isDisabled: boolean
  readonly verb?: string
  readonly look?: string
  /** The same as a command. Left out: none is shown. */
  readonly bearing?: string | undefined
  /** Asks back before it saves. */
  readonly onSubmit?: (() => void) | undefined
  readonly children: ReactNode
}

/** A form on a page that changes settings: fields, the same as a command, the last error, and its button. */
export function SaveForm<Name extends RouteName>({
  save,
  verb = 'Save',
  bearing,
  onSubmit = () => void save.run(),
  children,
  ...button
}: Props<Name>) {
  return (
    <Form error={save.error} onSubmit={onSubmit}>
      {children}
      {bearing !== undefined && <AsCommand bearing={bearing} call={save.call} />}
      <Problem error={save.error} />
      <div>
        <PermittedButton {...button} type="submit" isPending={save.isPending}>
          {verb}
        </PermittedButton>
      </div>
    </Form>
  )
}
