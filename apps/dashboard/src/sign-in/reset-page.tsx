import { useState } from 'react'
import { client } from '../ground/client.js'
import { useLinkSecret } from '../ground/link-secret.js'
import { open } from '../ground/return-path.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { Button } from '../parts/button.js'
import { Field } from '../parts/field.js'
import { Form } from '../parts/form.js'
import { Front } from '../parts/front.js'
import { NewPasswordField } from '../parts/new-password-field.js'
import { Problem } from '../parts/problem.js'

/** `/password-reset`: asks for a link, or sets a new password with one. */
export function PasswordResetPage() {
  const secret = useLinkSecret()
  return secret === undefined ? <RequestLink /> : <SetPassword key={secret} secret={secret} />
}

function RequestLink() {
  const [email, emailInput] = useInput('')
  const [isSent, setSent] = useState(false)
  const action = useAction(async () => {
    await client.call('requestPasswordReset', { email: email.trim() })
    setSent(true)
  })
  if (isSent)
    return (
      <Front title="Look into your mail">
        <p className="notice good" role="status">
          If {email} has an account with a password, a link is on its way. It works once, for an hour.
        </p>
        <a className="button wide" href="/sign-in">
          Back to sign-in
        </a>
      </Front>
    )
  return (
    <Front
      title="Set a new password"
      about="We mail you a link. Your password stays as it is until you use the link."
    >
      <Form error={action.error} onSubmit={() => void action.run()}>
        <Field
          label="Email address"
          type="email"
          name="email"
          autoComplete="username"
          isRequired
          autoFocus
          {...emailInput}
        />
        <Problem error={action.error} />
        <Button look="primary wide" type="submit" isPending={action.isPending}>
          Send the link
        </Button>
        <a href="/sign-in">Back to sign-in</a>
      </Form>
    </Front>
  )
}

function SetPassword({ secret }: { readonly secret: string }) {
  const [password, passwordInput] = useInput('')
  const action = useAction(async () => {
    await client.call('resetPassword', { secret, password })
    open('/sign-in?notice=password')
  })
  return (
    <Front title="Set a new password" about="All of your sessions end. Your API key continues to work.">
      <Form error={action.error} onSubmit={() => void action.run()}>
        <NewPasswordField label="New password" name="password" {...passwordInput} />
        <Problem error={action.error} />
        <Button look="primary wide" type="submit" isPending={action.isPending}>
          Set the password
        </Button>
        {action.error !== undefined && <a href="/password-reset">Ask for another link</a>}
      </Form>
    </Front>
  )
}
