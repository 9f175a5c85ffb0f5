import type { ComponentProps } from 'react'
import { useSlowText } from '../ground/use-slow-text.js'
import { Field } from './field.js'

interface Props extends Omit<ComponentProps<typeof Field>, 'value' | 'onChange'> {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A field of a filter: what is typed counts once typing rests, or on Enter. */
export function SlowField({ value, onChange, ...props }: Props) {
  const [text, change, rest] = useSlowText(value, onChange)
  return (
    <Field
      {...props}
      value={text}
      onChange={change}
      onBlur={rest}
      onKeyDown={(event) => {
        if (event.key === 'Enter') rest()
      }}
    />
  )
}
