import { useQuery } from '@tanstack/react-query'
import { auditNoun } from '@bearing/contracts/identity/audit/audit-actions'
import { useId, useState } from 'react'
import { Input, TextField } from 'react-aria-components/TextField'
import { Label } from 'react-aria-components/Label'
import { listing } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'
import { Button } from '../parts/button.js'
import { Icon } from '../parts/icon.js'
import { Select } from '../parts/select.js'
import { SlowField } from '../parts/slow-field.js'
import type { Filter } from './audit-query.js'
import { SENTENCES, shortId, splitTarget } from './entry.js'

/** The most members that the field for a person suggests. */
const SUGGESTED = 1_000

const NOUNS = [...new Set(Object.keys(SENTENCES).map((action) => action.split('.')[0] ?? ''))].toSorted()

interface Props {
  readonly filter: Filter
  readonly onChange: (change: Partial<Filter>) => void
}

/** Filters by action, actor and time. Filters that links set are shown as buttons that remove them. */
export function AuditFilters({ filter, onChange }: Props) {
  const noun = filter.action.split('.')[0] ?? ''
  const actions = Object.keys(SENTENCES).filter((action) => action.startsWith(`${noun}.`))
  return (
    <>
      <Select
        label="About"
        value={noun}
        onChange={(action) => onChange({ action })}
        options={[
          { id: '', text: 'Everything' },
          ...NOUNS.map((id) => ({ id, text: capitalized(auditNoun(id)) })),
        ]}
      />
      {noun !== '' && actions.length > 1 && (
        <Select
          label="What happened"
          value={filter.action}
          onChange={(action) => onChange({ action })}
          options={[
            { id: noun, text: 'Anything' },
            ...actions.map((id) => ({ id, text: (SENTENCES[id] ?? id).replace(/\s*\{target\}/, '') })),
          ]}
        />
      )}
      <PersonField actor={filter.actor} onChange={onChange} />
      <SlowField
        label="From (UTC)"
        type="date"
        name="from"
        value={filter.from}
        onChange={(from) => onChange({ from })}
      />
      <SlowField
        label="To (UTC)"
        type="date"
        name="to"
        value={filter.to}
        onChange={(to) => onChange({ to })}
      />
      {filter.target !== '' && (
        <Chip
          text={`Only ${splitTarget(filter.target)[0].replaceAll('_', ' ')} ${shortId(splitTarget(filter.target)[1])}`}
          onRemove={() => onChange({ target: '' })}
        />
      )}
      {filter.request_id !== '' && (
        <Chip
          text={`Only request ${shortId(filter.request_id)}`}
          onRemove={() => onChange({ request_id: '' })}
        />
      )}
    </>
  )
}

function Chip({ text, onRemove }: { readonly text: string; readonly onRemove: () => void }) {
  return (
    <Button look="chip" aria-label={`${text}: remove this filter`} onPress={onRemove}>
      {text} <Icon name="close" />
    </Button>
  )
}

/** Takes a member's email address, or the id of a user or credential. */
function PersonField({ actor, onChange }: { readonly actor: string; readonly onChange: Props['onChange'] }) {
  const { organizationSlug: organization, refused } = useScope()
  const list = useId()
  const members = useQuery({
    ...listing(['members', organization], 'listMembers', { organization, per_page: SUGGESTED }),
    enabled: !refused('member:read'),
  })
  const emailOf = (id: string) => members.data?.find(({ user_id }) => user_id === id)?.email
  const [typed, setTyped] = useState<string>()
  const text = typed ?? emailOf(actor) ?? actor
  const choose = (wanted: string) => {
    const value = wanted.trim().toLowerCase()
    const id = members.data?.find(({ email }) => email === value)?.user_id ?? value
    const isKnown = value === '' || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
    setTyped(isKnown ? undefined : wanted)
    if (isKnown && id !== actor) onChange({ actor: id })
  }
  return (
    <TextField className="field" name="actor" value={text} onChange={choose}>
      <Label>Done by</Label>
      <Input className="input" placeholder="Email address or id" list={list} autoComplete="off" />
      <datalist id={list}>
        {members.data?.map(({ user_id, email }) => (
          <option key={user_id} value={email} />
        ))}
      </datalist>
    </TextField>
  )
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
