import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useScope } from '../ground/scope.js'
import { Select } from '../parts/select.js'
import { SlowField } from '../parts/slow-field.js'
import { familyOf, orderOf, ordersOf, type Family, type ListState } from './device-filter.js'
import { attributesOf } from './device-queries.js'

interface Props {
  readonly state: ListState
  readonly onChange: (change: Partial<ListState>) => void
}

const SILENCES = [
  { id: 'silent:1h', text: 'Silent for 1 hour' },
  { id: 'silent:12h', text: 'Silent for 12 hours' },
  { id: 'silent:1d', text: 'Silent for 1 day' },
  { id: 'silent:7d', text: 'Silent for 7 days' },
  { id: 'silent:30d', text: 'Silent for 30 days' },
  { id: 'silent:365d', text: 'Silent for a year' },
] as const

/** The filters that people use most. The others are in {@link MoreFilters}. */
export function DeviceFilters({ state, onChange }: Props) {
  const family = familyOf(state)
  const orders = ordersOf(state)
  return (
    <>
      <SlowField
        label="Serial number starts with"
        name="q"
        type="search"
        placeholder="Upper and lower case differ"
        value={state.q}
        isDisabled={isShut(family, 'serial')}
        onChange={(q) => onChange({ q: q.trim() })}
      />
      <LastSeen state={state} onChange={onChange} isDisabled={isShut(family, 'seen')} />
      {orders.length > 0 && (
        <Select
          label="Order"
          value={orderOf(state) ?? ''}
          options={orders}
          onChange={(sort) => onChange({ sort: sort === orders[0]?.id ? '' : sort })}
        />
      )}
    </>
  )
}

/** Returns true if another family of filters is in use. */
function isShut(family: Family | undefined, own: Family): boolean {
  return family !== undefined && family !== own
}

function LastSeen({ state, onChange, isDisabled }: Props & { readonly isDisabled: boolean }) {
  const [isRange, setRange] = useState(state.last_seen_after !== '' || state.last_seen_before !== '')
  const value = isRange
    ? 'range'
    : state.seen !== ''
      ? state.seen
      : state.silent_for !== ''
        ? `silent:${state.silent_for}`
        : ''
  const known = SILENCES.some(({ id }) => id === value) || !value.startsWith('silent:')
  return (
    <>
      <Select
        label="Last seen"
        isDisabled={isDisabled}
        value={value}
        options={[
          { id: '', text: 'Any time' },
          ...(known ? [] : [{ id: value, text: `Silent for ${state.silent_for}` }]),
          ...SILENCES,
          { id: 'never', text: 'Never' },
          { id: 'ever', text: 'Ever' },
          { id: 'range', text: 'Between …' },
        ]}
        onChange={(id) => {
          setRange(id === 'range')
          onChange({
            last_seen_after: '',
            last_seen_before: '',
            silent_for: id.startsWith('silent:') ? id.slice('silent:'.length) : '',
            seen: id === 'never' || id === 'ever' ? id : '',
          })
        }}
      />
      {isRange && (
        <>
          <Moment
            label="From (UTC)"
            value={state.last_seen_after}
            onChange={(last_seen_after) => onChange({ last_seen_after })}
          />
          <Moment
            label="Until (UTC)"
            value={state.last_seen_before}
            onChange={(last_seen_before) => onChange({ last_seen_before })}
          />
        </>
      )}
    </>
  )
}

function Moment({
  label,
  value,
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  return (
    <SlowField
      label={label}
      type="datetime-local"
      value={value.slice(0, 16)}
      onChange={(local) => onChange(local === '' ? '' : `${local.slice(0, 16)}:00Z`)}
    />
  )
}

const COMPARISONS = [
  { id: 'attribute_is', text: 'is' },
  { id: 'attribute_above', text: 'is more than' },
  { id: 'attribute_below', text: 'is less than' },
] as const

/** Filters by version and attribute. */
export function MoreFilters({ state, onChange }: Props) {
  const { organizationSlug, projectSlug } = useScope()
  const { data: attributes = [] } = useQuery(attributesOf(organizationSlug, projectSlug))
  const [comparison, setComparison] = useState(
    COMPARISONS.find(({ id }) => state[id] !== '')?.id ?? 'attribute_is',
  )
  const family = familyOf(state)
  const type = attributes.find(({ name }) => name === state.attribute)?.type
  const isOrdered = type === 'number' || type === 'time'
  const isAttributeShut = family === 'seen'
  return (
    <>
      <SlowField
        label="Software version"
        value={state.software_version}
        isDisabled={isShut(family, 'seen') || state.hardware_version !== ''}
        onChange={(software_version) => onChange({ software_version })}
      />
      <SlowField
        label="Hardware version"
        value={state.hardware_version}
        isDisabled={isShut(family, 'seen') || state.software_version !== ''}
        onChange={(hardware_version) => onChange({ hardware_version })}
      />
      {attributes.length > 0 && (
        <>
          <Select
            label="Attribute"
            isDisabled={isAttributeShut}
            value={state.attribute}
            options={[
              { id: '', text: 'Any' },
              ...attributes.map(({ name, type: hint }) => ({ id: name, text: name, hint })),
            ]}
            onChange={(attribute) => {
              setComparison('attribute_is')
              onChange({ attribute, attribute_is: '', attribute_above: '', attribute_below: '' })
            }}
          />
          {state.attribute !== '' && isOrdered && (
            <Select
              label="Comparison"
              value={comparison}
              options={COMPARISONS}
              onChange={(id) => {
                const next = COMPARISONS.find((candidate) => candidate.id === id)?.id ?? 'attribute_is'
                setComparison(next)
                const value = state[comparison]
                onChange({ attribute_is: '', attribute_above: '', attribute_below: '', [next]: value })
              }}
            />
          )}
          {state.attribute !== '' && (
            <SlowField
              label={`Value of ${state.attribute}`}
              placeholder={type === 'time' ? '2026-01-31T09:00:00Z' : type === 'boolean' ? 'true' : ''}
              value={state[comparison]}
              isDisabled={isAttributeShut || (state.q !== '' && comparison !== 'attribute_is')}
              onChange={(value) => onChange({ [comparison]: value })}
            />
          )}
        </>
      )}
    </>
  )
}
