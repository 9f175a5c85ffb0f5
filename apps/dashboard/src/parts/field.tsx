import { useId, type ReactNode } from 'react'
import { FieldError } from 'react-aria-components/FieldError'
import { Input, TextArea, TextField, type TextFieldProps } from 'react-aria-components/TextField'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'

interface Props extends Omit<TextFieldProps, 'className' | 'children'> {
  readonly label: string
  readonly hint?: ReactNode
  readonly placeholder?: string
  /** Several lines. */
  readonly isLong?: boolean
  /** Texts that the browser offers while typing. */
  readonly suggestions?: readonly string[]
}

/** A text field with its label, a hint, and the mistake that the form or the server found. */
export function Field({ label, hint, placeholder, isLong = false, suggestions, ...props }: Props) {
  const list = useId()
  const input = { className: 'input', ...(placeholder !== undefined && { placeholder }) }
  return (
    <TextField {...props} className="field">
      <Label>{label}</Label>
      {isLong ? <TextArea {...input} /> : <Input {...input} {...(suggestions && { list })} />}
      {suggestions && (
        <datalist id={list}>
          {suggestions.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      )}
      {hint !== undefined && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="mistake" />
    </TextField>
  )
}
