import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Skeleton } from './page.js'
import { Problem } from './problem.js'

/** Shows what was read: a skeleton before it is there, and the error beside older data. */
export function Loaded<Data>({
  query,
  lines,
  children,
}: {
  readonly query: UseQueryResult<Data>
  readonly lines?: number
  readonly children: (data: Data) => ReactNode
}) {
  const { data, error, isPending, refetch } = query
  return (
    <>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data !== undefined
        ? children(data)
        : isPending && <Skeleton {...(lines !== undefined && { lines })} />}
    </>
  )
}
