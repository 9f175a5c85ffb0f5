import { client } from '../ground/client.js'
import { open } from '../ground/return-path.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { PermittedButton } from '../parts/button.js'
import { AsCommand } from '../parts/command.js'
import { Field } from '../parts/field.js'
import { Form } from '../parts/form.js'
import { NewPasswordField } from '../parts/new-password-field.js'
import { Card } from '../parts/page.js'
import { Problem } from '../parts/problem.js'

export function PasswordCard() {
  const { refused, user } = useScope()
  const why = refused('password:change')
  const [current, currentInput] = useInput('')
  const [next, nextInput] = useInput('')
  const action = useAction(async () => {
    await client.call('changePassword', { current_password: current, new_password: next })
    open(`/sign-in?${new URLSearchParams({ notice: 'password', email: user?.email ?? '' }).toString()}`)
  })
  return (
    <Card title="Password" about="All of your sessions end, this one too. Your API key continues to work.">
      {why ? (
        <p className="quiet">{why.message}</p>
      ) : (
        <Form error={action.error} onSubmit={() => void action.run()}>
          <Field
            label="Current password"
            name="current_password"
            type="password"
            autoComplete="current-password"
            isRequired
            {...currentInput}
          />
          <NewPasswordField label="New password" name="new_password" {...nextInput} />
          <AsCommand bearing="bearing password set" />
          <Problem error={action.error} />
          <div>
            <PermittedButton type="submit" permission="password:change" isPending={action.isPending}>
              Change the password
            </PermittedButton>
          </div>
        </Form>
      )}
    </Card>
  )
}
