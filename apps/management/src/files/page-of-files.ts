import { page, type Paging } from '@bearing/contracts/primitives'
import type { File } from '@bearing/contracts/management/data/file'
import type { z } from 'zod'
import type { Database } from '../ground/database.js'
import { SHOWN, toFile } from './file-row.js'

/** The input of an operation that lists files. */
interface ListInput {
  readonly organization_id: string
  readonly project_id: string
  readonly page: number
  readonly per_page: number
}

/** Returns a page of the files of a project, the newest first. */
export async function pageOfFiles(
  database: Database,
  input: ListInput,
  filter: {
    readonly kind?: string | { in: string[] }
    readonly deviceSerial?: string
    readonly softwareType?: string
    readonly softwareVersion?: string
    readonly object?: { readonly projectId: string; readonly kept: string }
  },
): Promise<{ data: z.output<typeof File>[]; paging: Paging }> {
  const where = { organizationId: input.organization_id, projectId: input.project_id, ...filter }
  const [count, rows] = await Promise.all([
    database.storedFile.count({ where }),
    database.storedFile.findMany({
      where,
      select: SHOWN,
      orderBy: { id: 'desc' },
      skip: (input.page - 1) * input.per_page,
      take: input.per_page,
    }),
  ])
  return page(rows.map(toFile), count, input)
}
