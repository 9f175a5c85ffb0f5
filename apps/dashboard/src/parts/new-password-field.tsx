import { Field } from './field.js'

/** The fewest characters that a password may have (contracts: NewPassword). */
const MIN_LENGTH = 12
/** From here on guessing takes longer than anybody has. */
const LONG = 20

interface Props {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Asks for a new password, and says how good its length is. */
export function NewPasswordField(props: Props) {
  const { length } = props.value
  return (
    <Field
      {...props}
      type="password"
      autoComplete="new-password"
      isRequired
      minLength={MIN_LENGTH}
      maxLength={1024}
      hint={
        length === 0
          ? `At least ${String(MIN_LENGTH)} characters. Several words are better than symbols.`
          : length < MIN_LENGTH
            ? `${String(MIN_LENGTH - length)} more to go.`
            : length < LONG
              ? 'Long enough. Longer is stronger.'
              : 'Strong by its length.'
      }
    />
  )
}
