import { Button } from 'react-aria-components/Button'
import { Label } from 'react-aria-components/Label'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select'
import { Icon } from './icon.js'

export interface Option<Id extends string = string> {
  readonly id: Id
  readonly text: string
  readonly hint?: string
}

interface Props<Id extends string> {
  readonly label: string
  /** Only for screen readers: what it is can be seen. */
  readonly isLabelHidden?: boolean
  readonly options: readonly Option<Id>[]
  readonly value: Id
  readonly onChange: (id: Id) => void
  readonly isDisabled?: boolean
}

/** Chooses one of a few. */
export function Select<Id extends string>({
  label,
  isLabelHidden = false,
  options,
  value,
  onChange,
  isDisabled = false,
}: Props<Id>) {
  return (
    <AriaSelect
      className="field"
      isDisabled={isDisabled}
      value={value}
      onChange={(key) => {
        const chosen = options.find(({ id }) => id === key)
        if (chosen) onChange(chosen.id)
      }}
    >
      <Label className={isLabelHidden ? 'visually-hidden' : 'label'}>{label}</Label>
      <Button className="select-button">
        <SelectValue className="value">{({ selectedText }) => selectedText}</SelectValue>
        <Icon name="down" />
      </Button>
      <Popover className="popover">
        <ListBox items={options}>
          {({ id, text, hint }) => (
            <ListBoxItem id={id} textValue={text} className="option">
              {text}
              {hint !== undefined && <small>{hint}</small>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
