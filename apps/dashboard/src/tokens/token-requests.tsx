import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { calling } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'
import { RequestChart } from '../parts/chart/request-chart.js'
import { Loaded } from '../parts/loaded.js'
import type { Token } from './token-list.js'

/** The requests with a token in the last 30 days, read when it is opened. */
export function TokenRequests({ token: { id, description } }: { readonly token: Token }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        Requests<span className="visually-hidden"> with {description}</span>
      </summary>
      {isOpen && <Requests id={id} description={description} />}
    </details>
  )
}

function Requests({ id, description }: Pick<Token, 'id' | 'description'>) {
  const { organizationSlug: organization } = useScope()
  const usage = useQuery(
    calling(['tokens', organization, 'usage', id], 'showOrganizationTokenUsage', {
      organization,
      organization_token_id: id,
    }),
  )
  return (
    <Loaded query={usage} lines={1}>
      {({ days }) => <RequestChart label={`Requests per day with ${description}`} days={days} />}
    </Loaded>
  )
}
