import { DAY_MS } from '@bearing/contracts/durations'
import { Select } from '../parts/select.js'

export const EXPIRIES = { never: 'never', month: '30', quarter: '90', year: '365' } as const

/** Returns when a credential ends, as the API takes it. Undefined: never. */
export function expiryOf(value: string, nowMs: number): string | undefined {
  return value === EXPIRIES.never ? undefined : new Date(nowMs + Number(value) * DAY_MS).toISOString()
}

/** Chooses how long a credential works. */
export function ExpirySelect({
  value,
  onChange,
}: {
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  return (
    <Select
      label="Ends"
      value={value}
      onChange={onChange}
      options={[
        { id: EXPIRIES.never, text: 'Never' },
        { id: EXPIRIES.month, text: 'In 30 days' },
        { id: EXPIRIES.quarter, text: 'In 90 days' },
        { id: EXPIRIES.year, text: 'In a year' },
      ]}
    />
  )
}
