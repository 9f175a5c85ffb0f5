import { useState } from 'react'

/** The properties of a field or a choice that shows a value and changes it. */
interface Input<Value> {
  readonly value: Value
  readonly onChange: (value: Value) => void
}

/** Keeps what a user types or chooses. @returns the value, the properties of its field, and what sets it otherwise */
export function useInput<Value>(
  initial: Value | (() => Value),
): readonly [Value, Input<Value>, (value: Value) => void] {
  const [value, onChange] = useState(initial)
  return [value, { value, onChange }, onChange]
}
