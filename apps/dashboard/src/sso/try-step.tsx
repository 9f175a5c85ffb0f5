import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { calling } from '../ground/calling.js'
import { client } from '../ground/client.js'
import { me } from '../ground/queries.js'
import { open } from '../ground/return-path.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { PermittedButton } from '../parts/button.js'
import { Problem } from '../parts/problem.js'
import type { Connection } from './connection.js'
import { SsoRule } from './sso-rule.js'
import { Step } from './step.js'

/** Interval between checks for a sign-on in another tab, in milliseconds. */
const LOOK_MS = 2_000

/** The fourth step: come through the provider once, and then require it. */
export function TryStep({
  connection,
  isProven,
}: {
  readonly connection: Connection | undefined
  readonly isProven: boolean
}) {
  const isUsable = connection?.enabled === true
  return (
    <Step
      number={4}
      title="Sign in through it, then require it"
      about="An admin can require single sign-on only after coming through it. So it is sure to work."
      done={isProven ? 'you came through it' : undefined}
      missing="not tried"
    >
      {isUsable ? (
        <Try connection={connection} isProven={isProven} />
      ) : (
        <p className="quiet">
          {connection ? 'Enable the connection first.' : 'It can be tried once the provider is connected.'}
        </p>
      )}
      <SsoRule />
    </Step>
  )
}

function Try({
  connection: { id, name, sign_in_path },
  isProven,
}: {
  readonly connection: Connection
  readonly isProven: boolean
}) {
  const { refused } = useScope()
  const { pathname } = useLocation()
  const [isTrying, setTrying] = useState(false)
  // A sign-on in another tab gives this browser its session.
  useQuery({ ...me, refetchInterval: isTrying && !isProven ? LOOK_MS : false })
  const mayLink = !refused('sso-identity:read')
  const identities = useQuery({
    ...calling(['identities'], 'listSsoIdentities', {}),
    enabled: mayLink,
  })
  const link = useAction(async () => {
    const begun = await client.call('beginLink', { connection_id: id, return_to: pathname })
    open(begun.authorization_url)
  })
  const isLinked =
    !mayLink || identities.data?.data.some(({ connection_id }) => connection_id === id) === true
  return (
    <>
      <p>
        {isProven
          ? `This session came through ${name}.`
          : isLinked
            ? `Your account is linked with ${name}. The new tab signs this browser in through it.`
            : `Link your account with your person at ${name}. Everyone who has an account here does this once, on the page Account.`}
      </p>
      <Problem error={link.error ?? identities.error} />
      <div className="row">
        {!isLinked && (
          <PermittedButton
            look="primary"
            permission="sso-identity:change"
            isPending={link.isPending}
            onPress={() => void link.run()}
          >
            Link my account with {name}
          </PermittedButton>
        )}
        {isLinked && (
          <a
            className={`button ${isProven ? '' : 'primary'}`}
            href={`${sign_in_path}?${new URLSearchParams({ return_to: pathname }).toString()}`}
            target="_blank"
            rel="noreferrer"
            onClick={() => setTrying(true)}
          >
            Test in a new tab
          </a>
        )}
      </div>
    </>
  )
}
