import { useState } from 'react'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { PermittedButton } from '../parts/button.js'
import { Check } from '../parts/choice.js'
import { AsCommand, quoted } from '../parts/command.js'
import { Field } from '../parts/field.js'
import { Form } from '../parts/form.js'
import { Problem } from '../parts/problem.js'
import type { Connection } from './connection.js'

interface Props {
  /** Undefined: a new one. */
  readonly connection?: Connection
  readonly onSaved: (connection: Connection) => void
}

/** Connects a provider, or changes how. The server reads the metadata of the provider before it stores anything. */
export function ConnectionForm({ connection, onSaved }: Props) {
  const { organizationSlug: organization, refused } = useScope()
  const [name, nameInput] = useInput(connection?.name ?? '')
  const [issuer, issuerInput] = useInput('')
  const [clientId, clientIdInput] = useInput(connection?.client_id ?? '')
  const [secret, setSecret] = useState('')
  const had = connection?.client_authentication === 'private_key_jwt'
  const [isByKey, setByKey] = useState(had)
  const [isPublic, setPublic] = useState(connection?.has_client_secret === false && !had)
  const way = isByKey ? 'private_key_jwt' : 'client_secret'
  const changed = isByKey === had ? {} : ({ client_authentication: way } as const)
  const given = { organization, name: name.trim(), client_id: clientId.trim() }
  const action = useAction(async () => {
    const client_secret = secret === '' || isPublic || isByKey ? undefined : secret
    const saved = connection
      ? await client.call('changeSsoConnection', {
          ...given,
          ...changed,
          connection_id: connection.id,
          ...(isPublic ? { client_secret: null } : client_secret !== undefined && { client_secret }),
        })
      : await client.call('createSsoConnection', {
          ...given,
          ...changed,
          issuer: issuer.trim(),
          ...(client_secret !== undefined && { client_secret }),
        })
    setSecret('')
    onSaved(saved)
  })
  const isSecretNeeded = !isPublic && !isByKey && connection?.has_client_secret !== true
  const permission = connection ? 'sso-connection:change' : 'sso-connection:manage'
  const isDisabled = refused(permission) !== undefined
  return (
    <Form error={action.error} onSubmit={() => void action.run()}>
      <Field
        label="Name"
        name="name"
        hint="Your people see it: “Continue with Okta”."
        isRequired
        isDisabled={isDisabled}
        {...nameInput}
      />
      {!connection && (
        <Field
          label="Issuer"
          name="issuer"
          type="url"
          placeholder="https://acme.okta.com"
          hint="As in the provider's discovery document, character by character. A / at the end counts."
          isRequired
          isDisabled={isDisabled}
          {...issuerInput}
        />
      )}
      <Field
        label="Client id"
        name="client_id"
        autoComplete="off"
        isRequired
        isDisabled={isDisabled}
        {...clientIdInput}
      />
      <ClientFields
        {...{ isPublic, setPublic, isByKey, setByKey, secret, setSecret, isSecretNeeded, isDisabled }}
      />
      <AsCommand
        bearing={
          connection
            ? `bearing --org ${organization} sso connections set ${connection.id} --name ${quoted(name)} --client-id ${quoted(clientId)}`
            : `bearing --org ${organization} sso connections create --name ${quoted(name || 'Okta')} \\\n  --issuer ${quoted(issuer || 'https://acme.okta.com')} --client-id ${quoted(clientId || '…')}${isByKey ? ' --private-key-jwt' : isPublic ? ' --public-client' : ' < client-secret.txt'}`
        }
        // A client secret has no place in a command: the command line reads it from a file.
        {...(isPublic &&
          (connection
            ? {
                call: [
                  'changeSsoConnection',
                  { ...given, connection_id: connection.id, client_secret: null },
                ] as const,
              }
            : { call: ['createSsoConnection', { ...given, issuer: issuer.trim() }] as const }))}
      />
      <Problem error={action.error} />
      <div>
        <PermittedButton look="primary" type="submit" permission={permission} isPending={action.isPending}>
          {action.isPending ? 'Reading the provider …' : connection ? 'Save' : 'Connect the provider'}
        </PermittedButton>
      </div>
    </Form>
  )
}

interface ClientFieldsProps {
  readonly isPublic: boolean
  readonly setPublic: (isPublic: boolean) => void
  readonly isByKey: boolean
  readonly setByKey: (isByKey: boolean) => void
  readonly secret: string
  readonly setSecret: (secret: string) => void
  readonly isSecretNeeded: boolean
  readonly isDisabled: boolean
}

/** Chooses the authentication of Bearing at the provider. */
function ClientFields({
  isPublic,
  setPublic,
  isByKey,
  setByKey,
  secret,
  setSecret,
  isSecretNeeded,
  isDisabled,
}: ClientFieldsProps) {
  return (
    <>
      <Check
        text="A public client, without a secret"
        isChecked={isPublic}
        isDisabled={isDisabled}
        onChange={(isChosen) => {
          setPublic(isChosen)
          if (isChosen) setByKey(false)
        }}
      />
      <Check
        text="Sign in with a private key (private_key_jwt)"
        hint="Bearing creates the key, and the next step shows the JWKS URI for the provider. There is no secret to rotate."
        isChecked={isByKey}
        isDisabled={isDisabled || isPublic}
        onChange={setByKey}
      />
      {!isPublic && !isByKey && (
        <Field
          label="Client secret"
          name="client_secret"
          type="password"
          autoComplete="off"
          hint={
            isSecretNeeded
              ? 'It is stored sealed, and never shown again.'
              : 'Empty: the one that is stored stays.'
          }
          isRequired={isSecretNeeded}
          isDisabled={isDisabled}
          value={secret}
          onChange={setSecret}
        />
      )}
    </>
  )
}
