import type { Deletion } from '@bearing/contracts/management/tenancy/deletion'
import { page, type Paging } from '@bearing/contracts/primitives'
import type { Prisma } from '../../generated/prisma/client.js'
import type { Database } from '../../ground/database.js'
import { toDeletion } from './deletion-row.js'

/** Returns a page of deletions, the latest first. */
export async function pageOfDeletions(
  database: Database,
  where: Prisma.DeletionWhereInput,
  request: { readonly page: number; readonly per_page: number },
): Promise<{ data: Deletion[]; paging: Paging }> {
  const [count, rows] = await Promise.all([
    database.deletion.count({ where }),
    database.deletion.findMany({
      where,
      orderBy: { id: 'desc' },
      skip: (request.page - 1) * request.per_page,
      take: request.per_page,
    }),
  ])
  return page(rows.map(toDeletion), count, request)
}
