import type { CallOutput } from '@bearing/client/call-types'
import { FileKind } from '@bearing/contracts/management/data/file'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { calling } from '../ground/calling.js'
import { queryClient } from '../ground/query-client.js'

export type StoredFile = CallOutput<'listFiles'>['data'][number]

/** Files on a page of the list. */
const PER_PAGE = 50

export interface FileSelection {
  readonly kind: string
  readonly device: string
  readonly version: string
  readonly page: string
}

/** A page of the files of a project. */
export const filesOf = (organization: string, project: string, selection: FileSelection) => {
  const kind = FileKind.safeParse(selection.kind).data
  const input = {
    page: Math.max(1, Math.trunc(Number(selection.page)) || 1),
    per_page: PER_PAGE,
    ...(kind && { kind }),
    ...(selection.device !== '' && { device_serial: selection.device }),
    ...(selection.version !== '' && { software_version: selection.version }),
  }
  return queryOptions({
    ...calling(['files', organization, project, input], 'listFiles', { organization, project, ...input }),
    placeholderData: keepPreviousData,
  })
}

/** Reads files again, after a change. */
export async function rereadFiles(): Promise<void> {
  await Promise.all(['files', 'coverage'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
}
