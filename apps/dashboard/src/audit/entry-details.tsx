import { count } from '../ground/amounts.js'
import { useState } from 'react'
import { Facts } from '../parts/facts.js'
import { changesOf, type Entry } from './entry.js'

/** Everything else about an event. Rendered when it is opened: a page has many rows. */
export function EntryDetails({ entry }: { readonly entry: Entry }) {
  const [isOpen, setOpen] = useState(false)
  const { id, action, target, service, request_id, address, actor_credential_id, sequence, hash } = entry
  return (
    <details
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open)
      }}
    >
      <summary>
        Details <span className="visually-hidden">of {action}</span>
      </summary>
      {isOpen && (
        <Facts
          facts={[
            ...changesOf(entry).rest.map(([name, value]) => ({ name, value })),
            { name: 'Action', value: action, copied: action },
            { name: 'Target', value: target, copied: target },
            { name: 'IP address', value: address },
            { name: 'Request id', value: request_id, copied: request_id },
            {
              name: 'Credential',
              value: actor_credential_id,
              ...(actor_credential_id !== null && { copied: actor_credential_id }),
            },
            { name: 'Service', value: service },
            { name: 'Row', value: sequence === null ? 'before the chain' : count(sequence) },
            { name: 'Row id', value: id, copied: id },
            { name: 'Hash', value: hash, ...(hash !== null && { copied: hash }) },
          ]}
        />
      )}
    </details>
  )
}
