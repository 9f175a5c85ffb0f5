import type { CountedKind } from '@bearing/contracts/identity/credentials/request-usage'
import type { z } from 'zod'
import { count } from '../ground/amounts.js'
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
    <div className="table-frame">
      <table>
        <thead>
          <tr>
            <th scope="col">Credential</th>
            <th scope="col">Kind</th>
            <th scope="col">Requests</th>
            <th scope="col">Last used</th>
          </tr>
        </thead>
        <tbody>
          {credentials.map(({ kind, id, name, requests, last_used_at }) => (
            <tr key={`${kind} ${id ?? ''}`}>
              <th scope="row">{name ?? <code>{id ?? 'not counted one by one'}</code>}</th>
              <td data-label="Kind">{KINDS[kind]}</td>
              <td data-label="Requests">{count(requests)}</td>
              <td data-label="Last used">
                <Time at={last_used_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
