import { page, type Paging } from '@bearing/contracts/primitives'
import type { File } from '@bearing/contracts/management/file'
import type { z } from 'zod'
import type { Database } from '../ground/database.js'
import { SHOWN, toFile } from './file-row.js'

/** What a list of files is asked for with. */
interface Asked {
  readonly organization_id: string
  readonly project_id: string
  readonly page: number
  readonly per_page: number
}

/** A page of the files of a project, the newest first. */
export async function pageOfFiles(
  database: Database,
  asked: Asked,
  narrowed: {
    readonly kind?: string | { in: string[] }
    readonly deviceSerial?: string
    /** The object of each content is found by its index. */
    readonly object?: { readonly projectId: string; readonly kept: string }
  },
): Promise<{ data: z.output<typeof File>[]; paging: Paging }> {
  const where = { organizationId: asked.organization_id, projectId: asked.project_id, ...narrowed }
  const [count, rows] = await Promise.all([
    database.storedFile.count({ where }),
    database.storedFile.findMany({
      where,
      select: SHOWN,
      orderBy: { id: 'desc' },
      skip: (asked.page - 1) * asked.per_page,
      take: asked.per_page,
    }),
  ])
  return page(rows.map(toFile), count, asked)
}
