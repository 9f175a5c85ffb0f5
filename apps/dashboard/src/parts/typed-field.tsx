import { Field } from './field.js'

/** Asks to type a word, before something that stops devices or cannot be undone. */
export function TypedField({
  word,
  value,
  onChange,
}: {
  readonly word: string
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  return (
    <Field
      label={`Type ${word} to confirm`}
      name="confirmation"
      autoComplete="off"
      spellCheck="false"
      isRequired
      autoFocus
      value={value}
      onChange={onChange}
    />
  )
}
