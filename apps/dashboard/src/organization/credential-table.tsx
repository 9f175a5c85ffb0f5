import type { CountedKind } from '@bearing/contracts/identity/credentials/request-usage'
import type { z } from 'zod'
import { count } from '../ground/amounts.js'
import { Table } from '../parts/table.js'
import { Time } from '../parts/time.js'
import type { Usage } from './usage.js'

const KINDS: Readonly<Record<z.infer<typeof CountedKind>, string>> = {
  organization_token: 'Organization token',
  legacy_token: 'Legacy token',
  api_key: 'User API key',
  password: 'Password',
  session: 'Session',
  project_key: 'Project key',
  other: 'All others together',
}

/** The credentials that have made the requests. */
export function CredentialTable({ credentials }: { readonly credentials: Usage['credentials'] }) {
  if (credentials.length === 0) return <p className="quiet">No request was counted in this period.</p>
  return (
    <Table
      rows={credentials}
      idOf={({ kind, id }) => `${kind} ${id ?? ''}`}
      columns={[
        {
          title: 'Credential',
          isRowHeader: true,
          cell: ({ name, id }) => name ?? <code>{id ?? 'not counted one by one'}</code>,
        },
        { title: 'Kind', cell: ({ kind }) => KINDS[kind] },
        { title: 'Requests', cell: ({ requests }) => count(requests) },
        { title: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
      ]}
    />
  )
}
