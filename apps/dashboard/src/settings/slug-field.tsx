import { Field } from '../parts/field.js'

/** Asks to type a slug, before something that stops devices or cannot be undone. */
export function SlugField({
  slug,
  value,
  onChange,
}: {
  readonly slug: string
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  return (
    <Field
      label={`Type ${slug} to confirm`}
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
