import type { CallOutput } from '@bearing/client/call-types'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { calling } from '../ground/calling.js'
import { client } from '../ground/client.js'
import { queryClient } from '../ground/query-client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { AsCommand, quoted } from '../parts/command.js'
import { ConfirmButton } from '../parts/confirm.js'
import { DialogButton } from '../parts/dialog-button.js'
import { Field } from '../parts/field.js'
import { SaveDialog, FormDialog } from '../parts/form-dialog.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { createPasskey } from '../parts/passkey.js'
import { useSave } from '../parts/save-form.js'
import { Time } from '../parts/time.js'
import { RecoveryCodes } from './recovery-codes.js'

type Passkey = CallOutput<'listPasskeys'>['data'][number]

const changed = async () => {
  for (const key of ['passkeys', 'totp', 'sessions', 'me'])
    await queryClient.invalidateQueries({ queryKey: [key] })
}

export function PasskeysCard() {
  const { refused } = useScope()
  const passkeys = useQuery({
    ...calling(['passkeys'], 'listPasskeys', {}),
    enabled: !refused('second-factor:read'),
  })
  return (
    <Card
      title="Passkeys"
      about="They sign you in without the password, and are a second factor beside it that cannot be phished."
    >
      {refused('second-factor:read') ? (
        <p className="quiet">{refused('second-factor:read')?.message}</p>
      ) : (
        <Loaded query={passkeys} lines={1}>
          {({ data }) => (
            <>
              <ul className="stack-s">
                {data.map((passkey) => {
                  const { id, name, created_at, last_used_at } = passkey
                  return (
                    <li key={id} className="row spread">
                      <span className="grow">
                        <strong>{name}</strong>{' '}
                        <small>
                          added <Time at={created_at} />,{' '}
                          {last_used_at === null ? 'not used yet' : 'last used '}
                          {last_used_at !== null && <Time at={last_used_at} />}
                        </small>
                      </span>
                      <DialogButton
                        look="small"
                        permission="second-factor:change"
                        aria-label={`Rename the passkey ${name}`}
                        dialog={(close) => <RenameDialog passkey={passkey} onClose={close} />}
                      >
                        Rename
                      </DialogButton>
                      <ConfirmButton
                        look="small danger"
                        permission="second-factor:change"
                        text="Remove"
                        label={`Remove the passkey ${name}`}
                        title={`Remove ${name}?`}
                        verb="Remove"
                        onConfirm={async () => {
                          await client.call('removePasskey', { passkey_id: id })
                          await changed()
                        }}
                      >
                        <p>
                          It signs you in no more. Without another second factor the password alone is enough.
                        </p>
                        <AsCommand
                          bearing={`bearing passkeys delete ${id}`}
                          call={['removePasskey', { passkey_id: id }]}
                        />
                      </ConfirmButton>
                    </li>
                  )
                })}
              </ul>
              <div>
                <DialogButton
                  permission="second-factor:change"
                  dialog={(close) => <AddDialog onClose={close} />}
                >
                  Add a passkey
                </DialogButton>
              </div>
            </>
          )}
        </Loaded>
      )}
    </Card>
  )
}

function RenameDialog({ passkey, onClose }: { readonly passkey: Passkey; readonly onClose: () => void }) {
  const [name, nameInput] = useInput(passkey.name)
  const save = useSave('renamePasskey', { passkey_id: passkey.id, name }, ['passkeys'])
  const bearing = `bearing passkeys rename ${passkey.id} ${quoted(name)}`
  return (
    <SaveDialog title="Rename the passkey" save={save} verb="Rename" bearing={bearing} onClose={onClose}>
      <Field label="Name" name="name" isRequired autoFocus {...nameInput} />
    </SaveDialog>
  )
}

/** Asks for a name, lets the browser create the passkey, and shows the recovery codes of the first second factor. */
function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const { user } = useScope()
  const [name, nameInput] = useInput('')
  const [codes, setCodes] = useState<readonly string[]>()
  const close = () => {
    onClose()
    void changed()
  }
  const action = useAction(async () => {
    if (!user) return
    const created = await createPasskey(user)
    const { recovery_codes } = await client.call('addPasskey', { name, ...created })
    if (recovery_codes.length === 0) close()
    else setCodes(recovery_codes)
  })
  return (
    <FormDialog
      title={codes ? 'Save your recovery codes' : 'Add a passkey'}
      action={action}
      verb="Continue"
      result={codes && <RecoveryCodes codes={codes} onSaved={close} />}
      onClose={close}
    >
      <Field
        label="Name"
        name="name"
        hint="Such as the device that keeps it."
        isRequired
        autoFocus
        {...nameInput}
      />
    </FormDialog>
  )
}
