import type { ReactNode } from 'react'
import { CheckboxButton, CheckboxField } from 'react-aria-components/Checkbox'
import { Label } from 'react-aria-components/Label'
import { RadioButton, RadioField, RadioGroup } from 'react-aria-components/RadioGroup'

interface ChoiceProps<Id extends string> {
  readonly label: string
  readonly value: Id
  readonly onChange: (id: Id) => void
  readonly options: readonly { readonly id: Id; readonly text: string; readonly hint?: ReactNode }[]
}

/** Chooses one of a few that all can be seen. */
export function Choice<Id extends string>({ label, value, onChange, options }: ChoiceProps<Id>) {
  const choose = (text: string) => {
    const chosen = options.find(({ id }) => id === text)
    if (chosen) onChange(chosen.id)
  }
  return (
    <RadioGroup className="field" value={value} onChange={choose}>
      <Label>{label}</Label>
      <div className="choices">
        {options.map(({ id, text, hint }) => (
          <RadioField key={id} value={id}>
            <RadioButton className="choice">
              <span className="mark" aria-hidden="true" />
              <span>
                {text}
                {hint !== undefined && <small className="stack-s">{hint}</small>}
              </span>
            </RadioButton>
          </RadioField>
        ))}
      </div>
    </RadioGroup>
  )
}

interface CheckProps {
  readonly text: ReactNode
  readonly hint?: ReactNode
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
  readonly isDisabled?: boolean
}

/** Switches something on or off. */
export function Check({ text, hint, isChecked, onChange, isDisabled = false }: CheckProps) {
  return (
    <CheckboxField isSelected={isChecked} isDisabled={isDisabled} onChange={onChange}>
      <CheckboxButton className="choice box">
        <span className="mark" aria-hidden="true" />
        <span>
          {text}
          {hint !== undefined && <small className="stack-s">{hint}</small>}
        </span>
      </CheckboxButton>
    </CheckboxField>
  )
}
