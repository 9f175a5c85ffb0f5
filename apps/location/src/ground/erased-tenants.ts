import { WHOLE_ORGANIZATION } from '@bearing/contracts/tenant-scope'
import type pg from 'pg'
import { readRows } from './read-rows.js'

/** An organization and a project of it. */
interface Owned {
  readonly organizationId: string
  readonly projectId: string
}

/** Organizations and projects whose erasure has started. */
export interface ErasedTenants {
  /** Removes what belongs to one of them. */
  removeFrom<One extends Owned>(list: readonly One[]): readonly One[]
}

/** Reads which of some organizations, and of their projects, are erased. The caller holds the locks of their layers. */
export async function readErasedTenants(
  client: Pick<pg.ClientBase, 'query'>,
  organizationIds: readonly string[],
): Promise<ErasedTenants> {
  const text =
    'SELECT organization_id, project_id FROM erased_tenants WHERE organization_id = ANY ($1::uuid[])'
  const columns = { organization_id: 'uuid', project_id: 'uuid' } as const
  const rows = await readRows(client, { name: 'erased-tenants', text, columns }, [organizationIds])
  const erased = new Set(rows.map((row) => `${row.organization_id} ${row.project_id}`))
  const isErased = ({ organizationId, projectId }: Owned) =>
    erased.has(`${organizationId} ${WHOLE_ORGANIZATION}`) || erased.has(`${organizationId} ${projectId}`)
  return { removeFrom: (list) => (erased.size === 0 ? list : list.filter((one) => !isErased(one))) }
}
