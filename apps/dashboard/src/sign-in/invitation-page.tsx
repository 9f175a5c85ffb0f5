import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { calling } from '../ground/calling.js'
import { client } from '../ground/client.js'
import { useLinkSecret } from '../ground/link-secret.js'
import { open } from '../ground/return-path.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { Button } from '../parts/button.js'
import { Field } from '../parts/field.js'
import { Form } from '../parts/form.js'
import { Front } from '../parts/front.js'
import { Loaded } from '../parts/loaded.js'
import { NewPasswordField } from '../parts/new-password-field.js'
import { Problem } from '../parts/problem.js'
import { Time } from '../parts/time.js'

/** `/invitation`: what the mailed link leads to. */
export function InvitationPage() {
  const secret = useLinkSecret()
  if (secret === undefined)
    return (
      <Front
        title="The link is incomplete"
        about="Open the link of the mail again, or copy all of it, with the part after the #. Reloading this page loses that part."
      >
        <a className="button wide" href="/sign-in">
          Sign in
        </a>
      </Front>
    )
  return <Invitation key={secret} secret={secret} />
}

function Invitation({ secret }: { readonly secret: string }) {
  // The secret stays out of the cache: the key of the query does not name it, but each link has its own.
  const [link] = useState(() => Math.random())
  const shown = useQuery({
    ...calling(['invitation', link], 'showInvitation', { secret }),
    staleTime: Infinity,
    gcTime: 0,
  })
  return (
    <Front title="You are invited">
      <Loaded query={shown} lines={3}>
        {(invitation) => <Accept secret={secret} {...invitation} />}
      </Loaded>
    </Front>
  )
}

interface AcceptProps {
  readonly secret: string
  readonly email: string
  readonly invited_by: string
  readonly role: 'admin' | 'member'
  readonly expires_at: string
  readonly has_account: boolean
}

function Accept({ secret, email, invited_by, role, expires_at, has_account }: AcceptProps) {
  const [password, passwordInput] = useInput('')
  const action = useAction(async () => {
    await client.call('acceptInvitation', { secret, ...(!has_account && { password }) })
    open(`/sign-in?${new URLSearchParams({ notice: 'joined', email }).toString()}`)
  })
  return (
    <Form error={action.error} onSubmit={() => void action.run()}>
      <p>
        <strong>{invited_by}</strong> invites you to an organization, as{' '}
        {role === 'admin' ? 'an admin' : 'a member'}. The invitation ends <Time at={expires_at} />.
      </p>
      <Field
        label="Email address"
        type="email"
        name="email"
        autoComplete="username"
        value={email}
        isReadOnly
      />
      {has_account ? (
        <p className="quiet">You have an account with this address. It joins as it is.</p>
      ) : (
        <NewPasswordField label="Choose a password" name="password" {...passwordInput} />
      )}
      <Problem error={action.error} />
      <Button look="primary wide" type="submit" isPending={action.isPending}>
        {has_account ? 'Join' : 'Create the account and join'}
      </Button>
    </Form>
  )
}
