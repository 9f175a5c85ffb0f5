import { useState } from 'react'
import { client } from '../ground/client.js'
import { queryClient } from '../ground/query-client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { PermittedButton } from '../parts/button.js'
import { Confirm } from '../parts/confirm.js'
import { Dialog } from '../parts/dialog.js'
import { Problem } from '../parts/problem.js'
import { Time } from '../parts/time.js'
import { ConnectionForm } from './connection-form.js'
import type { Connection } from './connection.js'
import { Step } from './step.js'

interface Props {
  readonly connection: Connection | undefined
  readonly onSaved: (connection: Connection) => void
}

/** The first step: the provider, whose metadata the server has read. */
export function ProviderStep({ connection, onSaved }: Props) {
  return (
    <Step
      number={1}
      title="Connect your provider"
      about="At the provider, create a web application: OpenID Connect, authorization code flow. Then enter what it shows."
      done={connection && 'provider read'}
      missing="not connected"
    >
      {connection ? (
        <Provider key={connection.id} connection={connection} onSaved={onSaved} />
      ) : (
        <ConnectionForm onSaved={onSaved} />
      )}
    </Step>
  )
}

function Provider({
  connection,
  onSaved,
}: {
  readonly connection: Connection
  readonly onSaved: (connection: Connection) => void
}) {
  const { organizationSlug: organization, refused } = useScope()
  const [open, setOpen] = useState<'change' | 'disable' | 'delete'>()
  const { id: connection_id, name, enabled } = connection
  const close = () => setOpen(undefined)
  const reread = async () => {
    await queryClient.invalidateQueries({ queryKey: ['sso-connections', organization] })
  }
  const change = useAction(async (input: { readonly enabled?: boolean }) => {
    onSaved(await client.call('changeSsoConnection', { organization, connection_id, ...input }))
  })
  const asked = { refused: refused('sso-connection:manage'), permission: 'sso-connection:manage' } as const
  return (
    <>
      <dl className="facts">
        <dt>Name</dt>
        <dd>
          {name} {!enabled && <span className="badge attention">disabled</span>}
        </dd>
        <dt>Issuer</dt>
        <dd>
          <code>{connection.issuer}</code>
        </dd>
        <dt>Client id</dt>
        <dd>
          <code>{connection.client_id}</code>{' '}
          <span className="quiet">{connection.has_client_secret ? 'with a secret' : 'public client'}</span>
        </dd>
        <dt>Connected</dt>
        <dd>
          <Time at={connection.created_at} />
        </dd>
      </dl>
      <Problem error={change.error} />
      <div className="row">
        <PermittedButton {...asked} aria-haspopup="dialog" onPress={() => setOpen('change')}>
          Change
        </PermittedButton>
        {enabled ? (
          <PermittedButton {...asked} isPending={change.isPending} onPress={() => void change.run({})}>
            Read it again
          </PermittedButton>
        ) : (
          <PermittedButton
            {...asked}
            isPending={change.isPending}
            onPress={() => void change.run({ enabled: true })}
          >
            Enable
          </PermittedButton>
        )}
        {enabled && (
          <PermittedButton {...asked} look="danger" aria-haspopup="dialog" onPress={() => setOpen('disable')}>
            Disable
          </PermittedButton>
        )}
        <PermittedButton {...asked} look="danger" aria-haspopup="dialog" onPress={() => setOpen('delete')}>
          Delete
        </PermittedButton>
      </div>
      {open === 'change' && (
        <Dialog title={`Change ${name}`} onClose={close}>
          <ConnectionForm
            connection={connection}
            onSaved={(saved) => {
              onSaved(saved)
              close()
            }}
          />
        </Dialog>
      )}
      {(open === 'disable' || open === 'delete') && (
        <Confirm
          title={open === 'disable' ? `Disable ${name}?` : `Delete ${name}?`}
          verb={open === 'disable' ? 'Disable' : 'Delete'}
          onClose={close}
          onConfirm={async () => {
            if (open === 'disable')
              await client.call('changeSsoConnection', { organization, connection_id, enabled: false })
            else await client.call('deleteSsoConnection', { organization, connection_id })
            await reread()
          }}
        >
          <p>
            Sessions that were started through it end within a second.
            {open === 'delete' && ' Everyone has to link their account once more if you connect it again.'}
          </p>
        </Confirm>
      )}
    </>
  )
}
