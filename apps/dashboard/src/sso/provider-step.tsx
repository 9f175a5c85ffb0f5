import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { PermittedButton } from '../parts/button.js'
import { ConfirmButton } from '../parts/confirm.js'
import { DialogButton } from '../parts/dialog-button.js'
import { Dialog } from '../parts/dialog.js'
import { Facts } from '../parts/facts.js'
import { Problem } from '../parts/problem.js'
import { useSave } from '../parts/save-form.js'
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

const ENDING = 'Sessions that were started through it end within a second.'

function Provider({
  connection,
  onSaved,
}: {
  readonly connection: Connection
  readonly onSaved: (connection: Connection) => void
}) {
  const { organizationSlug: organization } = useScope()
  const { id: connection_id, name, enabled } = connection
  const queryKey = ['sso-connections', organization]
  const disable = useSave('changeSsoConnection', { organization, connection_id, enabled: false }, queryKey)
  const remove = useSave('deleteSsoConnection', { organization, connection_id }, queryKey)
  const change = useAction(async (input: { readonly enabled?: boolean }) => {
    onSaved(await client.call('changeSsoConnection', { organization, connection_id, ...input }))
  })
  const permission = 'sso-connection:manage'
  return (
    <>
      <Facts
        facts={{
          Name: (
            <>
              {name} {!enabled && <span className="badge attention">disabled</span>}
            </>
          ),
          Issuer: <code>{connection.issuer}</code>,
          'Client id': (
            <>
              <code>{connection.client_id}</code>{' '}
              <span className="quiet">
                {connection.has_client_secret ? 'with a secret' : 'public client'}
              </span>
            </>
          ),
          Connected: <Time at={connection.created_at} />,
        }}
      />
      <Problem error={change.error} />
      <div className="row">
        <DialogButton
          permission={permission}
          dialog={(close) => (
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
        >
          Change
        </DialogButton>
        <PermittedButton
          permission={permission}
          isPending={change.isPending}
          onPress={() => void change.run(enabled ? {} : { enabled: true })}
        >
          {enabled ? 'Read it again' : 'Enable'}
        </PermittedButton>
        {enabled && (
          <ConfirmButton
            permission={permission}
            text="Disable"
            title={`Disable ${name}?`}
            verb="Disable"
            onConfirm={disable.make}
          >
            <p>{ENDING}</p>
          </ConfirmButton>
        )}
        <ConfirmButton
          permission={permission}
          text="Delete"
          title={`Delete ${name}?`}
          verb="Delete"
          onConfirm={remove.make}
        >
          <p>{ENDING} Everyone has to link their account once more if you connect it again.</p>
        </ConfirmButton>
      </div>
    </>
  )
}
