import { useState } from 'react'
import { client } from '../ground/client.js'
import { useLinkSecret } from '../ground/link-secret.js'
import { useAction } from '../ground/use-action.js'
import { Button } from '../parts/button.js'
import { Form } from '../parts/form.js'
import { Front } from '../parts/front.js'
import { Problem } from '../parts/problem.js'

/** `/email-change`: confirms another email address with the mailed link. */
export function EmailChangePage() {
  const secret = useLinkSecret()
  return secret === undefined ? (
    <Front
      title="The link is incomplete"
      about="Open the link of the mail again, or copy all of it, with the part after the #. Reloading this page loses that part."
    >
      <SignIn />
    </Front>
  ) : (
    <Confirm key={secret} secret={secret} />
  )
}

function Confirm({ secret }: { readonly secret: string }) {
  const [outcome, setOutcome] = useState<{ readonly changed: boolean }>()
  const action = useAction(async () => {
    setOutcome(await client.call('confirmEmailChange', { secret }))
  })
  if (outcome)
    return (
      <Front title={outcome.changed ? 'Email address changed' : 'Confirmed'}>
        <p className="notice good" role="status">
          {outcome.changed
            ? 'Sign in with the new address from now on. All of your sessions have ended.'
            : 'The address changes as soon as the link in the other mail is used too.'}
        </p>
        <SignIn />
      </Front>
    )
  return (
    <Front
      title="Confirm the new email address"
      about="The address changes when both the new and the present address are confirmed. Then all sessions end."
    >
      <Form error={action.error} onSubmit={() => void action.run()}>
        <Problem error={action.error} />
        <Button look="primary wide" type="submit" isPending={action.isPending}>
          Confirm
        </Button>
      </Form>
    </Front>
  )
}

function SignIn() {
  return (
    <a className="button wide" href="/sign-in">
      Sign in
    </a>
  )
}
