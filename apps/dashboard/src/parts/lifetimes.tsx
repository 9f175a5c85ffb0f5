import { MAX_GRACE_SECONDS } from '@bearing/contracts/primitives'
import { DAY_MS } from '@bearing/contracts/durations'
import { Select } from './select.js'

/** Lifetimes to choose from, in days. A year is the default of the API for a token. */
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

/** Grace periods of a replaced credential. */
export const GRACES = [
  { id: '0', text: 'Stops immediately', hint: 'Choose this if it may have leaked.', flag: '' },
  { id: '3600', text: 'Works for 1 more hour', flag: ' --grace 1h' },
  { id: '86400', text: 'Works for 1 more day', flag: ' --grace 1d' },
  { id: String(MAX_GRACE_SECONDS), text: 'Works for 7 more days', flag: ' --grace 7d' },
] as const
