import { Field } from '../parts/field.js'

interface Props {
  readonly label: string
  readonly name: string
  readonly hint?: string
  /** Null: no limit. */
  readonly value: number | null
  readonly max: number
  readonly min?: number
  readonly isDisabled: boolean
  readonly onChange: (value: number | null) => void
}

/** A whole number that may be left out. */
export function LimitField({ label, name, hint, value, max, min = 0, isDisabled, onChange }: Props) {
  return (
    <Field
      label={label}
      name={name}
      inputMode="numeric"
      placeholder="No limit"
      isDisabled={isDisabled}
      {...(hint !== undefined && { hint })}
      validate={(text) =>
        text === '' || (/^\d{1,16}$/.test(text) && Number(text) >= min && Number(text) <= max)
          ? null
          : `Use a whole number from ${String(min)} to ${String(max)}, or leave it empty.`
      }
      value={value === null ? '' : String(value)}
      onChange={(text) => {
        const digits = text.replace(/\D/g, '')
        onChange(digits === '' ? null : Number(digits))
      }}
    />
  )
}
