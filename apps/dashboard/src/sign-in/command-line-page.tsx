import type { CallOutput } from '@bearing/client/call-types'
import { UserCode } from '@bearing/contracts/identity/people/login'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { client, isSignedOut } from '../ground/client.js'
import { me } from '../ground/queries.js'
import { open } from '../ground/return-path.js'
import { useQueryTexts } from '../ground/url-state.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { Button } from '../parts/button.js'
import { Facts } from '../parts/facts.js'
import { Field } from '../parts/field.js'
import { Form } from '../parts/form.js'
import { Front } from '../parts/front.js'
import { Loaded } from '../parts/loaded.js'
import { Problem } from '../parts/problem.js'
import { Time } from '../parts/time.js'

type Login = CallOutput<'showLogin'>

/** `/command-line`: asks a user who is signed in whether to sign in a command line. */
export function CommandLinePage() {
  const { user_code = '' } = useQueryTexts()
  const user = useQuery({ ...me, meta: { mayBeSignedOut: true } })
  const isOut = isSignedOut(user.error)
  useEffect(() => {
    if (!isOut) return
    const here = `/command-line?${new URLSearchParams({ user_code }).toString()}`
    open(`/sign-in?${new URLSearchParams({ return_to: here }).toString()}`)
  }, [isOut, user_code])
  const [login, setLogin] = useState<Login>()
  const [decided, setDecided] = useState<'allowed' | 'denied'>()
  if (isOut) return null
  if (decided) return <Decided decision={decided} />
  return (
    <Front title="Sign in a command line">
      <Loaded query={user} lines={3}>
        {({ email }) =>
          login ? (
            <Decide login={login} email={email} onDecided={setDecided} />
          ) : (
            <EnterCode linked={user_code} onFound={setLogin} />
          )
        }
      </Loaded>
    </Front>
  )
}

/** Looks the login up. The code of a link is looked up when the user asks for it: a link does nothing on its own. */
function EnterCode({
  linked,
  onFound,
}: {
  readonly linked: string
  readonly onFound: (login: Login) => void
}) {
  const [code, codeInput] = useInput(UserCode.safeParse(linked).success ? linked : '')
  const action = useAction(async () => {
    onFound(await client.call('showLogin', { user_code: code }))
  })
  return (
    <Form error={action.error} onSubmit={() => void action.run()}>
      <p className="quiet">
        Continue only if you have just run <code>bearing login</code> yourself, and it shows this code.
      </p>
      <Field
        label="Code"
        name="user_code"
        hint="Eight letters, such as BCDF-GHJK."
        autoComplete="off"
        isRequired
        autoFocus
        {...codeInput}
      />
      <Problem error={action.error} />
      <Button look="primary wide" type="submit" isPending={action.isPending}>
        Continue
      </Button>
      <a href="/app">Back to the dashboard</a>
    </Form>
  )
}

interface DecideProps {
  readonly login: Login
  readonly email: string
  readonly onDecided: (decision: 'allowed' | 'denied') => void
}

function Decide({ login, email, onDecided }: DecideProps) {
  const { user_code, host, address, own_address, same_network, requested_at, session_ends_at } = login
  const action = useAction(async (decision: 'allowed' | 'denied') => {
    await client.call(decision === 'allowed' ? 'allowLogin' : 'denyLogin', { user_code })
    onDecided(decision)
  })
  return (
    <div className="stack">
      <p className="notice attention">
        Allow this only if you started it yourself and see the same code in your terminal. If somebody sent
        you the code or a link to this page, deny it: they would act as you.
      </p>
      <Facts
        facts={{
          Code: <strong className="user-code">{user_code}</strong>,
          'Machine name (as reported)': host,
          'Its IP address': address ?? 'unknown',
          'Your IP address': own_address ?? 'unknown',
          Asked: <Time at={requested_at} />,
          'Signs in as': email,
          'Ends at the latest': <Time at={session_ends_at} />,
        }}
      />
      {!same_network && (
        <p className="notice bad">
          The machine is in another network than this browser. Deny it, unless you know why.
        </p>
      )}
      <Problem error={action.error} />
      <Button look="primary wide" isPending={action.isPending} onPress={() => void action.run('allowed')}>
        Allow
      </Button>
      <Button look="wide" isDisabled={action.isPending} onPress={() => void action.run('denied')}>
        Deny
      </Button>
    </div>
  )
}

function Decided({ decision }: { readonly decision: 'allowed' | 'denied' }) {
  if (decision === 'denied')
    return (
      <Front title="Denied" about="The command line was not signed in.">
        <p>
          If you did not start it, somebody else may have tried to act as you. They received nothing, and your
          account is unchanged.
        </p>
        <a href="/app">Open the dashboard</a>
      </Front>
    )
  return (
    <Front title="The command line is signed in" about="Close this page and go back to your terminal.">
      <p>
        Your sessions are listed in <a href="/app/account">your account</a>: end this one there at any time,
        or run <code>bearing logout</code>.
      </p>
    </Front>
  )
}
